// Logging in members of staff on a page of theirs: by PIN on a screen that has a name, or by e-mail and password.
import { gettext as _ } from "/own/texts.js";
import { Refused } from "/own/session.js";
import { Enrolment } from "./enrolment.js";

export class StaffLogin {
  #options;
  #form = document.querySelector("[data-login]");
  #problem = this.#form.querySelector("[data-problem]");
  #otp = this.#form.querySelector("[data-otp]");

  // `session` is the page's Session; `permission` what its members need, `refused` the sentence for those without, and
  // `nameScreen(mark)` the name of a new screen.
  constructor(options) {
    this.#options = options;
    this.enrolment = new Enrolment(options.session);
    this.#form.addEventListener("change", () => {
      for (const part of this.#form.querySelectorAll("[data-way]")) part.hidden = part.dataset.way !== this.#form.way.value;
    });
    this.#form.querySelector("[data-enrol]").addEventListener("click", (event) => this.#enrol(event.target));
  }

  show(reason = "") {
    const form = this.#form;
    const asked = new URLSearchParams(location.search).get("store");
    form.address.value = asked ?? this.#kept.address ?? "";
    form.device.value = this.#kept.device ?? this.#newName();
    form.pin.value = form.password.value = form.otp.value = "";
    this.#problem.textContent = reason;
    form.hidden = false;
    (form.address.value ? form.pin : form.address).focus();
  }

  onIn(listener) {
    this.#form.addEventListener("submit", async (event) => {
      event.preventDefault();
      this.#problem.textContent = "";
      const button = this.#form.querySelector("[type=submit]");
      button.disabled = true;
      try {
        await this.#enter();
        this.#form.hidden = true;
        this.enrolment.stop();
        listener();
      } catch (error) {
        if (error.reason === "two_factor_required") this.#otp.hidden = false;
        this.#problem.textContent = error.message;
      } finally {
        button.disabled = false;
      }
    });
  }

  get #kept() {
    return this.#options.session.kept;
  }

  // Those who try PINs on one screen lock that screen, not another that happens to have its name.
  #newName() {
    const marks = Array.from(crypto.getRandomValues(new Uint8Array(3)), (byte) => byte.toString(36).padStart(2, "0"));
    return this.#options.nameScreen(marks.join("").slice(0, 4));
  }

  async #enrol(button) {
    this.#problem.textContent = "";
    button.disabled = true;
    try {
      const store = await this.#find(this.#form.address.value.trim());
      await this.enrolment.enrol(store, this.#form.device.value.trim() || this.#newName());
    } catch (error) {
      this.#problem.textContent = error.message;
    } finally {
      button.disabled = false;
    }
  }

  async #enter() {
    const { session, permission, refused } = this.#options;
    const form = this.#form;
    const address = form.address.value.trim();
    const device = form.device.value.trim() || this.#newName();
    const store = await this.#find(address);
    const sent = this.enrolment.deviceFor(store.id, device);
    const body =
      form.way.value === "pin"
        ? { pin: form.pin.value, device: sent }
        : { email: form.email.value.trim(), password: form.password.value, device: sent, ...(form.otp.value ? { otp: form.otp.value } : {}) };
    const { token, staff } = await session.call("POST", `/api/v1/restaurants/${store.id}/staff/${form.way.value}`, body).catch((error) => {
      // It was revoked, so it has to be enrolled again.
      if (error.reason === "device_not_enrolled") this.enrolment.forgetDevice(store.id);
      throw error;
    });
    if (!staff.permissions.includes(permission)) {
      session.keep({ token });
      await session.call("POST", "/api/v1/staff/logout").catch(() => {});
      session.keep({ token: null });
      throw new Error(refused);
    }
    session.keep({ token, store, address, device, role: staff.role, permissions: staff.permissions });
  }

  async #find(address) {
    try {
      return await this.#options.session.call("GET", `/staff-pages/store?address=${encodeURIComponent(address)}`);
    } catch (error) {
      throw error instanceof Refused && error.status === 404 ? new Error(_("There is no such store.")) : error;
    }
  }
}
