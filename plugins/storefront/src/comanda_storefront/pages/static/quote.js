// The server's price of the cart, requested shortly after each change; outdated answers are ignored.
import * as cart from "./cart.js";
import { shop } from "./menu.js";

const DELAY_MS = 250;
const answered = new EventTarget();
let collect = () => ({});
let current = null;
let number = 0;
let waiting = 0;
let pending = null;
// What the last quote said of each line, and what a line cost before its price changed.
const states = new WeakMap();
const earlierUnits = new WeakMap();

export const stateOf = (line) => states.get(line);
export const earlierUnitOf = (line) => earlierUnits.get(line);
export const quoted = () => current;
export const isPending = () => waiting !== 0 || pending !== null;
export const onQuote = (listener) => answered.addEventListener("change", listener);
export const onAsk = (listener) => answered.addEventListener("ask", listener);
// `fields` returns the values of the form; the lines are those of the cart.
export const useFields = (fields) => { collect = fields; };

export function body() {
  const items = cart.lines().map(({ item, variation, extras, quantity, note }) =>
    ({ item_id: item, variation: variation ?? undefined, extras, quantity, note: note || undefined }));
  return { ...collect(), items };
}

export async function send(path, document) {
  const answer = await fetch(`/s/${shop.slug}/${path}`, {
    method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(document),
  });
  return { status: answer.status, document: await answer.json(), isMismatch: answer.headers.has("Idempotency-Mismatch") };
}

function tell() {
  answered.dispatchEvent(new Event("change"));
}

async function request() {
  waiting = 0;
  const own = ++number;
  const lines = [...cart.lines()];
  let found = null;
  try {
    const { status, document } = await send("quote", body());
    found = status === 200 ? document : null;
  } catch {
    // Without a quote the guest sees what the items cost, and can order all the same.
  }
  if (own !== number) return;
  current = found;
  pending = null;
  if (current) take(lines);
  tell();
}

function take(lines) {
  lines.forEach((line, position) => {
    const { unit_price: unit, price_label: label } = current.lines[position];
    states.set(line, current.lines[position]);
    if (unit === null || label) return;
    if (unit !== line.unit) earlierUnits.set(line, line.unit);
    line.unit = unit;
  });
  cart.store();
}

// Asks for a quote soon, or at once.
export function ask({ isUrgent = false } = {}) {
  clearTimeout(waiting);
  waiting = 0;
  number += 1;
  pending = null;
  if (!cart.lines().length) {
    current = null;
    tell();
    return;
  }
  if (isUrgent) pending = request();
  else waiting = setTimeout(() => { pending = request(); }, DELAY_MS);
  answered.dispatchEvent(new Event("ask"));
}

// Waits for the quote of what the guest sees, which may be on its way.
export async function settle() {
  while (isPending()) {
    if (waiting) {
      clearTimeout(waiting);
      pending = request();
    }
    await pending;
  }
}
