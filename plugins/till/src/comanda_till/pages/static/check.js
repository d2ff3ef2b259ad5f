// The check at hand: a new order, or an open check with its lines and the next round.
import { gettext as _ } from "/own/texts.js";
import { make } from "/own/dom.js";
import { act, createKey, currentOf, keyOf, laneOf, queue, toCheck } from "./acts.js";
import { showCustomer } from "./check_customer.js";
import { fireButton, openCheckSheet } from "./check_sheet.js";
import { foldCombos } from "./combos.js";
import { askOptions, hasChoices } from "./item_options.js";
import { askOverride, findProblem, showQuestions } from "./item_questions.js";
import { editLine } from "./line_options.js";
import { openLineSheet } from "./line_sheet.js";
import { allItems, followPrices } from "./menu.js";
import { isHeld, nameOf, titleOf } from "./open_orders.js";
import { addLine, begin, changeLine, keep, menuTotal, offeredModes, setModes, state, toBody, toItems, toProvisionalLines } from "./order_state.js";
import { askQuote, lineTotal } from "./quote.js";
import { redraw } from "./redraw.js";
import { money, Refused, session, weight } from "./session.js";

const form = document.querySelector("[data-check]");
const part = (name) => form.querySelector(`[data-${name}]`);
const MODES = { takeaway: _("Counter"), "on-table": _("Table"), in_store: _("In the store") };
const COURSES = 4;
const SEATS = 12;
const ORDERS = "/api/v1/staff/orders";
// Whether the problem that is shown is that lines are not what the guest needs.
let isRuledOut = false;

export function openCheck(offered) {
  setModes(offered);
  show();
}

// Begins an order at a table, for a name, or at the counter.
export function startOrder(changes = {}) {
  begin(changes);
  show();
}

// Makes what is chosen next a round of an open check.
export function startRound(order) {
  if (order.id && state().order?.id === order.id) keep({ order });
  else begin({ order });
  show();
}

// Reads the check again after it was changed, here or elsewhere.
export async function refreshCheck() {
  const { order } = state();
  if (!order?.id) return;
  const found = await session.call("GET", `${ORDERS}/${order.id}`);
  if (state().order?.id !== order.id) return;
  // What was paid or merged meanwhile is no open check any more.
  if (found.is_paid || found.status === "cancelled") begin({}, { isDone: true });
  else keep({ order: found });
  show();
}

// Adds an item, asking for its options first if it has any; `variation` is the one that was scanned.
export async function addItem(item, variation) {
  const options = hasChoices(item) ? await askOptions(item, variation) : { variation: null, extras: [], note: "" };
  if (!options) return;
  addLine(item, options);
  show();
}

