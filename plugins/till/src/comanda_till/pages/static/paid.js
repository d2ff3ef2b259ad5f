// What follows a payment: the next order, the receipt, a refund, and opening a check again that was paid by mistake.
import { gettext as _ } from "/own/texts.js";
import { make } from "/own/dom.js";
import { amend } from "./approval.js";
import { field, openLineDialog } from "./line_options.js";
import { sendOnce } from "./requests.js";
import { decimals, parseAmount, session } from "./session.js";

export function paidButtons(order, { startOrder, openCheck, tell, reload }) {
  const button = (text, onclick, attributes = { class: "plain" }) => make("button", { type: "button", onclick, ...attributes }, text);
  const path = `/api/v1/staff/orders/${order.id}`;
  const left = order.isProvisional ? 0 : order.paid_total - order.refunded_total;
  return make("div", { class: "after" },
    button(_("New order"), () => startOrder(), { "data-new": true }),
    button(_("Receipt"), () => window.print()),
    order.is_paid && !order.isProvisional && document.querySelector("[data-emails-receipts]") ? button(_("Receipt by e-mail"), () => sendReceipt(path, tell)) : null,
    left > 0 ? button(_("Refund"), () => ask(_("Refund"), [field("refund", _("Amount"), { inputmode: "decimal", value: left.toFixed(decimals()) })], async (form, reason) => {
      const amount = parseAmount(form.querySelector("#refund").value);
      if (!amount) throw new Error(_("Enter an amount, such as 12.50."));
      await sendOnce(`refund:${order.id}`, `${path}/refunds`, { amount, reason });
      await reload();
    })) : null,
    order.is_paid && !["completed", "cancelled"].includes(order.status) ? button(_("Reopen"), () => ask(_("Reopen"), [], async (_form, reason) => {
      const opened = await amend(`reopen:${order.id}`, `${path}/reopen`, { reason });
      if (opened) openCheck(opened);
    })) : null);
}

function sendReceipt(path, tell) {
  const email = field("receipt-email", _("E-mail"), { type: "email", inputmode: "email", autocomplete: "off", maxlength: 254 });
  openForm(_("Receipt by e-mail"), [email], _("Send"), async (form) => {
    const sent = await session.call("POST", `${path}/receipt`, { email: form.querySelector("#receipt-email").value.trim() });
    tell(_("The receipt is sent to %(email)s.", { email: sent.email }));
  });
}

// Asks for a reason and does something with it.
function ask(title, fields, run) {
  openForm(title, [...fields, field("why", _("Reason"), { maxlength: 200, dir: "auto" })], title, async (form) => {
    const reason = form.querySelector("#why").value.trim();
    if (!reason) throw new Error(_("Give a reason."));
    await run(form, reason);
  });
}

// Shows fields, and does something with them; what stands against it is said below them.
function openForm(title, fields, verb, run) {
  const problem = make("p", { class: "problem", role: "alert" });
  const { form, close } = openLineDialog(title, fields, problem,
    make("div", { class: "row" }, make("button", { type: "button", class: "plain", onclick: () => close() }, _("Cancel")), make("button", { type: "submit" }, verb)));
  form.addEventListener("submit", async () => {
    problem.textContent = "";
    try {
      await run(form);
      close();
    } catch (error) {
      problem.textContent = error.message;
    }
  });
}
