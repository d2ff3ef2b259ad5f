// Tickets, counts and stations as elements.
import { gettext as _, describeFacts, locale, pgettext } from "/own/texts.js";
import { PASS } from "./pass.js";
import { stateAfter } from "./steps.js";

const TYPES = {
  "on-table": _("Table"),
  takeaway: _("Takeaway"),
  delivery: _("Delivery"),
  room_service: _("Room"),
};
export const STATE_NAMES = { queued: _("To do"), preparing: _("Cooking"), ready: _("Ready"), served: _("Served") };
const LATENESS = { on_time: _("On time"), soon: _("Soon late"), late: _("Late") };
// Besides the colour; a word would not fit beside what the ticket's button says.
const MARKS = { on_time: "", soon: "!", late: "!!" };
// What a tap on the whole ticket does, by what becomes of the least of its items.
const WHOLE = { preparing: _("Start all"), ready: _("All ready"), served: _("All served") };
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

export const least = (items) => ORDER.find((state) => items.some((item) => item.status === state && !item.is_held));

// How far a whole ticket is: what of its items is not held, or why there is none.
export const stateOf = ({ items }) => least(items) ?? (items.length ? "held" : "cancelled");

// The items that a tap on the whole ticket moves: at the pass what is ready, else the least of them.
export function itemsOfWhole(ticket) {
  const state = ticket.isAtPass ? "ready" : stateOf(ticket);
  return ticket.items.filter((item) => item.status === state && !item.is_held);
}

function labelOfWhole(ticket) {
  const items = itemsOfWhole(ticket);
  // All that is left was cancelled, and is seen.
  if (!ticket.items.length) return _("Seen");
  if (!items.length) return "";
  if (!ticket.isAtPass) return WHOLE[stateAfter(items[0], "bump")];
  if (ticket.isComplete) return pgettext("kitchen", "Hand over");
  const fired = ticket.items.filter((item) => !item.is_held);
  return _("Hand over %(ready)s/%(all)s", { ready: items.length, all: fired.length });
}

const timeOf = (moment) => new Date(moment).toLocaleTimeString(locale, { timeStyle: "short" });

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

// `waits` tells which items have not been confirmed by the server.
export function ticketCard(ticket, waits) {
  const { key, number, items, voids } = ticket;
  const state = stateOf(ticket);
  const whole = labelOfWhole(ticket);
  const promised = ticket.promised_at && _("For %(time)s", { time: timeOf(ticket.promised_at) });
  const head = make(
    "header",
    {},
    make("h2", {}, make("span", { class: "number" }, `#${number}`), " ", make("span", { dir: "auto" }, place(ticket))),
    make("p", { class: "age" }, state === "held" ? make("b", {}, _("Hold")) : make("time", { "data-age": "" }), " ", state !== "held" && make("b", { "data-late": "", "aria-hidden": "true" }), make("span", { class: "unseen", "data-late-name": "" })),
    make("kbd", { "aria-hidden": "true" }),
    whole && make("button", { type: "button", class: "whole", "data-whole": key, "data-key": `whole-${key}` }, whole),
    make("button", { type: "button", class: "out", "data-out-of": key, "data-key": `out-${key}`, "aria-label": _("Sold out, from order %(number)s", { number }) }),
  );
  const whom = [
    ticket.round > 1 && make("b", {}, _("Round %(number)s", { number: ticket.round })),
    ticket.customer_name && own("span", {}, ticket.customer_name),
    promised && make("span", {}, promised),
  ].filter(Boolean);
  const label = _("Order %(number)s, %(place)s", { number, place: place(ticket) });
  // What is in each dish is read when a guest must not eat something; otherwise it would only take room.
  const read = Object.keys(ticket.facts).length ? items : items.map((item) => ({ ...item, facts: {} }));
  return make(
    "article",
    { class: ticket.isAtPass && !ticket.isComplete ? "ticket waits" : "ticket", tabindex: "0", "data-order": key, "data-since": ticket.since, "data-state": state, "data-key": `order-${key}`, "aria-label": label },
    head,
    whom.length > 0 && make("p", { class: "whom" }, ...whom),
    ...describeFacts(ticket.facts).map((each) => make("p", { class: "note" }, each)),
    ticket.note && own("p", { class: "note" }, ticket.note),
    make("ul", { tabindex: "-1" }, ...voids.map(voidRow), ...courses(read).flatMap((course) => courseRows(ticket, course, waits))),
    make("p", { class: "more", "data-more": "", hidden: "" }),
  );
}

// The items by course, what is held last; the first one needs no name.
function courses(items) {
  const found = [];
  for (const item of items) {
    const number = item.course ?? 1;
    const course = found.find((each) => each.number === number && each.isHeld === item.is_held);
    if (course) course.items.push(item);
    else found.push({ number, isHeld: item.is_held, items: [item] });
  }
  return found.sort((one, other) => one.isHeld - other.isHeld || one.number - other.number);
}

