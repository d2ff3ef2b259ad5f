// The guest's cart in this store, stored in the browser so that it survives a reload.
import { ngettext } from "/own/texts.js";
import { shop, unitPrice } from "./menu.js";

const place = `comanda.order.${shop.store}`;
const changed = new EventTarget();

function read() {
  try {
    const kept = JSON.parse(localStorage.getItem(place)) ?? {};
    const lines = (Array.isArray(kept.lines) ? kept.lines : []).filter(isLine);
    return { lines, key: typeof kept.key === "string" ? kept.key : newKey() };
  } catch {
    return { lines: [], key: newKey() };
  }
}

function isLine(line) {
  return Number.isInteger(line?.item) && Number.isInteger(line.quantity) && line.quantity > 0 && Array.isArray(line.extras);
}

// Identifies the order, so that sending it again after a lost response does not place a second one. Made of random bytes
// because randomUUID is unavailable on pages without HTTPS.
function newKey() {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

let state = read();

function save() {
  try {
    localStorage.setItem(place, JSON.stringify(state));
  } catch {
    // Without storage the guest can still order, but the cart is lost on a reload.
  }
  changed.dispatchEvent(new Event("change"));
}

const same = (one, other) =>
  JSON.stringify([one.item, one.variation, one.extras, one.note]) ===
  JSON.stringify([other.item, other.variation, other.extras, other.note]);

export const lines = () => state.lines;
export const key = () => state.key;
export const count = () => state.lines.reduce((sum, line) => sum + line.quantity, 0);
export const subtotal = () => state.lines.reduce((sum, line) => sum + line.quantity * unitPrice(line), 0);
export const onChange = (listener) => changed.addEventListener("change", listener);

// Adds a line, or increases the quantity of an identical one. Returns an error message, or nothing.
export function add(line) {
  const found = state.lines.find((each) => same(each, line));
  if (found && found.quantity + line.quantity > shop.limits.quantity) return ngettext("At most %(num)s of one kind can be ordered.", "At most %(num)s of one kind can be ordered.", shop.limits.quantity);
  if (!found && state.lines.length >= shop.limits.lines) return ngettext("At most %(num)s line can be ordered at once.", "At most %(num)s lines can be ordered at once.", shop.limits.lines);
  if (found) found.quantity += line.quantity;
  else state.lines.push(line);
  save();
  return "";
}

export function setQuantity(position, quantity) {
  if (quantity < 1) state.lines.splice(position, 1);
  else state.lines[position].quantity = Math.min(quantity, shop.limits.quantity);
  save();
}

export function renewKey() {
  state.key = newKey();
  save();
}

export function empty() {
  state = { lines: [], key: newKey() };
  save();
}

// Another tab of the same store.
addEventListener("storage", (event) => {
  if (event.key !== place) return;
  state = read();
  changed.dispatchEvent(new Event("change"));
});
