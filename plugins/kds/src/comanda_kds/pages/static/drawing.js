// Tickets, counts and stations as elements.
import { gettext as _, locale } from "/own/texts.js";

const TYPES = {
  "on-table": _("Table"),
  takeaway: _("Takeaway"),
  delivery: _("Delivery"),
  room_service: _("Room"),
};
const STATES = { queued: _("To do"), preparing: _("In work"), ready: _("Ready") };
const LATENESS = { on_time: _("On time"), soon: _("Soon late"), late: _("Late") };
// What a tap on the whole ticket does, by the least of its items.
const WHOLE = { queued: _("Start all"), preparing: _("All ready"), ready: _("All served") };
const ORDER = ["queued", "preparing", "ready"];

export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined && value !== false) element.setAttribute(name, value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined && child !== ""));
  return element;
}

export const least = (items) => ORDER.find((state) => items.some((item) => item.status === state));

export function lateness(age, limits) {
  if (age >= limits.late) return "late";
  return age >= limits.soon ? "soon" : "on_time";
}

export function spoken(seconds) {
  const whole = Math.max(0, Math.floor(seconds));
  const hours = Math.floor(whole / 3600);
  const rest = `${String(Math.floor(whole / 60) % 60).padStart(hours ? 2 : 1, "0")}:${String(whole % 60).padStart(2, "0")}`;
  return hours ? `${hours}:${rest}` : rest;
}

function place(ticket) {
  const type = TYPES[ticket.type] ?? ticket.type;
  return [type, ticket.table_number ?? ticket.room_number].filter(Boolean).join(" ");
}

export function ticketCard(ticket) {
  const head = make(
    "header",
    {},
    make("h2", {}, make("span", { class: "number" }, `#${ticket.number}`), " ", place(ticket)),
    make("p", { class: "age" }, make("time", { "data-age": "" }), " ", make("b", { "data-late": "" })),
  );
  const promised = ticket.promised_at && _("For %(time)s", { time: new Date(ticket.promised_at).toLocaleTimeString(locale, { timeStyle: "short" }) });
  const whom = [ticket.customer_name, promised].filter(Boolean).join(" · ");
  return make(
    "article",
    { class: "ticket", "data-order": ticket.order_id, "data-since": ticket.since, "aria-label": _("Order %(number)s, %(place)s", { number: ticket.number, place: place(ticket) }) },
    head,
    whom && make("p", { class: "whom" }, whom),
    ticket.note && make("p", { class: "note" }, ticket.note),
    make("ul", {}, ...ticket.items.map(itemRow)),
    make("button", { type: "button", class: "whole plain", "data-whole": ticket.order_id, "data-key": `whole-${ticket.order_id}` }, WHOLE[least(ticket.items)]),
  );
}

function itemRow(item) {
  const extras = item.extras.map((extra) => extra.name).join(", ");
  const details = [item.variation?.name, extras].filter(Boolean).join(" · ");
  const bump = make(
    "button",
    { type: "button", class: "item", "data-item": item.id, "data-state": item.status, "data-key": `item-${item.id}` },
    make("span", { class: "what" }, make("b", {}, `${item.quantity} ×`), ` ${item.name}`),
    details && make("span", { class: "details" }, details),
    item.note && make("span", { class: "note" }, item.note),
    make("span", { class: "state" }, STATES[item.status]),
  );
  const back = make(
    "button",
    { type: "button", class: "back plain", "data-back": item.id, "data-key": `back-${item.id}`, "aria-label": _("%(item)s back", { item: item.name }) },
    _("Back"),
  );
  return make("li", {}, bump, item.status === "queued" ? null : back);
}

export function tick(board, limits, now) {
  for (const card of board.querySelectorAll(".ticket")) {
    const age = (now - Date.parse(card.dataset.since)) / 1000;
    const late = lateness(age, limits);
    card.querySelector("[data-age]").textContent = spoken(age);
    if (card.dataset.lateness !== late) {
      card.dataset.lateness = late;
      card.querySelector("[data-late]").textContent = LATENESS[late];
    }
  }
}

export function counts(tickets) {
  const found = new Map();
  for (const item of tickets.flatMap((ticket) => ticket.items)) {
    if (item.status === "ready") continue;
    const name = [item.name, item.variation?.name].filter(Boolean).join(", ");
    found.set(name, (found.get(name) ?? 0) + item.quantity);
  }
  const sorted = [...found].sort(([one, many], [other, few]) => few - many || one.localeCompare(other));
  return sorted.map(([name, count]) => make("li", {}, make("b", {}, `${count} ×`), ` ${name}`));
}

export function stationTabs(stations, chosen) {
  const all = [{ id: "", name: _("All") }, ...stations];
  return all.map(({ id, name }) =>
    make("button", { type: "button", class: "plain", "data-station": id, "aria-pressed": String(String(id) === String(chosen)) }, name),
  );
}
