// The order being taken, or the next round of an open check: its lines, where it is for, and what it costs. It is kept
// over a reload.
import { gettext as _ } from "/own/texts.js";
import { make } from "/own/dom.js";
import { askOptions, hasChoices } from "./item_options.js";
import { allItems } from "./menu.js";
import { nameOf } from "./open_orders.js";
import { forgetRequest, sendOnce, SentBefore } from "./requests.js";
import { money, session } from "./session.js";

const form = document.querySelector("[data-check]");
const part = (name) => form.querySelector(`[data-${name}]`);
const MODES = { takeaway: _("Counter"), "on-table": _("Table"), in_store: _("In the store") };
const QUOTE_DELAY_MS = 250;
let modes = ["takeaway"];
let quote = null;
let waiting = 0;
let asked = 0;

// `order` is the open check that the lines are a round of, as the server showed it last; null for a new order.
const state = () => ({ order: null, type: modes[0], table_number: "", customer_name: "", lines: [], ...session.kept.check });
const keep = (changes) => session.keep({ check: { ...state(), ...changes } });

export function openCheck(offered) {
  modes = Object.keys(MODES).filter((mode) => offered.includes(mode));
  if (!modes.length) modes = ["takeaway"];
  if (!modes.includes(state().type)) keep({ type: modes[0] });
  form.table_number.value = state().table_number;
  form.customer_name.value = state().customer_name;
  show();
}

// Makes what is chosen next a round of an open check.
export function startRound(order) {
  keep({ order });
  show();
}

const optionsOf = ({ item, variation, extras, note }) => JSON.stringify([item, variation ?? null, extras, note || ""]);

// Adds an item, asking for its options first if it has any.
export async function addItem(item) {
  const options = hasChoices(item) ? await askOptions(item) : { variation: null, extras: [], note: "" };
  if (!options) return;
  const lines = structuredClone(state().lines);
  const same = lines.find((line) => optionsOf(line) === optionsOf({ item: item.id, ...options }));
  if (same) same.quantity += 1;
  else lines.push({ item: item.id, name: item.name, quantity: 1, ...options });
  keep({ lines });
  show();
}

function setQuantity(position, quantity) {
  const lines = structuredClone(state().lines);
  if (quantity < 1) lines.splice(position, 1);
  else lines[position].quantity = quantity;
  keep({ lines });
  show();
}

function show() {
  const { order, type, lines } = state();
  const focused = form.contains(document.activeElement) ? document.activeElement.dataset.step : null;
  part("modes").replaceChildren(...modes.map((mode) =>
    make("label", { class: "chip" }, make("input", { type: "radio", name: "type", value: mode, checked: mode === type }), MODES[mode])));
  part("round").hidden = !order;
  if (order) {
    part("round-name").textContent = `${nameOf(order)} · ${_("Order %(number)s", { number: order.number })}`;
    part("round-due").textContent = _("To pay so far: %(amount)s", { amount: money(order.amount_due) });
  }
  form.querySelector(".modes").hidden = modes.length < 2 || Boolean(order);
  part("table-field").hidden = type !== "on-table" || Boolean(order);
  part("name-field").hidden = Boolean(order);
  form.querySelector('[value="send"]').textContent = order ? _("Add to check") : _("Send");
  form.querySelector('[value="pay"]').textContent = order ? _("Add and pay") : _("Send and pay");
  part("lines").replaceChildren(...lines.map(lineOf));
  part("nothing").hidden = lines.length > 0;
  part("clear").hidden = !lines.length && !order;
  for (const button of form.querySelectorAll('[type="submit"]')) button.disabled = !lines.length;
  if (focused) (form.querySelector(`[data-step="${focused}"]`) ?? part("lines").querySelector("button") ?? form.querySelector("#name")).focus();
  askQuote();
}

function lineOf(line, position) {
  const item = allItems().get(line.item);
  const chosen = item ? [
    item.variations.find((each) => each.id === line.variation)?.name,
    ...item.extra_groups.flatMap((group) => group.extras).filter((each) => line.extras.includes(each.id)).map((each) => each.name),
  ].filter(Boolean) : [];
  const step = (by, label) => make("button", { type: "button", class: "plain compact", "data-step": `${position}:${by}`, "aria-label": label, onclick: () => setQuantity(position, line.quantity + by) }, by < 0 ? "−" : "+");
  return make("li", {},
    make("div", {}, make("b", { dir: "auto" }, line.name), chosen.length ? make("span", { class: "quiet", dir: "auto" }, chosen.join(", ")) : null, line.note ? make("span", { class: "quiet", dir: "auto" }, `“${line.note}”`) : null),
    make("div", { class: "stepper" }, step(-1, _("One less %(item)s", { item: line.name })), make("output", {}, String(line.quantity)), step(1, _("One more %(item)s", { item: line.name }))),
    make("span", { class: "price" }, quote?.items[position] ? money(quote.items[position].line_total) : ""));
}

