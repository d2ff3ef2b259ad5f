// What follows a payment: the next order, the receipt, a refund, and opening a check again that was paid by mistake.
import { gettext as _ } from "/own/texts.js";
import { make } from "/own/dom.js";
import { amend } from "./approval.js";
import { field, openLineDialog } from "./line_options.js";
import { sendOnce } from "./requests.js";
import { decimals, parseAmount } from "./session.js";

export function paidButtons(order, { startOrder, openCheck, reload }) {
  const button = (text, onclick, attributes = { class: "plain" }) => make("button", { type: "button", onclick, ...attributes }, text);
  const path = `/api/v1/staff/orders/${order.id}`;
  const left = order.isProvisional ? 0 : order.paid_total - order.refunded_total;
  return make("div", { class: "after" },
    button(_("New order"), () => startOrder(), { "data-new": true }),
    button(_("Receipt"), () => window.print()),
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

// Asks for a reason and does something with it.
function ask(title, fields, run) {
  const problem = make("p", { class: "problem", role: "alert" });
  const { form, close } = openLineDialog(title, fields, field("why", _("Reason"), { maxlength: 200, dir: "auto" }), problem,
    make("div", { class: "row" }, make("button", { type: "button", class: "plain", onclick: () => close() }, _("Cancel")), make("button", { type: "submit" }, title)));
  form.addEventListener("submit", async () => {
    problem.textContent = "";
    const reason = form.querySelector("#why").value.trim();
    try {
      if (!reason) throw new Error(_("Give a reason."));
      await run(form, reason);
      close();
    } catch (error) {
      problem.textContent = error.message;
    }
  });
}
