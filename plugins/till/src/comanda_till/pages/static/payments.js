// Paying a check: tenders, parts of the bill, the change, and the receipt.
import { gettext as _ } from "/own/texts.js";
import { make } from "/own/dom.js";
import { act, laneOf, newChecks, queue, withWaiting } from "./acts.js";
import { splitButtons } from "./bill_split.js";
import { showCustomer } from "./check_customer.js";
import { cardReaders, followOnReader, loadReaders, readerPanel, startOnReader } from "./card_reader.js";
import { foldCombos } from "./combos.js";
import { requireDrawer } from "./drawer.js";
import { refresh, titleOf } from "./open_orders.js";
import { paidButtons } from "./paid.js";
import { showToCustomer, shownName } from "./display_feed.js";
import { receiptOf } from "./receipt.js";
import { sendOnce } from "./requests.js";
import { needsNetwork, setOnline, tenderForm } from "./tender.js";
import { decimals, lookAt, money, parseAmount, session, Unanswered } from "./session.js";

const panel = document.querySelector('[data-panel="pay"]');
const tender = panel.querySelector("[data-tender]");
const part = (name) => panel.querySelector(`[data-${name}]`);
let order = null;
let payments = [];
let split = { parts: null, part: 0 };
let method = "cash";
let change = 0;
let hint = "";
let acts = {};
let followed = null;

// Shows a check that is to be paid, or was. `acts` has what is done elsewhere: `openCheck(order)`, `startOrder()`.
export async function openPayment(wanted, others) {
  acts = others;
  split = { parts: null, part: 0 };
  method = "cash";
  change = 0;
  hint = "";
  order = wanted;
  followed = null;
  if (!wanted.isProvisional) await Promise.all([load().catch(useLastLook), loadReaders()]);
  show();
  // Another till may have started it, or this one before it was reloaded.
  if (pendingOnReader()) follow(pendingOnReader());
}

const pendingOnReader = () => (order.isProvisional ? null : payments.find((each) => each.status === "pending" && each.reader));

// Of a check that was never opened here, its line of the list is known.
function useLastLook(error) {
  if (!(error instanceof Unanswered) || order.amount_due === undefined) throw error;
  order = { ...order, isProvisional: true };
}

async function load() {
  const path = `/api/v1/staff/orders/${order.id}`;
  [order, payments] = await lookAt(`order-${order.id}`, async () => {
    const [found, paid] = await Promise.all([session.call("GET", path), session.call("GET", `${path}/payments?per_page=100`)]);
    return [found, paid.data];
  });
  order = withWaiting(order);
}

// Shows the order as it is after a change, and the open checks without waiting for their next refresh.
export async function reload() {
  await load();
  show();
  refresh();
}

const isOnline = () => !order.isProvisional && !session.isLost;
const toPay = () => Math.min(split.parts?.[split.part] ?? order.amount_due, order.amount_due);
// Of cash that pays the order in full, the server says the change, because it rounds what is due to coins.
const isWhole = () => toPay() === order.amount_due;
const round = (amount) => Number(amount.toFixed(decimals()));

function show() {
  part("pay-title").textContent = titleOf(order);
  part("due").textContent = money(order.amount_due);
  part("pay-provisional").hidden = !order.isProvisional;
  part("receipt").replaceChildren(receiptOf(order, order.isProvisional ? [] : payments));
  panel.querySelector(".due").hidden = order.amount_due <= 0;
  part("to-check").hidden = order.amount_due <= 0 || !order.id;
  showCustomer(part("customer"), order);
  if (order.amount_due <= 0) return showPaid();
  showToCustomer({ lines: foldCombos(order.items ?? []).map((line) => [shownName(line), ""]), rows: [[_("To pay"), money(toPay())]], change: null });
  if (followed) return tender.replaceChildren(readerPanel(order, followed));
  const online = isOnline();
  if (!online && needsNetwork(method)) method = "cash";
  tender.replaceChildren(
    online ? splitButtons(order, { ...split, choose: (position) => { split.part = position; show(); }, onParts: (parts) => { split = { parts, part: 0 }; show(); } }) : "",
    tenderForm({ amount: toPay(), method, readers: cardReaders(), isOnline: online, hint, pay, turn, onAmount: showChange }));
}

function showPaid() {
  showToCustomer({ lines: [], rows: [[_("Paid."), ""]], change: change > 0 ? money(change) : null });
  const said = change > 0 ? [make("span", {}, _("Change due")), make("strong", { class: "change" }, money(change))] : make("strong", { class: "change" }, _("Paid."));
  tender.replaceChildren(make("div", { class: "paid", role: "status", tabindex: -1 }, said),
    paidButtons(order, { ...acts, reload }));
  tender.querySelector("[data-new]").focus();
}

