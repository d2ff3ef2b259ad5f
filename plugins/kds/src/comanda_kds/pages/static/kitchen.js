// The kitchen screen: what is to be made, and how far it is.
import { gettext as _, ngettext } from "/own/texts.js";
import { call, forget, onOut, session, Unanswered } from "./api.js";
import { counts, least, make, spoken, stationTabs, tick, ticketCard } from "./drawing.js";
import { approve } from "./enrolment.js";
import { Feed } from "./feed.js";
import { onIn, show as showLogin } from "./login.js";
import * as sound from "./sound.js";

const find = (name) => document.querySelector(`[data-${name}]`);
const [work, board, lost, told, heard, served] = ["work", "board", "lost", "told", "heard", "served"].map(find);
const LONG_PRESS_MS = 600;
const KEPT_SERVED = 6;
const TOLD_MS = 6_000;

let tickets = [];
let limits = { soon: Infinity, late: Infinity };
let ahead = 0;
let stations = [];
let chosen = "";
let lastServed = [];
let known = null;
let isPressed = false;
let lostSince = null;
let telling;

const feed = new Feed(take, connection);

function take(document, serverAhead) {
  limits = { soon: document.soon_seconds, late: document.late_seconds };
  tickets = document.tickets;
  ahead = serverAhead;
  announce();
  draw();
  follow();
}

// New stations, and tickets nobody has seen yet.
function announce() {
  const ids = new Set(tickets.map((ticket) => ticket.order_id));
  const fresh = known ? tickets.filter((ticket) => !known.has(ticket.order_id)) : [];
  known = ids;
  if (!fresh.length) return;
  heard.textContent = ngettext("New: order %(numbers)s.", "New: orders %(numbers)s.", fresh.length, { numbers: fresh.map((ticket) => ticket.number).join(", ") });
  sound.ring();
}

function shown() {
  if (chosen === "") return tickets;
  const atStation = tickets.map((ticket) => ({ ...ticket, items: ticket.items.filter((item) => item.station_id === chosen) }));
  return atStation.filter((ticket) => ticket.items.length);
}

function draw() {
  // What lies under a finger stays there until it is lifted.
  if (isPressed) return;
  const focused = document.activeElement?.dataset?.key;
  const visible = shown();
  board.replaceChildren(...visible.map(ticketCard));
  tick(board, limits, Date.now() + ahead);
  find("idle").hidden = visible.length > 0;
  find("counts").querySelector("ol").replaceChildren(...counts(visible));
  served.hidden = !lastServed.length;
  served.lastElementChild.replaceChildren(
    ...lastServed.map((item) =>
      make("button", { type: "button", class: "plain", "data-back": item.id, "data-key": `served-${item.id}` }, _("%(item)s back", { item: `${item.quantity} × ${item.name} (#${item.number})` })),
    ),
  );
  if (focused) document.querySelector(`[data-key="${focused}"]`)?.focus({ preventScroll: true });
}

function drawStations() {
  const tabs = find("stations");
  tabs.hidden = stations.length < 2;
  tabs.replaceChildren(...stationTabs(stations, chosen));
}

// A station that a ticket names and no tab does was added just now.
async function follow() {
  const named = new Set(tickets.flatMap((ticket) => ticket.items.map((item) => item.station_id)).filter(Boolean));
  if ([...named].every((id) => stations.some((station) => station.id === id))) return;
  await readStations();
}

async function readStations() {
  try {
    stations = (await call("GET", "/api/v1/staff/kds/stations?per_page=100")).data;
  } catch {
    return;
  }
  if (!stations.some((station) => station.id === chosen)) chosen = "";
  drawStations();
}

function say(sentence) {
  clearTimeout(telling);
  told.textContent = sentence;
  told.hidden = false;
  telling = setTimeout(() => (told.hidden = true), TOLD_MS);
}

function connection(isConnected) {
  if (isConnected) lostSince = null;
  else lostSince ??= Date.now();
  showLost();
}

function showLost() {
  lost.hidden = lostSince === null;
  work.classList.toggle("stale", lostSince !== null);
  if (lostSince !== null) find("lost-age").textContent = spoken((Date.now() - lostSince) / 1000);
}

const itemOf = (id) => tickets.flatMap((ticket) => ticket.items).find((item) => item.id === id);

async function move(id, act) {
  if (!feed.isConnected) {
    say(_("Not connected: nothing was changed."));
    return;
  }
  const item = itemOf(id);
  const expected = item?.status ?? "served";
  const element = document.querySelector(`[data-item="${id}"]`);
  if (element?.getAttribute("aria-busy") === "true") return;
  element?.setAttribute("aria-busy", "true");
  try {
    moved(await call("PUT", `/api/v1/staff/kds/items/${id}/${act}`, { expected_status: expected }));
  } catch (error) {
    element?.removeAttribute("aria-busy");
    if (error.status === 409 || error.status === 404) lastServed = lastServed.filter((each) => each.id !== id);
    say(error.message);
    if (error instanceof Unanswered) feed.retry();
  }
}