export function show() {
  followPrices();
  const { order: kept, type, lines, table_number, customer_name, course, seat } = state();
  const order = kept && currentOf(kept);
  const focused = form.contains(document.activeElement) ? document.activeElement.dataset.step : null;
  part("modes").replaceChildren(...offeredModes().map((mode) =>
    make("label", { class: "chip" }, make("input", { type: "radio", name: "type", value: mode, checked: mode === type }), MODES[mode])));
  part("round").hidden = !order;
  if (order) {
    part("round-name").textContent = titleOf(order);
    part("round-due").textContent = _("To pay so far: %(amount)s", { amount: money(order.amount_due) });
  }
  form.querySelector(".modes").hidden = offeredModes().length < 2 || Boolean(order);
  part("table-field").hidden = type !== "on-table" || Boolean(order);
  part("name-field").hidden = Boolean(order) || type === "on-table";
  if (document.activeElement !== form.table_number) form.table_number.value = table_number;
  if (document.activeElement !== form.customer_name) form.customer_name.value = customer_name;
  part("next").hidden = (order?.type ?? type) !== "on-table";
  choices(form.course, COURSES, course, _("No course"), (each) => _("Course %(number)s", { number: each }));
  choices(form.seat, SEATS, seat, _("No seat"), (each) => _("Seat %(number)s", { number: each }));
  form.querySelector('[value="send"]').textContent = order ? _("Add to check") : _("Send");
  form.querySelector('[value="pay"]').textContent = !order ? _("Send and pay") : lines.length ? _("Add and pay") : _("Pay");
  redraw(part("questions"), showQuestions(state(), show));
  redraw(part("sent"), (order?.items ?? []).length ? sentLines(order) : []);
  part("lines").replaceChildren(...lines.map(lineOf));
  part("nothing").hidden = lines.length > 0 || Boolean(order);
  part("clear").hidden = !lines.length && !order;
  part("sheet").hidden = !order?.id;
  showCustomer(part("customer"), order);
  form.querySelector('[value="send"]').disabled = !lines.length;
  form.querySelector('[value="pay"]').disabled = !lines.length && !order;
  if (focused) (form.querySelector(`[data-step="${focused}"]`) ?? part("lines").querySelector("button") ?? form.querySelector("#name")).focus();
  askQuote(() => part("lines").querySelectorAll("li > .price").forEach((place, position) => { place.textContent = priceOf(position); }), showConflicts);
  form.dispatchEvent(new Event("shown"));
}

// Shows which lines are not what the guest needs, before they are sent. Other problems are said when it is sent.
function showConflicts(error) {
  const problem = error && findProblem(error);
  if (problem || isRuledOut) part("check-problem").textContent = problem ?? "";
  isRuledOut = Boolean(problem);
  const conflicts = problem ? error.conflicts : [];
  part("override").hidden = !conflicts.length || Boolean(state().order);
  for (const { position } of conflicts) part("lines").children[position]?.querySelector(".line").setAttribute("aria-describedby", "check-problem");
}

function choices(select, count, chosen, none, label) {
  if (select.options.length === 0) select.append(make("option", { value: "" }, none), ...Array.from({ length: count }, (_each, place) => make("option", { value: place + 1 }, label(place + 1))));
  select.value = chosen ?? "";
}

// Lines that were sent, by course; each opens what may be done with it.
function sentLines(order) {
  const courses = [...new Set(order.items.map((line) => line.course ?? 0))].sort((one, other) => one - other);
  return courses.flatMap((course) => [
    courses.length > 1 || course ? make("li", { class: "course" }, make("b", {}, course ? _("Course %(number)s", { number: course }) : _("No course")),
      isHeld(order, course) ? fireButton(order, course, changed) : null) : null,
    ...foldCombos(order.items).filter((line) => (line.course ?? 0) === course).map((line) =>
      make("li", {}, make("button", { type: "button", class: "line", "data-sent-line": keyOf(line), onclick: () => openLineSheet(order, line, changed) },
        make("span", {}, make("b", { dir: "auto" }, `${line.quantity} × ${line.name}`), details([...choicesOf(line), line.seat ? _("Seat %(number)s", { number: line.seat }) : null], line.note)),
        make("span", { class: "price" }, money(line.line_total ?? line.unit_price * line.quantity))))),
  ].filter(Boolean));
}

function changed() {
  show();
  return refreshCheck();
}

const choicesOf = (line) => [line.price_label, line.variation?.name, ...(line.extras ?? []).map((extra) => extra.name)];

function details(words, note) {
  return make("span", { class: "quiet", dir: "auto" }, [...words, note ? `“${note}”` : null].filter(Boolean).join(" · "));
}

const priceOf = (position) => (lineTotal(position) === null ? "" : money(lineTotal(position)));

