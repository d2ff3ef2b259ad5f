// The map of tables: where they stand, and on each its open check, who is seated there, and who comes next today.
import { gettext as _, ngettext } from "/own/texts.js";
import { make } from "/own/dom.js";
import { factsOf, nameOf, onRefresh, openChecks, titleOf } from "./open_orders.js";
import { hasDraft } from "./order_state.js";
import { redraw } from "./redraw.js";
import { clock, lookAt, money } from "./session.js";

const place = document.querySelector("[data-rooms]");
const other = document.querySelector("[data-other-table]");
const choice = document.querySelector("[data-line-dialog]");
const OLD_MS = 90 * 60_000;
let tables = [];
let acts = {};

// What a tap does: `openCheck(order)` and `startOrder({…})`.
export const onTap = (others) => { acts = others; };

export async function loadTables() {
  tables = await lookAt("tables", "/api/v1/staff/tables").catch(() => tables);
  show();
}

export const hasTables = () => tables.length > 0;

const checksAt = (number) => openChecks().filter((order) => order.table_number === number);

function show() {
  const focused = document.activeElement?.dataset?.table;
  const known = new Set(tables.map((table) => table.number));
  const unknown = [...new Set(openChecks().map((order) => order.table_number).filter((number) => number && !known.has(number)))];
  const areas = [...new Set(tables.map((table) => table.area))];
  redraw(place, [
    ...areas.map((area) => roomOf(area ?? (areas.length > 1 ? _("Other tables") : null), tables.filter((table) => table.area === area))),
    ...(unknown.length ? [roomOf(_("Other tables"), unknown.map((number) => ({ number, seats: null })))] : []),
  ]);
  if (focused) place.querySelector(`[data-table="${CSS.escape(focused)}"]`)?.focus();
}

// Tables with a place stand on the plan, the others below it.
function roomOf(name, found) {
  const placed = found.filter((table) => table.plan_column && table.plan_row);
  const plan = make("div", { class: "plan" }, placed.map((table) => {
    const button = tableButton(table);
    button.style.gridColumn = table.plan_column;
    button.style.gridRow = table.plan_row;
    return button;
  }));
  plan.style.setProperty("--columns", Math.max(1, ...placed.map((table) => table.plan_column)));
  return make("section", { class: "room" }, name ? make("h2", { dir: "auto" }, name) : null, placed.length ? plan : null,
    make("div", { class: "tables" }, found.filter((table) => !placed.includes(table)).map(tableButton)));
}

function tableButton(table) {
  const checks = checksAt(table.number);
  const oldest = checks.map((order) => order.created_at).sort()[0];
  const guests = table.seated?.party_size;
  const next = table.next_reservation;
  const state = !checks.length ? (table.seated ? "seated" : "free") : Date.now() - new Date(oldest) > OLD_MS ? "old" : "busy";
  return make("button", { type: "button", class: "table", "data-table": table.number, "data-state": state, onclick: () => tap(table) },
    make("span", { class: "top" }, make("b", { dir: "auto" }, table.number),
      guests ? make("span", {}, ngettext("%(num)s guest", "%(num)s guests", guests)) : table.seats && !checks.length ? make("span", { class: "quiet" }, ngettext("%(num)s seat", "%(num)s seats", table.seats)) : null),
    checks.length ? make("span", { class: "price" }, checks.map((order) => money(order.amount_due)).join(" + ")) : null,
    checks.length ? make("span", { class: "facts" }, factsOf(checks[0]).flatMap((each, position) => (position ? [" · ", each] : [each]))) : null,
    checks.length > 1 ? make("span", {}, ngettext("%(num)s check", "%(num)s checks", checks.length)) : null,
    [{ type: "on-table", table_number: table.number }, ...checks.map((order) => ({ order }))].some(hasDraft) ? make("span", { class: "badge warn" }, _("not sent yet")) : null,
    next ? make("span", { class: "next", dir: "auto" }, `${clock(next.starts_at)} ${next.guest_name} (${next.party_size})`) : null);
}

function tap(table) {
  const checks = checksAt(table.number);
  const start = { type: "on-table", table_number: table.number };
  if (!checks.length) return acts.startOrder(start);
  if (checks.length === 1) return acts.openCheck(checks[0]);
  const button = (text, onclick) => make("button", { type: "button", class: "plain", onclick: () => { choice.close(); onclick(); } }, text);
  choice.replaceChildren(make("div", { class: "choices" }, make("h2", { id: "line-title" }, nameOf(checks[0])),
    ...checks.map((order) => button(`${titleOf(order)} · ${money(order.amount_due)}`, () => acts.openCheck(order))),
    button(_("New check"), () => acts.startOrder(start)), make("button", { type: "button", class: "link", onclick: () => choice.close() }, _("Close"))));
  choice.showModal();
}

other.addEventListener("submit", (event) => {
  event.preventDefault();
  const number = other.table.value.trim();
  if (number) tap({ number });
  other.reset();
});
onRefresh(show);
