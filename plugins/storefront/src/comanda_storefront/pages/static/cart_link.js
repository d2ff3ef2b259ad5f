// A link that brings a cart, such as an agent's for its guest: ?items=12:2,15-34:1&mode=takeaway&coupon=WELCOME. Its lines
// take the place of those that this browser has. It is read before the parts of the checkout, which restore themselves.
import * as cart from "./cart.js";
import { items, shop } from "./menu.js";

const LINE = /^(\d{1,15})(?:-(\d{1,15}))?:(\d{1,3})$/;
const query = new URLSearchParams(location.search);

function toLine([, id, variation, quantity]) {
  const item = Number(id);
  const chosen = variation ? Number(variation) : items.get(item)?.variation ?? null;
  return { item, variation: chosen, extras: [], quantity: Math.min(Number(quantity), shop.limits.quantity), note: "" };
}

function take() {
  const found = (query.get("items") ?? "").split(",").map((text) => LINE.exec(text)).filter(Boolean).map(toLine);
  const lines = found.filter((line) => items.has(line.item)).slice(0, shop.limits.lines);
  if (!lines.length) return false;
  // A reload does not bring the cart again.
  history.replaceState(history.state, "", location.pathname);
  cart.setLines(lines);
  cart.keep("fulfillment", { mode: query.get("mode"), table: null });
  cart.keep("coupon", (query.get("coupon") ?? "").slice(0, 32));
  return true;
}

export const isTaken = take();
