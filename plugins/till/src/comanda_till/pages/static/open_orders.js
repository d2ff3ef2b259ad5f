// The orders of which something is still to pay, newest first.
import { gettext as _ } from "/own/texts.js";
import { make } from "/own/dom.js";
import { ago, money, session } from "./session.js";

const list = document.querySelector("[data-orders]");
const REFRESH_MS = 15_000;
const DUE = "/api/v1/staff/orders?is_due=true&per_page=100";
const STATUSES = { new: _("New"), preparing: _("In preparation"), ready: _("Ready"), delivered: _("Delivered"), completed: _("Completed") };
let orders = [];
let timer = 0;
let onOpen = () => {};

export function start(listener) {
  onOpen = listener;
  clearInterval(timer);
  timer = setInterval(() => { if (!document.hidden) refresh(); }, REFRESH_MS);
  return refresh();
}

export const stop = () => clearInterval(timer);

export async function refresh() {
  try {
    orders = await findOpen();
  } catch {
    // The next refresh tries again; a session that ended is reported by the session itself.
    return;
  }
  const focused = document.activeElement?.dataset?.order;
  list.replaceChildren(...orders.map(cardOf));
  if (focused) list.querySelector(`[data-order="${focused}"]`)?.focus();
  document.querySelector("[data-no-orders]").hidden = orders.length > 0;
  document.querySelector("[data-open-count]").textContent = orders.length ? `(${orders.length})` : "";
}

// Reads all pages. An order that is placed meanwhile moves others to the next page, so one may come twice.
export async function findOpen() {
  const found = new Map();
  for (let page = 1, all = false; !all; page += 1) {
    const { data, total } = await session.call("GET", `${DUE}&page=${page}`);
    for (const order of data) found.set(order.id, order);
    all = !data.length || page * 100 >= total;
  }
  return [...found.values()];
}

export function nameOf(order) {
  return order.table_number ? _("Table %(table)s", { table: order.table_number }) : order.customer_name || _("Counter");
}

function cardOf(order) {
  return make("li", {}, make("button", { type: "button", class: "card order", "data-order": order.id },
    make("b", { dir: "auto" }, nameOf(order)), make("span", {}, _("Order %(number)s", { number: order.number })),
    make("span", { class: "quiet" }, `${ago(order.created_at)} · ${STATUSES[order.status] ?? order.status}`),
    make("span", { class: "price" }, money(order.amount_due)),
    order.payment_status === "partially_paid" ? make("span", { class: "badge warn" }, _("Partly paid")) : null));
}

list.addEventListener("click", (event) => {
  const button = event.target.closest("[data-order]");
  if (button) onOpen(Number(button.dataset.order));
});