const toItems = (lines) => lines.map((line) => ({ item_id: line.item, quantity: line.quantity, variation: line.variation ?? undefined, extras: line.extras, note: line.note || undefined }));

function toBody() {
  const { order, lines, ...chosen } = state();
  const { type, table_number, customer_name } = order ?? chosen;
  return {
    type,
    customer_name: customer_name || undefined,
    table_number: type === "on-table" ? table_number || undefined : undefined,
    items: toItems(lines),
  };
}

// What is left of the lines after these items were sent.
function without(lines, items) {
  const left = structuredClone(lines);
  for (const sent of items) {
    const line = left.find((each) => optionsOf(each) === optionsOf({ ...sent, item: sent.item_id }));
    if (line) line.quantity = Math.max(0, line.quantity - sent.quantity);
  }
  return left.filter((line) => line.quantity > 0);
}

// Asks what the order costs shortly after its last change; answers to earlier questions are ignored.
function askQuote() {
  clearTimeout(waiting);
  const number = ++asked;
  if (!state().lines.length) {
    quote = null;
    showAmounts();
    return;
  }
  waiting = setTimeout(async () => {
    let found = null;
    try {
      found = await session.call("POST", "/api/v1/staff/orders/quote", toBody());
    } catch {
      // A table that is still missing is no error yet; what is wrong is said when the order is sent.
    }
    if (number !== asked) return;
    quote = found;
    showAmounts();
    part("lines").querySelectorAll("li > .price").forEach((place, position) => { place.textContent = quote ? money(quote.items[position].line_total) : ""; });
  }, QUOTE_DELAY_MS);
}

function showAmounts() {
  const rows = quote ? [
    [_("Discount"), -quote.discount_total], [_("Service charge"), quote.service_charge],
    [_("Tax"), quote.tax_included ? 0 : quote.tax_total], [state().order ? _("This round") : _("Total"), quote.total],
  ].filter(([, amount], position, all) => amount || position === all.length - 1) : [];
  part("amounts").replaceChildren(...rows.flatMap(([label, amount], position) => {
    const last = position === rows.length - 1 ? { class: "total" } : {};
    return [make("dt", last, label), make("dd", last, money(amount))];
  }));
}

// What was sent is done: the check begins anew, with what was added since as the next round of its order.
function finish(order, left) {
  const target = state().order;
  session.keep({ check: left.length ? { ...state(), order: target && target.id !== order.id ? target : order, lines: left } : null });
  form.table_number.value = form.customer_name.value = "";
  quote = null;
  show();
}

// Calls `listener(order, isPaying, isRound)` for each order that was placed or got a round.
export function onPlaced(listener) {
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    part("check-problem").textContent = "";
    const { order, lines } = state();
    const path = "/api/v1/staff/orders";
    try {
      const answer = await (order ? sendOnce("order", `${path}/${order.id}/lines`, { items: toItems(lines) }) : sendOnce("order", path, toBody()));
      if (!answer) return;
      finish(answer, []);
      listener(answer, event.submitter?.value === "pay", Boolean(order));
    } catch (error) {
      part("check-problem").textContent = error.message;
      if (error instanceof SentBefore) finish(error.answer, without(lines, error.body.items));
      if (error.errors?.table_number) form.table_number.focus();
    }
  });
}

form.addEventListener("change", (event) => {
  if (event.target.name !== "type") return;
  keep({ type: event.target.value });
  show();
  (state().type === "on-table" ? form.table_number : form.querySelector('[name="type"]:checked')).focus();
});
form.addEventListener("input", (event) => {
  if (event.target.name === "table_number" || event.target.name === "customer_name") {
    keep({ [event.target.name]: event.target.value.trim() });
    askQuote();
  }
});
part("clear").addEventListener("click", () => {
  if (state().lines.length && !window.confirm(_("Clear this order?"))) return;
  forgetRequest("order");
  session.keep({ check: null });
  openCheck(modes);
});
