// The till: tables, the check at hand, open checks, payments and the drawer, one view at a time.
import { gettext as _ } from "/own/texts.js";
import { StaffLogin } from "/staff-pages/static/login.js";
import { queue } from "./acts.js";
import { addItem, onPlaced, openCheck, refreshCheck, show as showCheck, startOrder, startRound } from "./check.js";
import { clearDisplays, showToCustomer } from "./display_feed.js";
import { openDisplays } from "./display_link.js";
import { showDrawer } from "./drawer.js";
import { forgetLooks } from "./last_look.js";
import { loadMenu, onChoice } from "./menu.js";
import * as openOrders from "./open_orders.js";
import { addLine, offeredModes, state } from "./order_state.js";
import { openPayment } from "./payments.js";
import { onTakeOver, showPerson } from "./person.js";
import { startScanner } from "./scanner.js";
import { loadProfile, lookAt, money, session } from "./session.js";
import { hasTables, loadTables, onTap } from "./tables.js";
import { start as startWaiting } from "./waiting.js";

const find = (name) => document.querySelector(`[data-${name}]`);
const panels = [...document.querySelectorAll("[data-panel]")];
const MENU_REFRESH_MS = 60_000;
const NOTICE_MS = 6_000;
let noticeTimer = 0;
let menuTimer = 0;
// A check that is shown before the server knows it, by its key.
let atHand = null;

const login = new StaffLogin({
  session,
  permission: "orders",
  refused: _("You may not take orders."),
  nameScreen: (mark) => _("Till %(mark)s", { mark }),
});

function tell(sentence) {
  clearTimeout(noticeTimer);
  find("notice").textContent = sentence;
  noticeTimer = setTimeout(() => { find("notice").textContent = ""; }, NOTICE_MS);
}

function show(name) {
  for (const panel of panels) panel.hidden = panel.dataset.panel !== name;
  for (const button of document.querySelectorAll("[data-view]")) {
    button.setAttribute("aria-pressed", String(button.dataset.view === (name === "pay" ? "open" : name)));
  }
  panels.find((panel) => !panel.hidden).querySelector("h1").focus({ preventScroll: true });
}

// Views are in the address, so that back and reload come to where one was.
function go(view, id = null) {
  const address = id === null ? `#${view}` : `#${view}=${id}`;
  if (location.hash === address) return open();
  location.hash = address;
}

async function open() {
  if (find("till").hidden) return;
  const [view, id] = location.hash.slice(1).split("=");
  try {
    if (view === "pay") await openPayment(await findCheck(id), { openCheck: openAnyCheck, startOrder: begin, tell });
    else if (view === "open") openOrders.refresh();
    else if (view === "drawer") await showDrawer();
    else if (view === "tables") loadTables();
    else refreshCheck().catch(() => {});
    // Somebody went on to another view meanwhile.
    if (location.hash.slice(1) !== [view, id].filter(Boolean).join("=")) return;
    show(panels.some((panel) => panel.dataset.panel === view) ? view : "order");
  } catch (error) {
    tell(error.message);
  }
}

async function findCheck(id) {
  const open = openOrders.openChecks();
  const known = [...open.filter((order) => !order.id), atHand, ...open].find((order) => order && String(order.id ?? order.key) === id);
  return known ?? lookAt(`order-${id}`, async () => [await session.call("GET", `/api/v1/staff/orders/${id}`), []]).then(([order]) => order);
}

// Opens a check for its next round; one that was paid shows its receipt.
async function openAnyCheck(order) {
  if (order.amount_due <= 0 && (!order.id || order.is_paid)) return pay(order);
  const path = `/api/v1/staff/orders/${order.id}`;
  const found = !order.id || (order.items && order.discounts) ? order : await lookAt(`check-${order.id}`, path).catch(() => order);
  startRound(found);
  go("order");
}

function pay(order) {
  atHand = order;
  go("pay", order.id ?? order.key);
}

// The next order begins at the tables, if the store has any.
function begin() {
  startOrder();
  go(hasTables() ? "tables" : "order");
}

function takeUp({ about, body }) {
  const lines = about.kept;
  if (about.orderId) return findCheck(String(about.orderId)).then((order) => openAnyCheck(order)).then(() => { for (const line of lines) addLine({ id: line.item, name: line.name }, line); showCheck(); });
  startOrder({ type: body.type, table_number: body.table_number ?? "", customer_name: body.customer_name ?? "", lines, answers: about.answers ?? {} });
  go("order");
}

