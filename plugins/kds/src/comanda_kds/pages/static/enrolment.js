// Enrolling screens: a new one shows a code and waits; a manager, logged in on another, types it in there.
import { gettext as _ } from "/own/texts.js";
import { call, keep, Refused, session } from "./api.js";

const panel = document.querySelector("[data-enrolment]");
const sentence = panel.querySelector("[data-enrolment-text]");
const code = panel.querySelector("[data-enrolment-code]");
let waiting = 0;

// What this screen sends with a PIN: its value in this store if it is enrolled, else its name.
export function deviceFor(storeId, name) {
  return session().enrolled?.[storeId] ?? name;
}

export function forgetDevice(storeId) {
  const { [storeId]: dropped, ...others } = session().enrolled ?? {};
  keep({ enrolled: others });
}

export function stop() {
  clearTimeout(waiting);
  waiting = 0;
  panel.hidden = true;
}

// Shows the code, and keeps the value when a manager has approved it.
export async function enrol(store, name) {
  stop();
  const path = `/api/v1/restaurants/${store.id}/staff-devices/requests`;
  const asked = await call("POST", path, { name: name.slice(0, 60) });
  tell(_("A manager enters this code on another screen or device:"), asked.user_code);
  const poll = async () => {
    try {
      const { status, device } = await call("POST", `${path}/poll`, { poll_token: asked.poll_token });
      if (status === "approved") {
        keep({ enrolled: { ...session().enrolled, [store.id]: device } });
        return tell(_("This screen is enrolled. Log in with your PIN."));
      }
    } catch (error) {
      if (error instanceof Refused && error.status === 404) return tell(_("Nobody approved it in time. Request another code."));
    }
    waiting = setTimeout(poll, asked.poll_seconds * 1000);
  };
  waiting = setTimeout(poll, asked.poll_seconds * 1000);
}

// A manager approves another screen; returns a sentence, or nothing if they thought better of it.
export async function approve() {
  const typed = window.prompt(_("Code on the screen to enrol"))?.trim();
  if (!typed) return "";
  let asked;
  try {
    asked = await call("GET", `/api/v1/staff/devices/requests/${encodeURIComponent(typed)}`);
  } catch (error) {
    throw error instanceof Refused && error.status === 404 ? new Error(_("No screen of this store shows this code.")) : error;
  }
  if (!window.confirm(_("Enrol “%(name)s”, which asked from %(source)s?", { name: asked.name, source: asked.source }))) return "";
  const made = await call("POST", "/api/v1/staff/devices", { user_code: typed });
  return _("“%(name)s” is enrolled.", { name: made.name });
}

function tell(text, shown = "") {
  sentence.textContent = text;
  code.textContent = shown;
  code.hidden = !shown;
  panel.hidden = false;
}