function moved(answer) {
  const ticket = tickets.find((each) => each.order_id === answer.order_id);
  lastServed = lastServed.filter((item) => item.id !== answer.id);
  if (answer.status === "served") lastServed = [{ ...answer, number: ticket?.number ?? "" }, ...lastServed].slice(0, KEPT_SERVED);
  if (ticket) {
    const item = ticket.items.find((each) => each.id === answer.id);
    if (item) item.status = answer.status;
    ticket.items = ticket.items.filter((each) => each.status !== "served");
    tickets = tickets.filter((each) => each.items.length);
  }
  draw();
}

async function moveWhole(orderId) {
  const ticket = shown().find((each) => each.order_id === orderId);
  if (!ticket) return;
  const state = least(ticket.items);
  for (const item of ticket.items.filter((each) => each.status === state)) await move(item.id, "bump");
}

function press(target) {
  const item = target.closest("[data-item]");
  if (item) return move(Number(item.dataset.item), "bump");
  const back = target.closest("[data-back]");
  if (back) return move(Number(back.dataset.back), "recall");
  const whole = target.closest("[data-whole]");
  return whole && moveWhole(Number(whole.dataset.whole));
}

let longPress;
let wasLong = false;

work.addEventListener("pointerdown", (event) => {
  isPressed = true;
  wasLong = false;
  const item = event.target.closest("[data-item]");
  clearTimeout(longPress);
  if (item) {
    longPress = setTimeout(() => {
      wasLong = true;
      move(Number(item.dataset.item), "recall");
    }, LONG_PRESS_MS);
  }
});

for (const name of ["pointerup", "pointercancel"]) {
  addEventListener(name, () => {
    clearTimeout(longPress);
    if (!isPressed) return;
    isPressed = false;
    // After the click that this may become.
    setTimeout(draw, 50);
  });
}

work.addEventListener("contextmenu", (event) => event.target.closest("[data-item]") && event.preventDefault());
work.addEventListener("click", (event) => {
  if (wasLong) wasLong = false;
  else press(event.target);
});

function step(key) {
  const cards = [...board.children];
  const here = document.activeElement.closest?.(".ticket");
  if (!here) return board.querySelector(".item")?.focus();
  const items = [...here.querySelectorAll(".item, .whole")];
  const place = items.indexOf(document.activeElement);
  if (key === "ArrowUp" || key === "ArrowDown") return items[place + (key === "ArrowUp" ? -1 : 1)]?.focus();
  const next = cards[cards.indexOf(here) + (key === "ArrowLeft" ? -1 : 1)];
  const theirs = next ? [...next.querySelectorAll(".item, .whole")] : [];
  return theirs[Math.min(Math.max(place, 0), theirs.length - 1)]?.focus();
}

addEventListener("keydown", (event) => {
  if (work.hidden || event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input")) return;
  const key = event.key.toLowerCase();
  if (event.key.startsWith("Arrow")) {
    event.preventDefault();
    step(event.key);
  } else if (key === "r") {
    const focused = document.activeElement.closest("[data-item]");
    const id = focused ? Number(focused.dataset.item) : lastServed[0]?.id;
    if (id) move(id, "recall");
  } else if (key === "a") {
    const card = document.activeElement.closest(".ticket");
    if (card) moveWhole(Number(card.dataset.order));
  }
});

find("stations").addEventListener("click", (event) => {
  const tab = event.target.closest("[data-station]");
  if (!tab) return;
  chosen = tab.dataset.station === "" ? "" : Number(tab.dataset.station);
  drawStations();
  draw();
});

find("all-day").addEventListener("click", (event) => {
  const panel = find("counts");
  panel.hidden = !panel.hidden;
  work.classList.toggle("counting", !panel.hidden);
  event.currentTarget.setAttribute("aria-pressed", String(!panel.hidden));
});

function drawSound() {
  const button = find("sound");
  button.textContent = sound.isOn() ? _("Sound is on") : _("Sound is off");
  button.setAttribute("aria-pressed", String(sound.isOn()));
}

find("sound").addEventListener("click", () => {
  sound.toggle();
  drawSound();
});
find("retry").addEventListener("click", () => feed.retry());
find("approve").addEventListener("click", async () => {
  try {
    const sentence = await approve();
    if (sentence) say(sentence);
  } catch (error) {
    say(error.message);
  }
});
find("out").addEventListener("click", async () => {
  await call("POST", "/api/v1/staff/logout").catch(() => {});
  forget();
});

setInterval(() => {
  if (work.hidden) return;
  tick(board, limits, Date.now() + ahead);
  showLost();
}, 1000);

// A screen on the wall does not go dark.
async function stayAwake() {
  if (!document.hidden && session().token) await navigator.wakeLock?.request("screen").catch(() => {});
}
document.addEventListener("visibilitychange", stayAwake);

function enter() {
  find("title").textContent = session().store.title;
  work.hidden = find("acts").hidden = false;
  find("approve").hidden = session().role !== "manager";
  tickets = [];
  known = null;
  drawSound();
  readStations();
  feed.start();
  stayAwake();
}

onIn(enter);
onOut((reason) => {
  feed.stop();
  lostSince = null;
  lastServed = [];
  showLost();
  work.hidden = find("acts").hidden = find("stations").hidden = true;
  find("title").textContent = _("Kitchen");
  showLogin(reason);
});

if (session().token && session().store) enter();
else showLogin();