async function enter() {
  const address = location.hash;
  try {
    const profile = await loadProfile();
    // Nothing can be shown before its currency is known.
    find("till").hidden = find("acts").hidden = false;
    find("title").textContent = profile.restaurant.title;
    showPerson(profile.name);
    showToCustomer({ store: profile.restaurant.title });
    find("approve").hidden = session.kept.role !== "manager";
    await loadMenu();
    openCheck(profile.restaurant.fulfillment_modes);
    await Promise.all([openOrders.start(), loadTables()]);
    document.querySelector('[data-view="tables"]').hidden = !profile.restaurant.fulfillment_modes.includes("on-table");
  } catch (error) {
    if (!session.kept.token) return;
    find("till").hidden = find("acts").hidden = false;
    tell(error.message);
  }
  menuTimer = setInterval(() => {
    if (document.hidden) return;
    loadMenu().catch(() => {});
    loadTables();
  }, MENU_REFRESH_MS);
  startWaiting({ takeUp, openCheck: (id) => go("pay", id) });
  queue.start();
  // Somebody went to another view meanwhile.
  if (location.hash !== address) return;
  if (address.length > 1) return open();
  go(hasTables() && !state().lines.length ? "tables" : "order");
}

function leave(reason) {
  clearInterval(menuTimer);
  openOrders.stop();
  queue.stop();
  for (const dialog of document.querySelectorAll("dialog[open]")) dialog.close();
  find("till").hidden = find("acts").hidden = true;
  find("title").textContent = _("Till");
  login.show(reason);
}

for (const button of document.querySelectorAll("[data-view]")) button.addEventListener("click", () => go(button.dataset.view));
find("back").addEventListener("click", () => history.back());
find("to-check").addEventListener("click", () => findCheck(location.hash.split("=")[1]).then(openAnyCheck));
find("tab").addEventListener("submit", (event) => {
  event.preventDefault();
  const name = find("tab").tab.value.trim();
  if (!name) return;
  find("tab").reset();
  startOrder({ type: offeredModes().find((mode) => mode !== "on-table") ?? "takeaway", customer_name: name });
  go("order");
});
find("approve").addEventListener("click", async () => {
  try {
    tell(await login.enrolment.approve());
  } catch (error) {
    tell(error.message);
  }
});
find("displays").addEventListener("click", ({ target }) => {
  target.closest("details").open = false;
  openDisplays().catch((error) => tell(error.message));
});
find("out").addEventListener("click", async () => {
  const isUnsent = session.kept.check?.lines?.length || queue.pending.length;
  if (isUnsent && !window.confirm(_("An order has not been sent. Log out anyway?"))) return;
  await clearDisplays();
  await session.call("POST", "/api/v1/staff/logout").catch(() => {});
  session.keep({ check: null, drafts: {} });
  forgetLooks();
  session.forget();
});
onPlaced((order, isPaying, isRound) => {
  if (isPaying) return pay(order);
  tell(order.isProvisional ? _("Kept. It is sent when there is a network.") : isRound
    ? _("Added to order %(number)s. To pay: %(amount)s", { number: order.number, amount: money(order.amount_due) })
    : _("Order %(number)s was sent.", { number: order.number }));
  if (hasTables() && order.type === "on-table") go("tables");
});
startScanner((item, variation, weight_g) => {
  if (find("till").hidden) return;
  if (location.hash !== "#order") go("order");
  if (item.is_priced_per_kg && !weight_g) return addItem(item, variation);
  addLine(item, { variation: variation.id, extras: [], note: "", weight_g });
  showCheck();
}, tell);
onTakeOver(login.enrolment, async () => {
  const profile = await loadProfile();
  showPerson(profile.name);
  find("approve").hidden = profile.role !== "manager";
}, tell);
openOrders.onOpen(openAnyCheck);
onTap({ openCheck: openAnyCheck, startOrder: (order) => { startOrder(order); go("order"); } });
onChoice(addItem);
addEventListener("hashchange", open);
// Another window of the till changed the order.
session.addEventListener("change", () => { if (!find("till").hidden) showCheck(); });
login.onIn(enter);
session.onOut(leave);

if (session.kept.token && session.kept.store) enter();
else login.show();
