// Splitting a bill: evenly, by item, by seat, by amount. The parts are the server's; they can be joined again.
import { gettext as _ } from "/own/texts.js";
import { make } from "/own/dom.js";
import { foldCombos } from "./combos.js";
import { field, openLineDialog } from "./line_options.js";
import { money, parseAmount, session } from "./session.js";

const MAX_GUESTS = 20;

// Returns the buttons that split a bill and the parts that it has. `choose(position)` takes a part, `onParts(parts)` is
// called with the amounts of another split, or null if the parts are joined.
export function splitButtons(order, { parts, part, choose, onParts }) {
  const button = (text, onclick, attributes = {}) => make("button", { type: "button", class: "plain compact", onclick, ...attributes }, text);
  if (parts) {
    return make("div", { class: "parts" },
      make("div", { class: "parts", role: "group", "aria-label": _("Parts of the bill") }, parts.map((amount, position) =>
        button(`${position + 1}: ${money(amount)}`, () => choose(position), { "aria-pressed": String(position === part), disabled: position < part }))),
      button(_("Join again"), () => onParts(null)));
  }
  const seats = [...new Set(order.items.map((line) => line.seat).filter(Boolean))].sort((one, other) => one - other);
  const bySeat = () => preview(order, { by: "lines", lines: seats.map((seat) => order.items.filter((line) => line.seat === seat).map((line) => line.id)) }, onParts);
  return make("div", { class: "parts", role: "group", "aria-label": _("Split the bill") },
    button(_("Split evenly"), () => ask(order, onParts, field("guests", _("Split between"), { type: "number", min: 2, max: MAX_GUESTS, inputmode: "numeric", value: 2 }),
      (form) => ({ by: "evenly", n: Number(form.querySelector("#guests").value) }))),
    button(_("By item"), () => ask(order, onParts, foldCombos(order.items).map(lineChoice),
      (form) => ({ by: "lines", lines: [[...form.querySelectorAll("[data-line]:checked")].flatMap((box) => box.dataset.line.split(",").map(Number))] }))),
    seats.length ? button(_("By seat"), bySeat) : null,
    button(_("By amount"), () => ask(order, onParts, field("part-amount", _("Amount"), { inputmode: "decimal" }),
      (form) => ({ by: "amount", amounts: [parseAmount(form.querySelector("#part-amount").value)] }))));
}

function lineChoice(line) {
  return make("label", { class: "option" }, make("input", { type: "checkbox", "data-line": line.ids.join() }), make("span", { dir: "auto" }, `${line.quantity} × ${line.name}`));
}

async function preview(order, body, onParts) {
  const found = await session.call("POST", `/api/v1/staff/orders/${order.id}/payments/split-preview`, body);
  onParts(found.parts.map((each) => each.amount).filter((amount) => amount > 0));
}

function ask(order, onParts, fields, toBody) {
  const problem = make("p", { class: "problem", role: "alert" });
  const { form, close } = openLineDialog(_("Split the bill"), fields, problem,
    make("div", { class: "row" }, make("button", { type: "button", class: "plain", onclick: () => close() }, _("Cancel")), make("button", { type: "submit" }, _("Split"))));
  form.addEventListener("submit", async () => {
    try {
      await preview(order, toBody(form), onParts);
      close();
    } catch (error) {
      problem.textContent = error.message;
    }
  });
}
