// Enrolling screens: a new one shows a code and waits; a manager, logged in on another, types it in there.
import { gettext as _ } from "/own/texts.js";
import { Refused } from "/own/session.js";

export class Enrolment {
  #session;
  #panel = document.querySelector("[data-enrolment]");
  #sentence = this.#panel.querySelector("[data-enrolment-text]");
  #code = this.#panel.querySelector("[data-enrolment-code]");
  #waiting = 0;

  constructor(session) {
    this.#session = session;
  }

  // What this screen sends with a PIN: its value in this store if it is enrolled, else its name.
  deviceFor(storeId, name) {
    return this.#session.kept.enrolled?.[storeId] ?? name;
  }

  forgetDevice(storeId) {
    const { [storeId]: dropped, ...others } = this.#session.kept.enrolled ?? {};
    this.#session.keep({ enrolled: others });
  }

  stop() {
    clearTimeout(this.#waiting);
    this.#waiting = 0;
    this.#panel.hidden = true;
  }

  // Shows the code, and keeps the value when a manager has approved it.
  async enrol(store, name) {
    this.stop();
    const path = `/api/v1/restaurants/${store.id}/staff-devices/requests`;
    const asked = await this.#session.call("POST", path, { name: name.slice(0, 60) });
    this.#show(_("A manager enters this code on another screen or device:"), asked.user_code);
    const poll = async () => {
      try {
        const { status, device } = await this.#session.call("POST", `${path}/poll`, { poll_token: asked.poll_token });
        if (status === "approved") {
          this.#session.keep({ enrolled: { ...this.#session.kept.enrolled, [store.id]: device } });
          return this.#show(_("This device is set up. Log in with your PIN."));
        }
      } catch (error) {
        if (error instanceof Refused && error.status === 404) return this.#show(_("Nobody approved it in time. Request another code."));
      }
      this.#waiting = setTimeout(poll, asked.poll_seconds * 1000);
    };
    this.#waiting = setTimeout(poll, asked.poll_seconds * 1000);
  }

  // A manager approves another screen; returns a sentence, or nothing if they thought better of it.
  async approve() {
    const typed = window.prompt(_("Code on the new device"))?.trim();
    if (!typed) return "";
    let asked;
    try {
      asked = await this.#session.call("GET", `/api/v1/staff/devices/requests/${encodeURIComponent(typed)}`);
    } catch (error) {
      throw error instanceof Refused && error.status === 404 ? new Error(_("No screen of this store shows this code.")) : error;
    }
    if (!window.confirm(_("Set up “%(name)s”, which asked from %(source)s?", { name: asked.name, source: asked.source }))) return "";
    const made = await this.#session.call("POST", "/api/v1/staff/devices", { user_code: typed });
    return _("“%(name)s” is set up.", { name: made.name });
  }

  #show(text, shown = "") {
    this.#sentence.textContent = text;
    this.#code.textContent = shown;
    this.#code.hidden = !shown;
    this.#panel.hidden = false;
  }
}
