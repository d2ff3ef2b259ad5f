// The till: taking orders, payments and the drawer, one view at a time.
import { gettext as _ } from "/own/texts.js";
import { StaffLogin } from "/staff-pages/static/login.js";
import { addItem, onPlaced, openCheck, startRound } from "./check.js";
import { showDrawer } from "./drawer.js";
import { loadMenu } from "./menu.js";
import * as openOrders from "./open_orders.js";
import { openPayment } from "./payments.js";
import { loadProfile, money, session } from "./session.js";

const find = (name) => document.querySelector(`[data-${name}]`);
const panels = [...document.querySelectorAll("[data-panel]")];
const MENU_REFRESH_MS = 60_000;
const NOTICE_MS = 6_000;
let noticeTimer = 0;
let menuTimer = 0;

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

async function open(name) {
  try {
    if (name === "open") await openOrders.refresh();
    if (name === "drawer") await showDrawer();
    show(name);
  } catch (error) {
    tell(error.message);
  }
}

async function pay(orderId) {
  try {
    await openPayment(orderId, { addItems, tell });
    show("pay");
  } catch (error) {
    tell(error.message);
  }
}

function addItems(order) {
  startRound(order);
  show("order");
}

async function enter() {
  try {
    const profile = await loadProfile();
    find("title").textContent = profile.restaurant.title;
    find("approve").hidden = session.kept.role !== "manager";
    await loadMenu(addItem);
    openCheck(profile.restaurant.fulfillment_modes);
    await openOrders.start(pay);
  } catch (error) {
    if (!session.kept.token) return;
    tell(error.message);
  }
  menuTimer = setInterval(() => { if (!document.hidden) loadMenu().catch(() => {}); }, MENU_REFRESH_MS);
  find("till").hidden = find("acts").hidden = false;
  show("order");
}

function leave(reason) {
  clearInterval(menuTimer);
  openOrders.stop();
  find("till").hidden = find("acts").hidden = true;
  find("title").textContent = _("Till");
  login.show(reason);
}

for (const button of document.querySelectorAll("[data-view]")) button.addEventListener("click", () => open(button.dataset.view));
find("back").addEventListener("click", () => open("open"));
find("approve").addEventListener("click", async () => {
  try {
    tell(await login.enrolment.approve());
  } catch (error) {
    tell(error.message);
  }
});
find("out").addEventListener("click", async () => {
  if (session.kept.check?.lines?.length && !window.confirm(_("An order has not been sent. Log out anyway?"))) return;
  await session.call("POST", "/api/v1/staff/logout").catch(() => {});
  session.keep({ check: null });
  session.forget();
});
onPlaced((order, isPaying, isRound) => {
  tell(isRound
    ? _("Added to order %(number)s. To pay: %(amount)s", { number: order.number, amount: money(order.amount_due) })
    : _("Order %(number)s was sent.", { number: order.number }));
  openOrders.refresh();
  if (isPaying) pay(order.id);
});
login.onIn(enter);
session.onOut(leave);

if (session.kept.token && session.kept.store) enter();
else login.show();
