// What may be done with a line of an open check: note, course, seat; void, discount and comp, with a reason.
import { gettext as _ } from "/own/texts.js";
import { make } from "/own/dom.js";
import { act, keyOf, laneOf, waitingFor } from "./acts.js";
import { amend } from "./approval.js";
import { foldCombos } from "./combos.js";
import { field, lineFields, openLineDialog, readLineFields } from "./line_options.js";
import { titleOf } from "./open_orders.js";
import { decimals, may, parseAmount, session } from "./session.js";

const REASONS = [_("Ordered by mistake"), _("Not as it should be"), _("Waited too long")];

// `changed()` is called after each change. Of a line that is not sent yet only a void can be kept for later.
export function openLineSheet(order, line, changed) {
  const path = `/api/v1/staff/orders/${order.id}`;
  const problem = make("p", { class: "problem", role: "alert" });
  const button = (text, run, attributes = { class: "plain" }) => make("button", { type: "button", ...attributes, onclick: () => attempt(run) }, text);
  const { form, close } = openLineDialog(`${line.quantity} × ${line.name}`,
    line.id ? [...lineFields(line), button(_("Save"), () => session.call("PUT", `${path}/lines/${line.id}`, readLineFields(form)), {})] : null,
    reasonFields(),
    make("div", { class: "split" }, line.quantity > 1 ? field("void-quantity", _("Quantity"), { type: "number", min: 1, max: line.quantity, inputmode: "numeric", value: line.quantity }) : null,
      button(_("Void the line"), () => voidLine(order, line, Number(form.querySelector("#void-quantity")?.value ?? 1), readReason(form)), { class: "danger" }),
      line.id ? button(_("Comp"), () => giveDiscount(path, form, { percent: 100, line_id: line.id })) : null),
    line.id ? discountFields((discount) => attempt(() => giveDiscount(path, form, { ...discount(form), line_id: line.id }))) : null,
    problem,
    make("button", { type: "button", class: "link", onclick: () => close() }, _("Close")));

  async function attempt(run) {
    problem.textContent = "";
    try {
      await run();
      close();
    } catch (error) {
      problem.textContent = error.message;
    }
    await changed().catch(() => {});
  }
}

// Takes a quantity off a line, with or without a network. A PIN is asked for once the server says that it needs one, and
// what is known to need one is not kept for later: without the server nobody can check it.
async function voidLine(order, line, quantity, reason) {
  if (!(quantity >= 1 && quantity <= line.quantity)) throw new Error(_("Enter a quantity from 1 to %(most)s.", { most: line.quantity }));
  const isBegun = line.kds_status && line.kds_status !== "queued";
  const left = foldCombos(order.items);
  // A check keeps a line, so that the last one takes the check with it. What was paid is given back by the refund of a void.
  if (left.length === 1 && left[0].quantity === quantity && !isPaidInPart(order)) return cancelCheck(order, line, isBegun, reason);
  if (session.isLost && isBegun && !may("coupons")) throw new Error(_("The kitchen has begun this, so a manager has to approve the void. Without a network no PIN can be checked."));
  const amount = (line.line_total ?? line.unit_price * line.quantity) * (quantity / line.quantity);
  const about = { kind: "void", title: `${quantity} × ${line.name} · ${titleOf(order)}`, orderId: order.id, lines: line.id ? line.ids : [keyOf(line)], quantity, placed: line.placed, unitPrice: line.unit_price,
    total: -Number(amount.toFixed(decimals())) };
  const path = line.id ? `/api/v1/staff/orders/${order.id}/lines/${line.id}/void` : null;
  const name = `void:${keyOf(line)}`;
  try {
    await act(name, { lane: laneOf(order), path, body: { quantity, reason }, about });
  } catch (error) {
    if (!["approval_required", "refund_due"].includes(error.reason)) throw error;
    await amend(name, path ?? about.path, { quantity, reason });
  }
}

const isPaidInPart = (order) => order.payment_status !== "unpaid" || waitingFor(order).some(({ about }) => about.kind === "pay");

async function cancelCheck(order, line, isBegun, reason) {
  if (isBegun && !may("coupons")) throw new Error(_("The kitchen has begun this, so a manager has to cancel the check."));
  const path = order.id ? `/api/v1/staff/orders/${order.id}/status` : null;
  const about = { kind: "cancel", title: titleOf(order), orderId: order.id, placed: line.placed, total: -order.amount_due };
  await act(`cancel:${laneOf(order)}`, { lane: laneOf(order), method: "PUT", path, body: { status: "cancelled", note: reason }, about });
}

export function reasonFields() {
  const reason = field("reason", _("Reason"), { maxlength: 200, dir: "auto" });
  const choose = (text) => { reason.querySelector("input").value = text; };
  return make("fieldset", { class: "reasons" }, make("legend", {}, _("Void, discount, comp")), reason,
    make("div", { class: "notes" }, REASONS.map((text) => make("button", { type: "button", class: "plain compact", onclick: () => choose(text) }, text))));
}

export function readReason(form) {
  const reason = form.querySelector("#reason").value.trim();
  if (reason) return reason;
  form.querySelector("#reason").focus();
  throw new Error(_("Give a reason."));
}

// A discount of a percentage or of an amount; `give(read)` is called with a function that reads it from a form.
export function discountFields(give) {
  const read = (name, key) => (form) => {
    const value = parseAmount(form.querySelector(name).value);
    if (!value) throw new Error(_("Enter an amount, such as 12.50."));
    return { [key]: value };
  };
  return make("div", { class: "split" },
    field("discount", _("Discount"), { inputmode: "decimal" }),
    make("button", { type: "button", class: "plain", onclick: () => give(read("#discount", "percent")) }, "%"),
    make("button", { type: "button", class: "plain", onclick: () => give(read("#discount", "amount")) }, _("Amount")));
}

// Gives a discount for the reason that was entered.
export function giveDiscount(path, form, discount) {
  const name = discount.line_id ? `discount:${discount.line_id}` : `discount:${path}`;
  return amend(name, `${path}/discounts`, { ...discount, reason: readReason(form) });
}
