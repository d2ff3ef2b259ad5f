// How the order reaches the guest. Each part of the checkout has the functions of this one: `render` makes its element,
// `value` returns its fields of the order's body, and it restores itself from what it has kept in the cart's storage.
import { gettext as _ } from "/own/texts.js";
import * as cart from "./cart.js";
import { make, pill, problemFor } from "./dom.js";
import { shop } from "./menu.js";

function placeIn(name) {
  const asked = new URLSearchParams(location.search).get(name);
  return asked && /^[\p{L}\p{N} ._-]{1,20}$/u.test(asked) ? asked : null;
}

// The table or the room by whose code the guest came.
export const table = placeIn("table");
export const room = placeIn("room");

const NAME = "fulfillment";
const changed = new EventTarget();
const element = make("fieldset", { "data-modes": true });
const find = (code) => shop.modes.find((each) => each.code === code);
const asksForTable = (mode) => mode.fields.some((field) => field.name === "table_number");

let current = initial();
// Guests who came by the code of their table are asked for neither the mode nor the table.
let isSettled = table !== null && current?.code === "on-table";

function initial() {
  const kept = cart.saved(NAME);
  if (kept && kept.table === table && find(kept.mode)) return find(kept.mode);
  const preferred = (table !== null && find("on-table")) || (room !== null && find("room_service")) || find("takeaway");
  // Guests of a hotel know the number of their room; those of a restaurant look for that of their table.
  return preferred || find("room_service") || shop.modes.find((each) => !asksForTable(each)) || shop.modes[0];
}

export const mode = () => current;
export const isAtKnownTable = () => isSettled;
export const onModeChange = (listener) => changed.addEventListener("change", listener);
export const value = () => ({ type: current?.code });

function choose(code) {
  current = find(code);
  cart.keep(NAME, { mode: code, table });
  changed.dispatchEvent(new Event("change"));
}

// Chooses a mode for the guest, as when they order again what they had; one that is not offered changes nothing.
export function setMode(code) {
  if (!find(code) || isSettled) return;
  choose(code);
  show();
}

function ask() {
  isSettled = false;
  show();
  changed.dispatchEvent(new Event("change"));
  element.querySelector("input:checked")?.focus();
}

function show() {
  element.hidden = shop.modes.length < 2 && !isSettled;
  const legend = make("legend", {}, _("How would you like it?"));
  if (isSettled) {
    const change = shop.modes.length > 1 ? make("button", { type: "button", class: "link", onclick: ask }, _("Change")) : null;
    element.replaceChildren(make("p", { class: "settled" }, make("b", {}, current.label), make("span", { class: "badge" }, _("Table %(table)s", { table })), change ?? ""), problemFor("type"));
    return;
  }
  const pills = shop.modes.map((each) => pill({ name: "type", value: each.code, checked: each === current }, each.label));
  element.replaceChildren(legend, make("div", { class: "pills" }, pills), problemFor("type"));
}

export function render() {
  show();
  element.addEventListener("change", (event) => choose(event.target.value));
  return element;
}
