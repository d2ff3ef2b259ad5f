// What may be done with an open check as a whole: another table or server, another check merged in, lines split off, a
// discount.
import { gettext as _ } from "/own/texts.js";
import { make } from "/own/dom.js";
import { amend } from "./approval.js";
import { foldCombos } from "./combos.js";
import { field, openLineDialog } from "./line_options.js";
import { discountFields, giveDiscount, reasonFields } from "./line_sheet.js";
import { findOpen, nameOf, refresh, titleOf } from "./open_orders.js";
import { money, session } from "./session.js";

// `changed()` is called after each change.
export async function openCheckSheet(order, changed) {
  const path = `/api/v1/staff/orders/${order.id}`;
  const others = (await findOpen().catch(() => [])).filter((each) => each.id !== order.id);
  const servers = (await session.call("GET", "/api/v1/staff/servers").catch(() => [])).filter((each) => order.served_by !== `staff:${each.id}`);
  const problem = make("p", { class: "problem", role: "alert" });
  const said = make("p", { role: "status" });
  const act = (text, run, attributes = { class: "plain" }) => make("button", { type: "button", ...attributes, onclick: () => attempt(run) }, text);
  const { form, close } = openLineDialog(titleOf(order),
    make("div", { class: "split" }, field("check-table", _("Table"), { maxlength: 20 }),
      act(_("Move to table"), () => amend(`move:${order.id}`, `${path}/move`, { table_number: form.querySelector("#check-table").value.trim(), type: "on-table" }))),
    servers.length ? make("div", { class: "split" }, choice("check-server", _("Colleague"), servers, (each) => each.name),
      act(_("Transfer the check"), () => amend(`transfer:${order.id}`, `${path}/transfer`, { staff_id: Number(form.querySelector("#check-server").value) }))) : null,
    others.length ? make("div", { class: "split" },
      choice("check-other", _("Other check"), others, (each) => `${nameOf(each)} · ${each.number} · ${money(each.amount_due)}`),
      act(_("Merge into this check"), () => amend(`merge:${order.id}`, `${path}/merge`, { order_id: Number(form.querySelector("#check-other").value) }))) : null,
    make("fieldset", {}, make("legend", {}, _("Lines")), foldCombos(order.items).map(lineChoice)),
    act(_("Split off"), async () => {
      const split = await amend(`split:${order.id}`, `${path}/split`, { lines: readLines(form) });
      if (split) said.textContent = _("Order %(number)s was split off.", { number: split.number });
    }),
    reasonFields(),
    act(_("Comp the check"), () => giveDiscount(path, form, { percent: 100 })),
    discountFields((discount) => attempt(() => giveDiscount(path, form, discount(form)))),
    order.discounts.map((each) => make("p", { class: "split" }, make("span", { dir: "auto" }, `${each.reason} · ${each.percent ? `${each.percent} %` : money(each.amount)}`),
      act(_("Take back"), () => amend(`remove:${each.id}`, `${path}/discounts/${each.id}/remove`, {}), { class: "plain compact" }))),
    problem, said,
    make("button", { type: "button", class: "link", onclick: () => close() }, _("Close")));

  async function attempt(run) {
    problem.textContent = "";
    try {
      await run();
    } catch (error) {
      problem.textContent = error.message;
    }
    await changed().catch(() => {});
    // What is tapped next is the check as it is now.
    if (!problem.textContent && !said.textContent) close();
    refresh();
  }
}

function choice(id, label, records, describe) {
  return make("div", { class: "field" }, make("label", { for: id }, label),
    make("select", { id, dir: "auto" }, records.map((each) => make("option", { value: each.id }, describe(each)))));
}

function lineChoice(line) {
  const quantity = line.quantity > 1 ? make("input", { id: `quantity-${line.id}`, type: "number", min: 1, max: line.quantity, value: line.quantity, inputmode: "numeric",
    "aria-label": _("Quantity of %(item)s", { item: line.name }) }) : null;
  return make("div", { class: "split" },
    make("label", { class: "option" }, make("input", { type: "checkbox", "data-line": line.id }), make("span", { dir: "auto" }, `${line.quantity} × ${line.name}`)),
    quantity);
}

function readLines(form) {
  const lines = [...form.querySelectorAll("[data-line]:checked")].map((box) => ({
    line_id: Number(box.dataset.line), quantity: Number(form.querySelector(`#quantity-${box.dataset.line}`)?.value ?? 1) }));
  if (!lines.length) throw new Error(_("Choose a line first."));
  return lines;
}

// Lets the kitchen make a held course.
export function fireButton(order, course, changed) {
  const fire = async ({ target }) => {
    target.disabled = true;
    await session.call("POST", `/api/v1/staff/orders/${order.id}/courses/${course}/fire`).catch(() => { target.disabled = false; });
    await refresh();
    await changed();
  };
  return make("button", { type: "button", class: "plain compact", onclick: fire }, _("Fire course %(number)s", { number: course }));
}
