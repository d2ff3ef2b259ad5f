// Paying an order: tenders, change, splitting the bill, and the receipt.
import { gettext as _ } from "/own/texts.js";
import { make } from "/own/dom.js";
import { receiptOf } from "./receipt.js";
import { changeButtons } from "./changes.js";
import { sendOnce, SentBefore } from "./requests.js";
import { decimals, money, parseAmount, session } from "./session.js";

const panel = document.querySelector('[data-panel="pay"]');
const tender = panel.querySelector("[data-tender]");
const TENDERS = { cash: _("Cash"), card_external: _("Card"), gift_card: _("Gift card") };
const MAX_GUESTS = 20;
let order = null;
let parts = null;
let part = 0;
let method = "cash";
let notice = "";
let acts = {};

// `acts` has what is done elsewhere: `addItems(order)` and `tell(sentence)`.
export async function openPayment(orderId, others) {
  acts = others;
  parts = null;
  part = 0;
  method = "cash";
  notice = "";
  await load(orderId);
}

async function load(orderId) {
  const path = `/api/v1/staff/orders/${orderId}`;
  const [found, paid] = await Promise.all([session.call("GET", path), session.call("GET", `${path}/payments?per_page=100`)]);
  order = found;
  panel.querySelector("[data-pay-title]").textContent = order.table_number
    ? _("Order %(number)s, table %(table)s", { number: order.number, table: order.table_number })
    : _("Order %(number)s", { number: order.number });
  panel.querySelector("[data-due]").textContent = money(order.amount_due);
  panel.querySelector("[data-receipt]").replaceChildren(receiptOf(order, paid.data));
  panel.querySelector("[data-changes]").replaceChildren(...changeButtons(order, { ...acts, changed: () => load(orderId) }));
  show();
}

const toPay = () => Math.min(parts?.[part] ?? order.amount_due, order.amount_due);

function show() {
  if (order.amount_due <= 0) {
    tender.replaceChildren(make("p", { class: "paid", role: "status", tabindex: -1 }, _("Paid."), notice ? make("strong", { class: "change" }, notice) : null));
    tender.firstElementChild.focus();
    return;
  }
  tender.replaceChildren(splitChoice(), tenderForm());
}

function splitChoice() {
  const guests = make("input", { id: "guests", type: "number", min: 1, max: MAX_GUESTS, inputmode: "numeric", value: parts?.length ?? 1 });
  guests.addEventListener("change", () => split(Number(guests.value)));
  return make("div", { class: "split" },
    make("div", { class: "field" }, make("label", { for: "guests" }, _("Split between")), guests),
    parts ? make("div", { class: "parts", role: "group", "aria-label": _("Parts of the bill") }, parts.map((amount, position) =>
      make("button", { type: "button", class: "plain", "aria-pressed": String(position === part), disabled: position < part,
        onclick: () => { part = position; show(); } }, `${position + 1}: ${money(amount)}`))) : null);
}

async function split(guests) {
  notice = "";
  parts = null;
  part = 0;
  if (Number.isInteger(guests) && guests > 1 && guests <= MAX_GUESTS) {
    try {
      const found = await session.call("POST", `/api/v1/staff/orders/${order.id}/payments/split-preview`, { by: "evenly", n: guests });
      parts = found.parts.map((each) => each.amount);
    } catch (error) {
      notice = error.message;
    }
  }
  show();
  tender.querySelector("#guests").focus();
}

