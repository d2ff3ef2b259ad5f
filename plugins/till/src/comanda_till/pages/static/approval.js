// Changes of open checks that somebody may have to approve: sent once, and with a PIN only if the server asks for one.
import { gettext as _ } from "/own/texts.js";
import { make } from "/own/dom.js";
import { sendOnce } from "./requests.js";
import { money } from "./session.js";

const approval = document.querySelector("[data-approval]");

// Sends a change once; with the refund of what was then paid too much, if the cashier agrees.
export async function amend(name, path, body, secrets = {}) {
  try {
    return await sendApproved(name, path, body, secrets);
  } catch (error) {
    const question = () => _("%(amount)s more was paid than this will cost. Refund it?", { amount: money(error.refundDue) });
    if (error.reason !== "refund_due" || !window.confirm(question())) throw error;
    return sendApproved(name, path, { ...body, refund: {} }, secrets);
  }
}

// Sends a change once; if it needs an approval, with the PIN of who gives it, which `secrets` keeps for the next.
async function sendApproved(name, path, body, secrets) {
  try {
    return await sendOnce(name, path, body, secrets);
  } catch (error) {
    if (error.reason !== "approval_required") throw error;
    const pin = await askPin(error.message, _("PIN of who approves"), _("Approve"));
    if (!pin) throw error;
    secrets.approval_pin = pin;
    return sendOnce(name, path, body, secrets);
  }
}

// Asks for a PIN, typed or on the pad; resolves to null if the dialog is closed.
export function askPin(sentence, label, button) {
  return new Promise((resolve) => {
    let pin = null;
    const input = make("input", { id: "approval-pin", type: "password", inputmode: "numeric", autocomplete: "off", maxlength: 8, required: true });
    const press = (digit) => { input.value = digit === "⌫" ? input.value.slice(0, -1) : (input.value + digit).slice(0, 8); };
    const form = make("form", {},
      make("h2", { id: "approval-title" }, sentence),
      make("div", { class: "field" }, make("label", { for: "approval-pin" }, label), input),
      make("div", { class: "pad" }, [..."123456789", "⌫", "0"].map((digit) =>
        make("button", { type: "button", class: "plain", tabindex: -1, "aria-label": digit === "⌫" ? _("Delete the last digit") : digit, onclick: () => press(digit) }, digit)),
        make("button", { type: "submit" }, button)),
      make("button", { type: "button", class: "link", onclick: () => approval.close() }, _("Cancel")));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      pin = input.value;
      approval.close();
    });
    approval.replaceChildren(form);
    approval.addEventListener("close", () => resolve(pin), { once: true });
    approval.showModal();
    input.focus();
  });
}
