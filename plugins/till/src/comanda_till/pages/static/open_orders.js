// The checks of which something is still to pay, with those that are waiting to be sent; and those that were paid.
import { gettext as _ } from "/own/texts.js";
import { make } from "/own/dom.js";
import { newChecks, queue, waitingFor, withWaiting } from "./acts.js";
import { keepLooks } from "./last_look.js";
import { redraw } from "./redraw.js";
import { ago, lookAt, money, session } from "./session.js";

const list = document.querySelector("[data-orders]");
const search = document.querySelector("[data-order-search]");
const paidOnly = document.querySelector("[data-paid]");
const REFRESH_MS = 15_000;
const PAID_HOURS = 24;
const ORDERS = "/api/v1/staff/orders";
const STATUSES = { new: _("New"), preparing: _("In preparation"), ready: _("Ready"), delivered: _("Delivered"), completed: _("Completed") };
const plain = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
let orders = [];
let paid = [];
let courses = new Map();
let timer = 0;
// Counts what made the list of orders newer than an answer that is still on its way.
let turn = 0;
let openCheck = () => {};
const listeners = [];

export function start() {
  clearInterval(timer);
  timer = setInterval(() => { if (!document.hidden) refresh(); }, REFRESH_MS);
  return refresh();
}

export const stop = () => clearInterval(timer);

// Calls the listener with each check that is tapped.
export const onOpen = (listener) => { openCheck = listener; };

// Calls the listener after each refresh.
export const onRefresh = (listener) => listeners.push(listener);

// All open checks, those that are not sent yet first.
export const openChecks = () => [...newChecks(), ...orders.map(withWaiting)];

export async function refresh() {
  turn += 1;
  const started = turn;
  try {
    const read = await lookAt("open", findOpen);
    if (started !== turn) return;
    orders = read;
    keepLooks(new Set(orders.map((order) => order.id)));
    // Stores without a kitchen have no courses.
    const found = await lookAt("courses", "/api/v1/staff/courses").catch(() => []);
    courses = new Map(found.map((each) => [each.order_id, each]));
    if (paidOnly.checked) paid = await findPaid();
  } catch {
    // The next refresh tries again; a session that ended is reported by the session itself.
  }
  show();
}

// Takes a check as an answer of the server has it, which a slow network brings long before the list of all.
function take(order) {
  const others = orders.filter((each) => each.id !== order.id);
  turn += 1;
  orders = order.amount_due > 0 ? [order, ...others] : others;
  show();
}

// Reads all pages. An order that is placed meanwhile moves others to the next page, so one may come twice.
export async function findOpen() {
  const found = new Map();
  for (let page = 1, all = false; !all; page += 1) {
    const { data, total } = await session.call("GET", `${ORDERS}?is_due=true&per_page=100&page=${page}`);
    for (const order of data) found.set(order.id, order);
    all = !data.length || page * 100 >= total;
  }
  return [...found.values()];
}

async function findPaid() {
  const since = new Date(session.now - PAID_HOURS * 3_600_000).toISOString();
  const { data } = await session.call("GET", `${ORDERS}?since=${encodeURIComponent(since)}&per_page=100`);
  return data.filter((order) => order.amount_due <= 0);
}

export function nameOf(order) {
  return order.table_number ? _("Table %(table)s", { table: order.table_number }) : order.customer_name || _("Counter");
}

export function titleOf(order) {
  return order.number ? `${nameOf(order)} · ${_("Order %(number)s", { number: order.number })}` : `${nameOf(order)} · ${_("not sent yet")}`;
}

export const courseOf = (order) => courses.get(order.id)?.course ?? null;
export const isHeld = (order, course) => Boolean(courses.get(order.id)?.held.includes(course));

function show() {
  const words = plain(search.value).split(/\s+/).filter(Boolean);
  const shown = (paidOnly.checked ? paid : openChecks()).filter((order) => words.every((word) => plain(`${order.number ?? ""} ${nameOf(order)} ${order.customer_name ?? ""}`).includes(word)));
  const focused = document.activeElement?.dataset?.order;
  redraw(list, shown.map(cardOf));
  if (focused) list.querySelector(`[data-order="${focused}"]`)?.focus();
  const nothing = document.querySelector("[data-no-orders]");
  nothing.hidden = shown.length > 0;
  nothing.textContent = words.length || paidOnly.checked ? _("No check is found.") : _("Everything is paid.");
  const count = openChecks().length;
  document.querySelector("[data-open-count]").textContent = count ? `(${count})` : "";
  for (const listener of listeners) listener();
}

// What is worth knowing of a check at a glance.
export function factsOf(order) {
  const waiting = waitingFor(order).length;
  return [
    ago(order.created_at), courseOf(order) ? _("Course %(number)s", { number: courseOf(order) }) : null,
    waiting ? make("span", { class: "badge warn" }, _("waiting to be sent")) : null,
    order.payment_status === "partially_paid" ? make("span", { class: "badge warn" }, _("Partly paid")) : null,
    order.pay_by && order.status === "new" ? make("span", { class: "badge warn" }, _("Waits for online payment")) : null,
  ].filter(Boolean);
}

function cardOf(order) {
  const [age, ...more] = factsOf(order);
  return make("li", {}, make("button", { type: "button", class: "card order", "data-order": order.id ?? order.key },
    make("b", { dir: "auto" }, nameOf(order)), make("span", {}, order.number ? _("Order %(number)s", { number: order.number }) : _("not sent yet")),
    make("span", { class: "quiet" }, [age, STATUSES[order.status] ?? order.status, ...more.filter((each) => typeof each === "string")].join(" · ")),
    make("span", { class: "price" }, money(paidOnly.checked ? order.total : order.amount_due)),
    ...more.filter((each) => typeof each !== "string")));
}

list.addEventListener("click", (event) => {
  const button = event.target.closest("[data-order]");
  if (button) openCheck([...openChecks(), ...paid].find((order) => String(order.id ?? order.key) === button.dataset.order));
});
search.addEventListener("input", show);
paidOnly.addEventListener("change", refresh);
// What is kept may be read before the store and its currency are known.
queue.addEventListener("change", () => { if (timer) show(); });
queue.addEventListener("sent", ({ detail: { action, document: answer } }) => {
  if (action.about.kind !== "pay") take(answer);
  refresh();
});