function tenderForm() {
  const amount = toPay();
  const form = make("form", { class: "card", novalidate: true },
    make("fieldset", { class: "tenders" }, make("legend", { class: "unseen" }, _("Payment method")), Object.entries(TENDERS).map(([code, label]) =>
      make("label", { class: "chip" }, make("input", { type: "radio", name: "method", value: code, checked: code === method }), label))),
    make("div", { class: "field" }, make("label", { for: "amount" }, method === "cash" ? _("Cash received") : _("Amount")),
      make("input", { id: "amount", name: "amount", inputmode: "decimal", autocomplete: "off", value: amount.toFixed(decimals()) })),
    method === "cash" ? make("div", { class: "notes", role: "group", "aria-label": _("Cash received") }, suggestions(amount).map((each) =>
      make("button", { type: "button", class: "plain", onclick: () => { form.amount.value = each.toFixed(decimals()); showChange(form); } }, money(each)))) : null,
    method === "card_external" ? make("div", { class: "field" }, make("label", { for: "reference" }, _("Receipt number of the terminal"), " ", make("span", { class: "quiet" }, _("(optional)"))), make("input", { id: "reference", name: "reference", maxlength: 100, autocomplete: "off" })) : null,
    method === "gift_card" ? make("div", { class: "field" }, make("label", { for: "code" }, _("Code of the gift card")), make("input", { id: "code", name: "code", maxlength: 30, autocomplete: "off", autocapitalize: "characters" })) : null,
    make("div", { class: "field" }, make("label", { for: "tip" }, _("Tip"), " ", make("span", { class: "quiet" }, _("(optional)"))), make("input", { id: "tip", name: "tip", inputmode: "decimal", autocomplete: "off" })),
    make("p", { class: "change", role: "status" }, notice),
    make("p", { class: "problem", role: "alert" }),
    make("button", { type: "submit", class: "wide" }, _("Take the payment")));
  form.addEventListener("change", (event) => {
    if (event.target.name !== "method") return;
    method = event.target.value;
    notice = "";
    show();
    tender.querySelector(`[value="${method}"]`).focus();
  });
  form.addEventListener("input", () => showChange(form));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    pay(form);
  });
  return form;
}

// The exact amount and the next round ones, as people hand them over.
function suggestions(amount) {
  const rounded = [5, 10, 20, 50, 100].map((step) => Math.ceil(amount / step) * step);
  return [...new Set([amount, ...rounded])].sort((one, other) => one - other).slice(0, 5);
}

// Of cash that pays the order in full, the server says the change, because it rounds what is due to coins.
const isWhole = () => toPay() === order.amount_due;

function showChange(form) {
  const given = parseAmount(form.amount.value);
  const change = method === "cash" && given !== null && !isWhole() ? given - toPay() - (parseAmount(form.tip.value) ?? 0) : 0;
  form.querySelector(".change").textContent = change > 0 ? _("Change: %(amount)s", { amount: money(change) }) : "";
}

async function pay(form) {
  const problem = form.querySelector(".problem");
  const amount = parseAmount(form.amount.value);
  const tip = form.tip.value.trim() ? parseAmount(form.tip.value) : 0;
  problem.textContent = "";
  if (!amount || tip === null) {
    problem.textContent = _("Enter an amount, such as 12.50.");
    (amount ? form.tip : form.amount).focus();
    return;
  }
  const received = method === "cash" ? amount : null;
  const given = Number((amount - (received === null ? 0 : tip)).toFixed(decimals()));
  const towards = received === null || isWhole() ? given : Math.min(given, toPay());
  if (received !== null && tip && given < toPay()) {
    problem.textContent = _("The cash received does not cover the tip.");
    return;
  }
  const body = { method, amount: towards, tip: tip || undefined, reference: form.reference?.value.trim() || undefined, code: form.code?.value.trim() || undefined };
  const button = form.querySelector("[type=submit]");
  button.disabled = true;
  try {
    const payment = await sendOnce(`pay:${order.id}`, `/api/v1/staff/orders/${order.id}/payments`, body);
    if (!payment) return;
    const change = payment.change || given - towards;
    notice = change > 0 ? _("Change: %(amount)s", { amount: money(change) }) : "";
    if (parts) part = Math.min(part + 1, parts.length - 1);
    await load(order.id);
    if (order.amount_due > 0) tender.querySelector("#amount").focus();
  } catch (error) {
    problem.textContent = error.message;
    if (!(error instanceof SentBefore)) return;
    notice = error.message;
    await load(order.id).catch(() => {});
  } finally {
    button.disabled = false;
  }
}
