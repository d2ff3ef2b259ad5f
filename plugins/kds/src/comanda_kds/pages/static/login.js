// Logging in, by PIN on a screen that has a name, or by e-mail and password.
import { gettext as _ } from "/own/texts.js";
import { call, keep, Refused, session } from "./api.js";
import * as enrolment from "./enrolment.js";

const form = document.querySelector("[data-login]");
const problem = form.querySelector("[data-problem]");
const otp = form.querySelector("[data-otp]");

// Whoever tries PINs on one screen locks that screen, not another that happens to have its name.
function newName() {
  const marks = Array.from(crypto.getRandomValues(new Uint8Array(3)), (byte) => byte.toString(36).padStart(2, "0"));
  return _("Kitchen screen %(mark)s", { mark: marks.join("").slice(0, 4) });
}

export function show(reason = "") {
  const asked = new URLSearchParams(location.search).get("store");
  form.address.value = asked ?? session().address ?? "";
  form.device.value = session().device ?? newName();
  form.pin.value = form.password.value = form.otp.value = "";
  problem.textContent = reason;
  form.hidden = false;
  (form.address.value ? form.pin : form.address).focus();
}

form.addEventListener("change", () => {
  for (const part of form.querySelectorAll("[data-way]")) part.hidden = part.dataset.way !== form.way.value;
});

form.querySelector("[data-enrol]").addEventListener("click", async (event) => {
  problem.textContent = "";
  event.target.disabled = true;
  try {
    await enrolment.enrol(await find(form.address.value.trim()), form.device.value.trim() || newName());
  } catch (error) {
    problem.textContent = error.message;
  } finally {
    event.target.disabled = false;
  }
});

export function onIn(listener) {
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    problem.textContent = "";
    const button = form.querySelector("[type=submit]");
    button.disabled = true;
    try {
      await enter();
      form.hidden = true;
      enrolment.stop();
      listener();
    } catch (error) {
      if (error.reason === "two_factor_required") otp.hidden = false;
      problem.textContent = error.message;
    } finally {
      button.disabled = false;
    }
  });
}

async function enter() {
  const address = form.address.value.trim();
  const device = form.device.value.trim() || newName();
  const store = await find(address);
  const sent = enrolment.deviceFor(store.id, device);
  const body =
    form.way.value === "pin"
      ? { pin: form.pin.value, device: sent }
      : { email: form.email.value.trim(), password: form.password.value, device: sent, ...(form.otp.value ? { otp: form.otp.value } : {}) };
  const { token, staff } = await call("POST", `/api/v1/restaurants/${store.id}/staff/${form.way.value}`, body).catch((error) => {
    // It was revoked, so it has to be enrolled again.
    if (error.reason === "device_not_enrolled") enrolment.forgetDevice(store.id);
    throw error;
  });
  if (!staff.permissions.includes("kds")) {
    keep({ token });
    await call("POST", "/api/v1/staff/logout").catch(() => {});
    keep({ token: null });
    throw new Error(_("You may not see the kitchen's tickets."));
  }
  keep({ token, store, address, device, role: staff.role });
}

async function find(address) {
  try {
    return await call("GET", `/kitchen/store?address=${encodeURIComponent(address)}`);
  } catch (error) {
    throw error instanceof Refused && error.status === 404 ? new Error(_("There is no such store.")) : error;
  }
}
