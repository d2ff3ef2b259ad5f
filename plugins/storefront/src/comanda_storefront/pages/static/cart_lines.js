// The lines of the cart in the drawer: what was chosen, what it costs, and what stands against it.
import { gettext as _ } from "/own/texts.js";
import * as cart from "./cart.js";
import { icon, make, own } from "./dom.js";
import { editLine } from "./item_entry.js";
import { items, money } from "./menu.js";
import { earlierUnitOf, stateOf } from "./quote.js";

const list = document.querySelector("#order [data-lines]");
const undo = document.querySelector("#order [data-undo]");
const CANNOT_STAY = new Set(["gone", "sold_out", "sold_later"]);

// The places of lines that cannot be ordered.
export const goneLines = () => cart.lines().flatMap((line, position) => (CANNOT_STAY.has(stateOf(line)?.state) ? [position] : []));

export function showLines() {
  const focused = list.contains(document.activeElement) ? document.activeElement.dataset.step : null;
  list.replaceChildren(...cart.lines().map(lineOf));
  // Keyboard focus stays on the button although the list is rendered again.
  if (focused) list.querySelector(`[data-step="${focused}"]:not(:disabled)`)?.focus();
}

function lineOf(line, position) {
  const state = stateOf(line);
  const isGone = CANNOT_STAY.has(state?.state);
  const details = [line.details, line.note ? `“${line.note}”` : ""].filter(Boolean).join(" · ");
  const price = money((isGone ? line.unit : state?.unit_price ?? line.unit) * line.quantity);
  return make("li", { class: isGone ? "gone" : null },
    make("p", { class: "row" }, make("b", {}, own(line.name)), make("span", { class: "price" }, price)),
    state?.price_label ? make("p", { class: "quiet" }, state.price_label) : null,
    details ? make("p", { class: "quiet" }, own(details)) : null,
    make("p", { class: "problem", role: "alert", "data-line": position }, problemOf(line, state)),
    earlierPrice(line),
    make("div", { class: "row" }, isGone ? null : stepper(line, position), isGone ? null : editButton(line, position), removeButton(line, position)));
}

function stepper(line, position) {
  const step = (by, label) => make("button", {
    type: "button", class: "plain round", "data-step": `${position}:${by}`, "aria-label": label,
    onclick: () => (line.quantity + by < 1 ? remove(position) : cart.setQuantity(position, line.quantity + by)),
  }, icon(by < 0 ? "less" : "more"));
  return make("div", { class: "stepper" }, step(-1, _("One less %(item)s", { item: line.name })),
    make("output", {}, String(line.quantity)), step(1, _("One more %(item)s", { item: line.name })));
}

function editButton(line, position) {
  if (!items.has(line.item)) return null;
  return make("button", { type: "button", class: "link", "data-step": `${position}:edit`, "aria-label": _("Edit %(item)s", { item: line.name }), onclick: () => editLine(position) }, _("Edit"));
}

function removeButton(line, position) {
  return make("button", { type: "button", class: "link", "data-step": `${position}:remove`, "aria-label": _("Remove %(item)s", { item: line.name }), onclick: () => remove(position) }, _("Remove"));
}

function problemOf(line, state) {
  if (state?.state === "gone") return _("%(item)s is no longer available.", { item: line.name });
  if (state?.state === "sold_out") return _("%(item)s is sold out.", { item: line.name });
  if (state?.state === "choices") return _("What you chose for %(item)s is no longer available. Choose again.", { item: line.name });
  return (state?.sentences ?? []).join(" ");
}

function earlierPrice(line) {
  const earlier = earlierUnitOf(line);
  if (earlier === undefined || earlier === line.unit) return null;
  return make("p", { class: "notice warn" }, _("The price is %(price)s now. It was %(earlier)s.", { price: money(line.unit), earlier: money(earlier) }));
}

function remove(position) {
  const line = cart.lines()[position];
  cart.remove([position]);
  const putBack = () => {
    undo.replaceChildren();
    cart.insert(Math.min(position, cart.lines().length), line);
    list.querySelector(`[data-step="${position}:remove"]`)?.focus();
  };
  const button = make("button", { type: "button", class: "link", onclick: putBack }, _("Undo"));
  undo.replaceChildren(make("p", { class: "settled" }, make("span", {}, _("%(item)s was removed.", { item: line.name })), button));
  button.focus();
}

// Removes everything that cannot be ordered, with one tap.
export function removeGone() {
  cart.remove(goneLines());
}

export function forgetRemoved() {
  undo.replaceChildren();
}