function turn(chosen) {
  method = chosen;
  hint = "";
  show();
  tender.querySelector(`[value="${method}"]`).focus();
}

function showChange(form) {
  const given = parseAmount(form.amount.value);
  const rest = method === "cash" && given !== null && (!isWhole() || order.isProvisional) ? given - toPay() - (parseAmount(form.tip.value) ?? 0) : 0;
  form.querySelector(".change").textContent = rest > 0 ? _("Change: %(amount)s", { amount: money(rest) }) : "";
}

async function pay({ received, tip, reference, code, reader }) {
  if (method === "reader") return payOnReader(received, tip, reader);
  const isCash = method === "cash";
  const given = round(received - (isCash ? tip : 0));
  if (isCash && tip && given < toPay()) throw new Error(_("The cash received does not cover the tip."));
  if (isCash && !(await requireDrawer())) return;
  const towards = !isCash || isWhole() ? given : Math.min(given, toPay());
  const rest = round(Math.max(0, given - toPay()));
  const body = { method, amount: towards, tip: tip || undefined, reference };
  const about = { kind: "pay", title: titleOf(order), orderId: order.id, placed: order.id ? null : { key: order.key, body: order.body }, towards: Math.min(given, toPay()), method, change: isCash && isWhole() ? rest : null };
  const path = order.id ? `/api/v1/staff/orders/${order.id}/payments` : null;
  const answer = method === "gift_card" ? await payByGiftCard(path, body, code) : await act(`pay:${laneOf(order)}`, { lane: laneOf(order), path, body, about });
  if (answer === undefined) return;
  change = answer === null ? rest : answer.change || round(given - towards);
  hint = change > 0 ? _("Change: %(amount)s", { amount: money(change) }) : "";
  if (split.parts) split.part = Math.min(split.part + 1, split.parts.length - 1);
  if (answer === null) {
    order = { ...order, isProvisional: true, amount_due: round(Math.max(0, order.amount_due - about.towards)) };
    return show();
  }
  if (!order.id) order = { id: answer.order_id };
  await reload();
  if (order.amount_due > 0) tender.querySelector("#amount").focus();
}

// What a gift card is worth only the server knows, so nothing of this is kept for later, and its code never.
async function payByGiftCard(path, body, code) {
  try {
    return (await sendOnce(`gift:${laneOf(order)}`, path, body, { code })) ?? undefined;
  } catch (error) {
    if (!(error instanceof Unanswered)) throw error;
    hint = error.message;
    return show();
  }
}

async function payOnReader(amount, tip, reference) {
  const chosen = cardReaders().find((each) => each.reference === reference);
  if (!chosen) throw new Error(_("No card reader is connected."));
  const paid = order;
  const body = { method: chosen.method, reader: reference, amount, tip: tip || undefined };
  const started = await startOnReader(order, body, () => isShown(paid));
  if (!isShown(paid)) return;
  if (started.status === "failed") throw new Error(started.failure ?? _("The payment failed."));
  follow(started);
}

const isShown = (wanted) => !panel.hidden && order?.id === wanted.id;

// Shows a payment on a reader until it has ended.
async function follow(payment) {
  const paid = order;
  followed = payment;
  show();
  let ended = payment;
  try {
    ended = await followOnReader(paid, payment, () => isShown(paid) && followed?.id === payment.id);
  } catch (error) {
    hint = error.message;
  }
  if (!isShown(paid) || followed?.id !== payment.id) return;
  followed = null;
  if (ended.status === "failed") hint = ended.failure ?? _("The payment failed.");
  if (ended.status === "cancelled") hint = _("The payment was cancelled.");
  if (ended.status === "succeeded" && split.parts) split.part = Math.min(split.part + 1, split.parts.length - 1);
  await reload();
}

session.addEventListener("connection", () => {
  if (panel.hidden || !order || !tender.querySelector("form.card")) return;
  if (session.isLost && needsNetwork(method)) return show();
  setOnline(tender.querySelector("form.card"), isOnline());
});

// What was provisional becomes the server's when it was sent.
queue.addEventListener("sent", async ({ detail: { action, document: answer } }) => {
  if (panel.hidden || !order?.isProvisional || action.lane !== laneOf(order)) return;
  const id = order.id ?? answer.order_id ?? answer.id;
  if (newChecks().some((check) => check.key === order.key) || queue.pending.some((each) => each.lane === action.lane && each.key !== action.key)) return;
  if (answer.change) change = answer.change;
  order = { id };
  await reload().catch(() => {});
});
