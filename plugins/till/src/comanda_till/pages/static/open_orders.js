// The orders that are not paid yet, newest first.
import { gettext as _ } from "/own/texts.js";
import { make } from "/own/dom.js";
import { clock, money, session } from "./session.js";

const list = document.querySelector("[data-orders]");
const REFRESH_MS = 15_000;
const UNPAID = new Set(["unpaid", "partially_paid"]);
const ENDED = new Set(["cancelled"]);
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
  let found;
  try {
    found = (await session.call("GET", "/api/v1/staff/orders?per_page=100")).data;
  } catch {
    // The next refresh tries again; a session that ended is reported by the session itself.
    return;
  }
  orders = found.filter((order) => UNPAID.has(order.payment_status) && !ENDED.has(order.status) && order.amount_due > 0);
  const focused = document.activeElement?.dataset?.order;
  list.replaceChildren(...orders.map(cardOf));
  if (focused) list.querySelector(`[data-order="${focused}"]`)?.focus();
  document.querySelector("[data-no-orders]").hidden = orders.length > 0;
  document.querySelector("[data-open-count]").textContent = orders.length ? `(${orders.length})` : "";
}

function cardOf(order) {
  const where = order.table_number ? _("Table %(table)s", { table: order.table_number }) : order.customer_name || _("Counter");
  return make("li", {}, make("button", { type: "button", class: "card order", "data-order": order.id },
    make("b", {}, _("Order %(number)s", { number: order.number })), make("span", { dir: "auto" }, where),
    make("span", { class: "quiet" }, `${clock(order.created_at)} · ${STATUSES[order.status] ?? order.status}`),
    make("span", { class: "price" }, money(order.amount_due)),
    order.payment_status === "partially_paid" ? make("span", { class: "badge warn" }, _("Partly paid")) : null));
}

list.addEventListener("click", (event) => {
  const button = event.target.closest("[data-order]");
  if (button) onOpen(Number(button.dataset.order));
});