function lineOf(line, position) {
  const item = allItems().get(line.item);
  const chosen = item ? [
    item.variations.find((each) => each.id === line.variation)?.name,
    ...item.extra_groups.flatMap((group) => group.extras).filter((each) => line.extras.includes(each.id)).map((each) => each.name),
  ] : [];
  const words = [line.weight_g ? weight(line.weight_g) : null, ...chosen, line.course ? _("Course %(number)s", { number: line.course }) : null, line.seat ? _("Seat %(number)s", { number: line.seat }) : null];
  const step = (by, label) => make("button", { type: "button", class: "plain compact", "data-step": `${position}:${by}`, "aria-label": label, onclick: () => { changeLine(position, { quantity: line.quantity + by }); show(); } }, by < 0 ? "−" : "+");
  return make("li", {},
    make("button", { type: "button", class: "line", "aria-label": _("Change %(item)s", { item: line.name }), onclick: () => edit(line, position) }, make("span", {}, make("b", { dir: "auto" }, line.name), details(words, line.note))),
    make("div", { class: "stepper" }, step(-1, _("One less %(item)s", { item: line.name })), make("output", {}, String(line.quantity)), step(1, _("One more %(item)s", { item: line.name }))),
    make("span", { class: "price" }, priceOf(position)));
}

async function edit(line, position) {
  const changes = await editLine(line);
  if (changes) changeLine(position, changes);
  show();
}

// Calls `listener(order, isPaying, isRound)` for each order that was placed or got a round; without an answer yet, with
// the check as it stands here.
export function onPlaced(listener) {
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const isPaying = event.submitter?.value === "pay";
    const { order, lines } = state();
    if (!lines.length) return order ? listener(order, true, null) : undefined;
    part("check-problem").textContent = "";
    try {
      const placed = order ? await sendRound(order, lines) : await place(lines);
      if (!placed) return;
      begin({}, { isDone: true });
      show();
      listener(placed, isPaying, Boolean(order));
    } catch (error) {
      part("check-problem").textContent = error.message;
      if (error instanceof Refused) showConflicts(error);
      if (error.errors?.table_number) form.table_number.focus();
    }
  });
}

async function place(lines) {
  const key = createKey();
  const about = { kind: "place", title: nameOf(toBody()), total: menuTotal(lines), lines: toProvisionalLines(lines), kept: lines, answers: state().answers };
  const answer = await act("order", { lane: laneOf({ key }), path: ORDERS, body: toBody(), about, key });
  return answer === null ? toCheck({ key, body: toBody(), about, addedAt: Date.now() }) : answer;
}

async function sendRound(order, lines) {
  if (!order.id) throw new Error(_("This check has not been sent yet. Add to it when the network is back."));
  const about = { kind: "round", title: titleOf(order), orderId: order.id, total: menuTotal(lines), lines: toProvisionalLines(lines), kept: lines };
  const answer = await act("order", { lane: laneOf(order), path: `${ORDERS}/${order.id}/lines`, body: { items: toItems(lines) }, about });
  if (answer !== null) return answer;
  return currentOf({ ...order, items: order.items ?? [] });
}

form.addEventListener("change", ({ target }) => {
  if (target.name === "course" || target.name === "seat") return keep({ [target.name]: Number(target.value) || null });
  if (target.name !== "type") return;
  keep({ type: target.value });
  show();
  (state().type === "on-table" ? form.table_number : form.querySelector('[name="type"]:checked')).focus();
});
form.addEventListener("input", ({ target }) => {
  if (target.name === "table_number" || target.name === "customer_name") keep({ [target.name]: target.value.trim() });
});
// What was sent of the check at hand has its ids and prices from the server.
queue.addEventListener("sent", ({ detail: { action, document: answer } }) => {
  const { order } = state();
  if (!order || laneOf(order) !== action.lane || action.about.kind === "pay") return;
  keep({ order: answer });
  show();
});
part("override").addEventListener("click", () => askOverride(part("check-problem").textContent, show));
part("sheet").addEventListener("click", () => openCheckSheet(state().order, changed));
part("clear").addEventListener("click", () => {
  if (state().lines.length && !window.confirm(_("Clear this order?"))) return;
  begin({}, { isDone: true });
  show();
});
