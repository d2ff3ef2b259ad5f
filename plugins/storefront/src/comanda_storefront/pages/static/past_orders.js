// The guest's past orders, each with its progress and one tap to order it again.
import { formatMoment, gettext as _ } from "/own/texts.js";
import { call } from "./account.js";
import * as cart from "./cart.js";
import { openOrder } from "./checkout.js";
import { make, own } from "./dom.js";
import { setMode } from "./fulfillment.js";
import { money, shop } from "./menu.js";
import { hide } from "./overlays.js";

const FINISHED = { completed: () => _("Completed"), cancelled: () => _("Cancelled") };

// Fills a list with the latest orders; `tell` says what keeps one from being ordered again.
export async function showOrders(list, tell) {
  list.setAttribute("aria-busy", "true");
  const { status, document } = await call("GET", "/orders");
  list.removeAttribute("aria-busy");
  if (status !== 200) list.replaceChildren(make("li", { class: "quiet" }, _("Your orders cannot be loaded at the moment.")));
  else if (!document.orders.length) list.replaceChildren(make("li", { class: "quiet" }, _("Your orders at this store will be listed here.")));
  else list.replaceChildren(...document.orders.map((order) => orderOf(order, tell)));
}

function orderOf(order, tell) {
  const label = _("Order %(number)s", { number: order.number });
  const state = FINISHED[order.status]?.() ?? _("In progress");
  const kind = { completed: "good", cancelled: "bad" }[order.status] ?? "info";
  return make("li", { class: "past" },
    make("p", { class: "row" }, make("b", {}, label), make("span", { class: "price" }, money(order.total_minor))),
    make("p", { class: "quiet" }, formatMoment(order.placed_at, shop.zone), " · ", make("span", { class: `badge ${kind}` }, state)),
    make("p", {}, order.lines.flatMap((line, position) => [position ? ", " : "", line.quantity > 1 ? `${line.quantity} × ` : "", own(line.name)])),
    make("div", { class: "row" },
      make("button", { type: "button", class: "plain", "aria-label": _("Order %(number)s again", { number: order.number }), onclick: () => reorder(order, tell) }, _("Order again")),
      order.track_token ? make("a", { href: `/t/${order.track_token}`, "aria-label": _("Follow order %(number)s", { number: order.number }) }, _("View order")) : null));
}

// Puts the lines into the cart as they were. What is gone or costs more now, the cart says at each of them.
async function reorder(order, tell) {
  const problems = order.lines.map(({ item, variation, extras, quantity, note, name, details, unit_minor: unit }) =>
    cart.add({ item, variation, extras, quantity: Math.min(quantity, shop.limits.quantity), note, name, details, unit })).filter(Boolean);
  if (problems.length === order.lines.length) {
    tell(problems[0]);
    return;
  }
  setMode(order.type);
  await hide();
  openOrder();
}
