// The guest's cart in this store, and what they have filled in, stored in the browser so that both survive a reload.
import { ngettext } from "/own/texts.js";
import { items, shop } from "./menu.js";

const place = `comanda.order.${shop.store}`;
const changed = new EventTarget();

function read() {
  try {
    const kept = JSON.parse(localStorage.getItem(place)) ?? {};
    const lines = (Array.isArray(kept.lines) ? kept.lines : []).filter(isLine).map(complete);
    const form = typeof kept.form === "object" && kept.form ? kept.form : {};
    return { lines, form, key: typeof kept.key === "string" ? kept.key : newKey() };
  } catch {
    return { lines: [], form: {}, key: newKey() };
  }
}

function isLine(line) {
  return Number.isInteger(line?.item) && Number.isInteger(line.quantity) && line.quantity > 0 && Array.isArray(line.extras);
}

// A line keeps the name and price of its item, which may be gone from the menu by the next visit.
function complete(line) {
  const item = items.get(line.item);
  return { details: "", ...line, name: line.name ?? item?.name ?? "", unit: Number.isInteger(line.unit) ? line.unit : item?.price ?? 0 };
}

// Identifies the order, so that sending it again after a lost response does not place a second one. Made of random bytes
// because randomUUID is unavailable on pages without HTTPS.
function newKey() {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

let state = read();

export function store() {
  try {
    localStorage.setItem(place, JSON.stringify(state));
  } catch {
    // Without storage the guest can still order, but the cart is lost on a reload.
  }
}

function save() {
  store();
  changed.dispatchEvent(new Event("change"));
}

const same = (one, other) =>
  JSON.stringify([one.item, one.variation, one.extras, one.note]) ===
  JSON.stringify([other.item, other.variation, other.extras, other.note]);

export const lines = () => state.lines;
export const key = () => state.key;
export const count = () => state.lines.reduce((sum, line) => sum + line.quantity, 0);
export const countOf = (item) => state.lines.reduce((sum, line) => sum + (line.item === item ? line.quantity : 0), 0);
export const subtotal = () => state.lines.reduce((sum, line) => sum + line.quantity * line.unit, 0);
export const onChange = (listener) => changed.addEventListener("change", listener);

// Adds a line, or increases the quantity of an identical one. Returns an error message, or nothing.
export function add(line) {
  const found = state.lines.find((each) => same(each, line));
  if (found && found.quantity + line.quantity > shop.limits.quantity) return ngettext("At most %(num)s of one kind can be ordered.", "At most %(num)s of one kind can be ordered.", shop.limits.quantity);
  if (!found && state.lines.length >= shop.limits.lines) return ngettext("At most %(num)s line can be ordered at once.", "At most %(num)s lines can be ordered at once.", shop.limits.lines);
  if (found) Object.assign(found, line, { quantity: found.quantity + line.quantity });
  else state.lines.push(line);
  save();
  return "";
}

// Replaces a line that was edited; one that has become the same as another one joins it.
export function replace(position, line) {
  const twin = state.lines.findIndex((each, place) => place !== position && same(each, line));
  if (twin < 0) {
    state.lines[position] = line;
  } else {
    state.lines[twin].quantity = Math.min(state.lines[twin].quantity + line.quantity, shop.limits.quantity);
    state.lines.splice(position, 1);
  }
  save();
}

export function setQuantity(position, quantity) {
  state.lines[position].quantity = Math.min(Math.max(quantity, 1), shop.limits.quantity);
  save();
}

export function remove(positions) {
  state.lines = state.lines.filter((line, position) => !positions.includes(position));
  save();
}

// Replaces all lines, as when the guest has others in their account.
export function setLines(lines) {
  state.lines = lines.filter(isLine).map(complete);
  save();
}

export function insert(position, line) {
  state.lines.splice(position, 0, line);
  save();
}

// What a part of the form keeps for a reload.
export const saved = (name) => state.form[name];

export function keep(name, value) {
  state.form[name] = value;
  store();
}

export function renewKey() {
  state.key = newKey();
  save();
}

export function empty() {
  state = { lines: [], form: {}, key: newKey() };
  save();
}

// Another tab of the same store.
addEventListener("storage", (event) => {
  if (event.key !== place) return;
  state = read();
  changed.dispatchEvent(new Event("change"));
});