function courseRows(ticket, { number, isHeld, items }, waits) {
  const row = (item) => (ticket.isAtPass && item.status !== "ready" ? awaitedRow(item) : itemRow(item, stateOf(ticket), waits(item.id)));
  const rows = items.map(row);
  if (number === 1) return rows;
  const name = _("Course %(number)s", { number });
  const fireAt = items[0].fire_at;
  const when = fireAt ? _("%(course)s · %(time)s", { course: name, time: timeOf(fireAt) }) : _("%(course)s · Hold", { course: name });
  const fire = make(
    "button",
    { type: "button", class: "fire plain", "data-fire": ticket.key, "data-course": number, "data-key": `fire-${ticket.key}-${number}`, "aria-label": _("Fire course %(number)s of order %(order)s", { number, order: ticket.number }) },
    pgettext("kitchen", "Fire"),
  );
  const time = make("button", {
    type: "button",
    class: "time plain",
    "data-time": ticket.key,
    "data-course": number,
    "data-fire-at": fireAt,
    "data-key": `time-${ticket.key}-${number}`,
    "aria-label": _("Time of course %(number)s, order %(order)s", { number, order: ticket.number }),
  });
  return [make("li", { class: "course" }, make("b", {}, isHeld ? when : name), isHeld && time, isHeld && fire), ...rows];
}

// What an order still waits for at the pass, and where it is made.
function awaitedRow(item) {
  const state = !item.is_held && (item.status !== "queued" || !item.station) && STATE_NAMES[item.status];
  const where = [item.station, state].filter(Boolean).join(" · ");
  return make("li", { class: item.is_held ? "held" : "awaited" }, make("div", { class: "item", "data-state": item.status }, ...words({ ...item, where })));
}

// What each line of an item or of something cancelled says.
function words({ quantity, name, measure, variation, extras, facts, note, seat, where }) {
  const more = [measure && own("b", {}, measure), seat && make("small", { class: "seat" }, _("Seat %(number)s", { number: seat })), where && own("small", { class: "where" }, where)];
  return [
    make("span", { class: "what" }, make("b", {}, `${quantity} ×`), " ", own("span", {}, name), ...more.filter(Boolean).flatMap((each) => [" ", each])),
    ...[variation, ...extras].filter((each) => each?.name).map(changeRow),
    ...describeFacts(facts).map((each) => make("small", { class: "facts" }, each)),
    note && own("span", { class: "note" }, note),
  ];
}

function voidRow(each) {
  return make(
    "li",
    {},
    make(
      "button",
      { type: "button", class: "item void", "data-void": each.id, "data-key": `void-${each.id}` },
      make("s", {}, ...words(each).filter(Boolean)),
      make("span", { class: "state" }, _("Cancelled")),
    ),
  );
}

function itemRow(item, state, isWaiting) {
  if (item.is_held) return make("li", { class: "held" }, make("div", { class: "item" }, ...words(item)));
  const bump = make(
    "button",
    { type: "button", class: "item", "data-item": item.id, "data-state": item.status, "data-waits": isWaiting ? "" : null, "data-key": `item-${item.id}` },
    ...words(item),
    item.status !== state && make("span", { class: "unseen" }, STATE_NAMES[item.status]),
  );
  const back = make(
    "button",
    { type: "button", class: "back plain", "data-back": item.id, "data-key": `back-${item.id}`, "aria-label": _("Undo %(item)s", { item: item.name }) },
    "↶",
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
    const clock = card.querySelector("[data-age]");
    // What is held waits for somebody else, so it is not late.
    if (!clock) continue;
    clock.textContent = spoken(age);
    if (card.dataset.lateness !== late) {
      card.dataset.lateness = late;
      card.querySelector("[data-late]").textContent = MARKS[late];
      card.querySelector("[data-late-name]").textContent = LATENESS[late];
    }
  }
}

const isToMake = (item) => item.status !== "ready" && !item.is_held;

export function counts(tickets) {
  const found = new Map();
  for (const item of tickets.flatMap((ticket) => ticket.items)) {
    if (!isToMake(item)) continue;
    const name = [item.name, item.variation?.name].filter(Boolean).join(", ");
    found.set(name, (found.get(name) ?? 0) + item.quantity);
  }
  const sorted = [...found].sort(([one, many], [other, few]) => few - many || one.localeCompare(other));
  return sorted.map(([name, count]) => make("li", {}, make("b", {}, `${count} ×`), " ", own("span", {}, name)));
}

export const total = (tickets) =>
  tickets.flatMap((ticket) => ticket.items).reduce((sum, item) => sum + (isToMake(item) ? item.quantity : 0), 0);

export function stationTabs(stations, chosen) {
  const all = [{ id: "", name: _("All") }, ...(stations.length > 1 ? stations : []), PASS];
  return all.map(({ id, name }) =>
    make("button", { type: "button", class: "plain", dir: "auto", "data-station": id, "aria-pressed": String(String(id) === String(chosen)) }, name),
  );
}
