// Who is at the till: another person takes over with their PIN, and the order at hand stays.
import { gettext as _ } from "/own/texts.js";
import { askPin } from "./approval.js";
import { queue } from "./acts.js";
import { session } from "./session.js";

const button = document.querySelector("[data-person]");

export const showPerson = (name) => { button.textContent = name; };

// `enrolment` knows what this screen is called; `taken(staff)` is called when somebody took over.
export function onTakeOver(enrolment, taken, tell) {
  button.addEventListener("click", async () => {
    const { store, device, token } = session.kept;
    const pin = await askPin(_("Who takes over?"), _("PIN"), _("Take over"));
    if (!pin) return;
    try {
      const path = `/api/v1/restaurants/${store.id}/staff/pin`;
      const login = await session.call("POST", path, { pin, device: enrolment.deviceFor(store.id, device) });
      if (!login.staff.permissions.includes("orders")) throw new Error(_("You may not take orders."));
      session.keep({ token: login.token, role: login.staff.role, permissions: login.staff.permissions });
      // What was done before is sent in the name of whoever is there now.
      queue.start();
      fetch("/api/v1/staff/logout", { method: "POST", headers: { Authorization: `Bearer ${token}` } }).catch(() => {});
      taken();
    } catch (error) {
      tell(error.message);
    }
  });
}
