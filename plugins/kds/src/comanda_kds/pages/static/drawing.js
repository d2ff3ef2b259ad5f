// Tickets, counts and stations as elements.
import { gettext as _, locale, pgettext } from "/own/texts.js";

const TYPES = {
  "on-table": _("Table"),
  takeaway: _("Takeaway"),
  delivery: _("Delivery"),
  room_service: _("Room"),
};
export const STATE_NAMES = { queued: _("To do"), preparing: _("Cooking"), ready: _("Ready"), served: _("Served") };
const LATENESS = { on_time: _("On time"), soon: _("Soon late"), late: _("Late") };
// What a tap on the whole ticket does, by the least of its items.
const WHOLE = { queued: _("Start all"), preparing: _("All ready"), ready: _("All served") };
const ORDER = ["queued", "preparing", "ready"];
// Guests' menus are in any language; these words begin what is to be left out.
const LEFT_OUT = /^(no|not|without|hold|ohne|kein\p{L}*|sem|sin|sans|pas de|senza|بدون)(?=\s)/iu;

export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined && value !== false) element.setAttribute(name, value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined && child !== "" && child !== false));
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

export function place(ticket) {
  const type = TYPES[ticket.type] ?? ticket.type;
  return [type, ticket.table_number ?? ticket.room_number].filter(Boolean).join(" ");
}

const own = (tag, attributes, text) => make(tag, { dir: "auto", ...attributes }, text);

// `key` is what selects the ticket on a keyboard; `waits` tells which items have not been confirmed by the server.
export function ticketCard(ticket, key, waits) {
  const promised = ticket.promised_at && _("For %(time)s", { time: new Date(ticket.promised_at).toLocaleTimeString(locale, { timeStyle: "short" }) });
  const head = make(
    "header",
    {},
    make("h2", {}, make("span", { class: "number" }, `#${ticket.number}`), " ", make("span", { dir: "auto" }, place(ticket))),
    make("p", { class: "age" }, make("time", { "data-age": "" }), " ", make("b", { "data-late": "" })),
    key && make("kbd", { "aria-hidden": "true" }, key),
  );
  const whom = [ticket.customer_name && own("span", {}, ticket.customer_name), promised && make("span", {}, promised)].filter(Boolean);
  const label = _("Order %(number)s, %(place)s", { number: ticket.number, place: place(ticket) });
  return make(
    "article",
    { class: "ticket", tabindex: "0", "data-order": ticket.order_id, "data-since": ticket.since, "data-key": `order-${ticket.order_id}`, "aria-label": label },
    head,
    whom.length > 0 && make("p", { class: "whom" }, ...whom),
    ticket.note && own("p", { class: "note" }, ticket.note),
    make("ul", { tabindex: "-1" }, ...ticket.items.map((item) => itemRow(item, waits(item.id)))),
    make("p", { class: "more", "data-more": "", hidden: "" }),
    make(
      "footer",
      {},
      make("button", { type: "button", class: "whole", "data-whole": ticket.order_id, "data-key": `whole-${ticket.order_id}` }, WHOLE[least(ticket.items)]),
      make("button", { type: "button", class: "plain", "data-out-of": ticket.order_id, "data-key": `out-${ticket.order_id}`, "aria-label": _("Sold out, from order %(number)s", { number: ticket.number }) }, _("86")),
    ),
  );
}

function itemRow(item, isWaiting) {
  const changes = [item.variation, ...item.extras].filter((each) => each?.name);
  const bump = make(
    "button",
    { type: "button", class: "item", "data-item": item.id, "data-state": item.status, "data-waits": isWaiting ? "" : null, "data-key": `item-${item.id}` },
    make("span", { class: "what" }, make("b", {}, `${item.quantity} ×`), " ", own("span", {}, item.name)),
    ...changes.map(changeRow),
    item.note && own("span", { class: "note" }, item.note),
    make("span", { class: "state" }, STATE_NAMES[item.status]),
  );
  const back = make(
    "button",
    { type: "button", class: "back plain", "data-back": item.id, "data-key": `back-${item.id}`, "aria-label": _("Undo %(item)s", { item: item.name }) },
    pgettext("kitchen", "Undo"),
  );
  return make("li", {}, bump, item.status === "queued" ? null : back);
}

function changeRow({ name }) {
  const isLeftOut = LEFT_OUT.test(name.trim());
  return make("span", { class: isLeftOut ? "change left-out" : "change" }, make("span", { "aria-hidden": "true" }, isLeftOut ? "− " : "+ "), own("span", {}, name));
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
  return sorted.map(([name, count]) => make("li", {}, make("b", {}, `${count} ×`), " ", own("span", {}, name)));
}

export const total = (tickets) =>
  tickets.flatMap((ticket) => ticket.items).reduce((sum, item) => sum + (item.status === "ready" ? 0 : item.quantity), 0);

export function stationTabs(stations, chosen) {
  const all = [{ id: "", name: _("All") }, ...stations];
  return all.map(({ id, name }) =>
    make("button", { type: "button", class: "plain", dir: "auto", "data-station": id, "aria-pressed": String(String(id) === String(chosen)) }, name),
  );
}
