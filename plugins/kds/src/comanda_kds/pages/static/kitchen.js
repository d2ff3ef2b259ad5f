// The kitchen screen: what is to be made, and how far it is.
import { install, onOffer, onRelease } from "/own/installable.js";
import { gettext as _, ngettext } from "/own/texts.js";
import { StaffLogin } from "/staff-pages/static/login.js";
import { call, forget, here, keep, onOut, session } from "./api.js";
import { Board } from "./board.js";
import { CourseTimes } from "./course_times.js";
import { counts, itemsOfWhole, make, place, spoken, STATE_NAMES, stationTabs, total } from "./drawing.js";
import { Feed } from "./feed.js";
import { commandOf, drawKeys, followKeys } from "./keys.js";
import { PASS, toOrders } from "./pass.js";
import { SoldOut } from "./sold_out.js";
import * as sound from "./sound.js";
import { addFire, addFireTime, addSeen, addStep, isDone, queue, SETTLING_MS, stateAfter, waiting, withSteps } from "./steps.js";

const find = (name) => document.querySelector(`[data-${name}]`);
const [work, lost, told, heard, served, refusals] = ["work", "lost", "told", "heard", "served", "refusals"].map(find);
const LONG_PRESS_MS = 600;
const KEPT_SERVED = 6;
const TOLD_MS = 6_000;
// Gaps are closed when nobody has touched the screen for so long; a new release is loaded after a longer rest.
const REST_MS = 20_000;
const LONG_REST_MS = 120_000;
const SAVED = "comanda.kitchen.board";

// What the server said last, and what is shown: the same with the steps that wait.
let base = { tickets: [], soon_seconds: Infinity, late_seconds: Infinity };
let tickets = [];
let stations = [];
let chosen = "";
let lastServed = [];
let known = null;
let isPressed = false;
let lostSince = null;
let savedAt = null;
let telling;
let touchedAt = Date.now();
let hasRelease = false;

const board = new Board(find("board"), find("paging"));
const feed = new Feed(take, connection);
const soldOut = new SoldOut(find("sold-out"), (count) => (find("sold-out-count").textContent = count || ""));
const times = new CourseTimes(find("course-time"), addFireTime, () => board.now);
const login = new StaffLogin({
  session: here,
  permission: "kds",
  refused: _("You may not see the kitchen's tickets."),
  nameScreen: (mark) => _("Kitchen screen %(mark)s", { mark }),
});

function take(document, serverAhead) {
  base = document;
  board.limits = { soon: document.soon_seconds, late: document.late_seconds };
  board.ahead = serverAhead;
  save();
  update();
  announce();
  follow();
}

// The board survives a reload while the network is away; it leaves this device with whoever logs out.
function save() {
  try {
    localStorage.setItem(SAVED, JSON.stringify({ store: session().store?.id, at: Date.now(), base, stations, lastServed, ahead: board.ahead }));
  } catch {
    // Without room for it, the board is empty after a reload until the network is back.
  }
}

function restore() {
  try {
    const saved = JSON.parse(localStorage.getItem(SAVED));
    if (saved?.store !== session().store.id) return;
    ({ base, stations, lastServed } = saved);
    board.ahead = saved.ahead;
    board.limits = { soon: base.soon_seconds ?? Infinity, late: base.late_seconds ?? Infinity };
    known = new Set(withSteps(base.tickets).flatMap(newsOf));
    savedAt = saved.at;
  } catch {
    // It was not ours, or of another release.
  }
}

function update() {
  tickets = withSteps(base.tickets);
  showLost();
  draw();
}

const isAtPass = () => chosen === PASS.id;
const newsOf = (ticket) => [ticket.key, ...ticket.voids.map((each) => `void-${each.id}`)];

// Tickets nobody has heard of yet, and what was cancelled of them; at the pass, orders that are complete.
function announce() {
  if (isAtPass()) return announceComplete();
  const news = tickets.map((ticket) => ({ ...ticket, news: newsOf(ticket).filter((each) => known && !known.has(each)) }));
  known = new Set([...(known ?? []), ...tickets.flatMap(newsOf)]);
  const fresh = news.filter((ticket) => ticket.news.includes(ticket.key));
  const less = news.filter((ticket) => ticket.news.length && !ticket.news.includes(ticket.key));
  if (!fresh.length && !less.length) return;
  const list = (found) => ({ numbers: found.map((ticket) => ticket.number).join(", ") });
  const parts = [
    fresh.length && ngettext("New: order %(numbers)s.", "New: orders %(numbers)s.", fresh.length, list(fresh)),
    less.length && ngettext("Cancelled items: order %(numbers)s.", "Cancelled items: orders %(numbers)s.", less.length, list(less)),
  ];
  heard.textContent = parts.filter(Boolean).join(" ");
  sound.ring();
}

function announceComplete() {
  const complete = shown().filter((order) => order.isComplete);
  const fresh = complete.filter((order) => known && !known.has(order.key));
  known = new Set(complete.map((order) => order.key));
  if (!fresh.length) return;
  heard.textContent = ngettext("Ready: order %(numbers)s.", "Ready: orders %(numbers)s.", fresh.length, { numbers: fresh.map((order) => order.number).join(", ") });
  sound.ring();
}

function shown() {
  if (isAtPass()) return toOrders(tickets, stations);
  const isHere = (each) => chosen === "" || each.station_id === chosen;
  const toMake = tickets.map((ticket) => ({ ...ticket, items: ticket.items.filter((item) => isHere(item) && !isDone(item)), voids: ticket.voids.filter(isHere) }));
  return toMake.filter((ticket) => ticket.items.length || ticket.voids.length);
}

function draw() {
  // What lies under a finger stays there until it is lifted.
  if (isPressed || work.hidden) return;
  const visible = shown();
  drawServed();
  find("idle").hidden = visible.length > 0;
  board.draw(visible, isAtPass());
  find("counts").querySelector("ol").replaceChildren(...counts(visible));
  find("total").textContent = total(visible) || "";
  showLost();
}

function drawServed() {
  const focused = served.contains(document.activeElement) ? document.activeElement.dataset.key : null;
  served.hidden = !lastServed.length;
  served.lastElementChild.replaceChildren(
    ...lastServed.map(({ key, ticket }) =>
      make("button", { type: "button", class: "plain", dir: "auto", "data-recall": key, "data-key": `served-${key}` }, _("Recall %(ticket)s", { ticket: `#${ticket.number} ${place(ticket)}` })),
    ),
  );
  if (focused) (served.querySelector(`[data-key="${focused}"]`) ?? served.querySelector("button") ?? find("board")).focus({ preventScroll: true });
}

function drawStations() {
  const tabs = find("stations");
  const focused = document.activeElement?.dataset?.station;
  tabs.hidden = false;
  tabs.replaceChildren(...stationTabs(stations, chosen));
  if (focused !== undefined) tabs.querySelector(`[data-station="${focused}"]`)?.focus();
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
  if (!isAtPass() && !stations.some((station) => station.id === chosen)) chosen = "";
  save();
  drawStations();
  draw();
}

function say(sentence) {
  clearTimeout(telling);
  told.textContent = sentence;
  told.hidden = false;
  telling = setTimeout(() => (told.hidden = true), TOLD_MS);
}

function connection(isConnected) {
  if (isConnected) {
    lostSince = savedAt = null;
    queue.retry();
  } else lostSince ??= savedAt ?? Date.now();
  showLost();
}

function showLost() {
  const count = waiting();
  work.dataset.waiting = count;
  lost.hidden = lostSince === null;
  work.classList.toggle("stale", lostSince !== null);
  if (lostSince === null) return;
  const parts = [
    _("Offline for %(time)s", { time: spoken((Date.now() - lostSince) / 1000) }),
    count ? ngettext("%(num)s change to sync", "%(num)s changes to sync", count) : "",
  ];
  find("lost-text").textContent = parts.filter(Boolean).join(" · ");
}

function findItem(id) {
  for (const ticket of tickets) {
    const item = ticket.items.find((each) => each.id === id);
    if (item) return { ticket, item };
  }
  return null;
}

// What left the board of a ticket is kept together, so that the whole of it can be recalled; at the pass, of an order.
function keepServed({ items, voids, ...ticket }, item, status) {
  const key = isAtPass() ? `${ticket.order_id}` : ticket.key;
  const before = lastServed.find((each) => each.key === key)?.items ?? [];
  const others = lastServed.filter((each) => each.key !== key);
  lastServed = [{ key, ticket, items: [...before, { ticket, item: { ...item, status } }] }, ...others].slice(0, KEPT_SERVED);
}

async function step(ticket, item, act) {
  try {
    await addStep(ticket, item, act);
  } catch {
    say(_("This device keeps nothing more: the step was not taken."));
  }
}

async function recallServed(key) {
  const kept = lastServed.find((each) => each.key === key);
  if (!kept) return;
  lastServed = lastServed.filter((each) => each !== kept);
  save();
  await Promise.all(kept.items.map(({ ticket, item }) => step(ticket, item, "recall")));
}

async function move(id, act) {
  const found = findItem(id);
  if (!found) return;
  const { ticket, item } = found;
  const after = { ...item, status: stateAfter(item, act) };
  if (act === "bump" && (isAtPass() ? item.status === "ready" : isDone(after))) keepServed(ticket, item, after.status);
  save();
  await step(ticket, item, act);
}

const findTicket = (key) => shown().find((each) => each.key === key);

async function moveWhole(key) {
  const ticket = findTicket(key);
  if (!ticket) return;
  if (!ticket.items.length) for (const each of ticket.voids) await addSeen(ticket, each.id);
  await Promise.all(itemsOfWhole(ticket).map((item) => move(item.id, "bump")));
}

function see(id) {
  const ticket = tickets.find((each) => each.voids.some((found) => found.id === id));
  return ticket && addSeen(ticket, id);
}

// A ticket that is bumped whole is drawn once, not item by item.
let isUpdateDue = false;
queue.addEventListener("change", () => {
  if (isUpdateDue) return;
  isUpdateDue = true;
  queueMicrotask(() => {
    isUpdateDue = false;
    update();
  });
});
queue.addEventListener("sent", () => setTimeout(update, SETTLING_MS + 50));
queue.addEventListener("paused", () => forget(_("Your time here is over. Log in again.")));
queue.addEventListener("refused", ({ detail: { action, status, document } }) => {
  const { about } = action;
  if (!about?.item) return say(document.message ?? _("The server did not take that."));
  const rest = lastServed.map((each) => ({ ...each, items: each.items.filter(({ item }) => item.id !== about.item.id) }));
  lastServed = rest.filter((each) => each.items.length);
  // Somebody else did the same: that is what was wanted.
  if (status !== 409 || document.status !== about.to) tellRefusal(about, status, document);
  feed.retry();
  update();
});

function tellRefusal({ item, order }, status, document) {
  const what = { item: item.name, number: order.number, place: place(order) };
  let sentence = _("%(item)s, order %(number)s: %(reason)s", { ...what, reason: document.message ?? status });
  if (status === 404) sentence = _("%(item)s, order %(number)s: is no longer there.", what);
  else if (status === 409 && document.status === null) sentence = _("Order %(number)s, %(place)s, was cancelled.", what);
  else if (status === 409) sentence = _("%(item)s, order %(number)s: changed on another screen, now “%(state)s”.", { ...what, state: STATE_NAMES[document.status] ?? document.status });
  const list = refusals.querySelector("ul");
  if ([...list.children].some((row) => row.textContent === sentence)) return;
  list.append(make("li", { dir: "auto" }, sentence));
  refusals.hidden = false;
}

find("refusals-seen").addEventListener("click", () => {
  refusals.hidden = true;
  refusals.querySelector("ul").replaceChildren();
  find("board").focus({ preventScroll: true });
});

function press(target) {
  const item = target.closest("[data-item]");
  if (item) return move(Number(item.dataset.item), "bump");
  const back = target.closest("[data-back]");
  if (back) return move(Number(back.dataset.back), "recall");
  const whole = target.closest("[data-whole]");
  if (whole) return moveWhole(whole.dataset.whole);
  const seen = target.closest("[data-void]");
  if (seen) return see(Number(seen.dataset.void));
  const fire = target.closest("[data-fire]");
  if (fire) return addFire(findTicket(fire.dataset.fire), Number(fire.dataset.course));
  const time = target.closest("[data-time]");
  if (time) return times.open(findTicket(time.dataset.time), Number(time.dataset.course), time.dataset.fireAt);
  const recall = target.closest("[data-recall]");
  if (recall) return recallServed(recall.dataset.recall);
  const out = target.closest("[data-out-of]");
  if (out) return openSoldOut(out.dataset.outOf);
  const turn = target.closest("[data-turn]");
  return turn && board.turn(Number(turn.dataset.turn));
}

function openSoldOut(key) {
  const ticket = findTicket(key);
  if (ticket) soldOut.open([ticket], _("Sold out, from order %(number)s", { number: ticket.number }));
  else soldOut.open(tickets, _("Sold out"));
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
for (const name of ["pointerdown", "keydown"]) addEventListener(name, () => (touchedAt = Date.now()), { capture: true });

work.addEventListener("contextmenu", (event) => event.target.closest("[data-item]") && event.preventDefault());
work.addEventListener("click", (event) => {
  if (wasLong) wasLong = false;
  else press(event.target);
});

const commands = {
  bump() {
    const focused = document.activeElement;
    const card = focused.closest?.(".ticket");
    if (focused.matches?.("[data-item], [data-void], [data-fire], [data-time]")) press(focused);
    else if (card) moveWhole(card.dataset.order);
    else board.step("ArrowRight");
  },
  recall() {
    const focused = document.activeElement.closest?.("[data-item]");
    if (focused) move(Number(focused.dataset.item), "recall");
    else if (lastServed.length) recallServed(lastServed[0].key);
  },
  whole() {
    const card = document.activeElement.closest?.(".ticket");
    if (card) moveWhole(card.dataset.order);
  },
  next: () => board.turn(1),
  previous: () => board.turn(-1),
  compact: () => board.compact(),
  all_day: () => find("all-day").click(),
  sold_out: () => openSoldOut(document.activeElement.closest?.(".ticket")?.dataset.order),
  mute: () => find("sound").click(),
  help: () => openOptions(),
};

addEventListener("keydown", (event) => {
  const isElsewhere = work.hidden || document.querySelector("dialog[open]") || event.target.closest?.("input, select");
  if (isElsewhere || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key.startsWith("Arrow")) {
    event.preventDefault();
    return board.step(event.key);
  }
  const command = commandOf(event);
  // Buttons outside of items are pressed as everywhere.
  if (!command || (command === "bump" && event.target.closest?.("button:not(.item, .whole, .fire, .time)"))) return;
  event.preventDefault();
  if (event.repeat) return;
  if (commands[command]) commands[command]();
  else board.select(Number(command));
});

find("stations").addEventListener("click", (event) => {
  const tab = event.target.closest("[data-station]");
  if (!tab) return;
  const { station } = tab.dataset;
  chosen = station === "" || station === PASS.id ? station : Number(station);
  keep({ station: chosen });
  known = null;
  board.reset();
  drawStations();
  draw();
});

find("all-day").addEventListener("click", (event) => {
  const panel = find("counts");
  panel.hidden = !panel.hidden;
  event.currentTarget.setAttribute("aria-pressed", String(!panel.hidden));
  draw();
});

function drawSound() {
  const button = find("sound");
  button.title = sound.isOn() ? _("Sound is on") : _("Sound is off");
  button.setAttribute("aria-pressed", String(sound.isOn()));
}

find("sound").addEventListener("click", () => {
  sound.toggle();
  drawSound();
});
find("retry").addEventListener("click", () => {
  feed.retry();
  queue.retry();
});
find("open-sold-out").addEventListener("click", () => openSoldOut());
for (const button of document.querySelectorAll("[data-close]")) button.addEventListener("click", () => button.closest("dialog").close());
for (const dialog of document.querySelectorAll("dialog")) dialog.addEventListener("close", draw);

function openOptions() {
  drawKeys(find("keys"));
  document.querySelector(`[name=density][value="${board.density}"]`).checked = true;
  document.querySelector(`[name=colours][value="${session().colours ?? ""}"]`).checked = true;
  find("options").showModal();
}

find("open-options").addEventListener("click", openOptions);
followKeys(find("keys"));
find("density").addEventListener("change", (event) => {
  keep({ density: event.target.value });
  board.density = event.target.value;
  draw();
});
find("colours").addEventListener("change", (event) => {
  keep({ colours: event.target.value });
  applyColours();
});

function applyColours() {
  const { colours } = session();
  if (colours) document.documentElement.dataset.theme = colours;
  else if (colours === "") delete document.documentElement.dataset.theme;
}

find("approve").addEventListener("click", async () => {
  try {
    const sentence = await login.enrolment.approve();
    if (sentence) say(sentence);
  } catch (error) {
    say(error.message);
  }
});
onOffer(() => (find("install").hidden = false));
find("install").addEventListener("click", async () => {
  find("install").hidden = await install();
});
onRelease(() => (hasRelease = true));

find("out").addEventListener("click", () => {
  const count = waiting();
  if (!count && !tickets.length) return leave();
  find("leave-tickets").textContent = tickets.length ? ngettext("%(num)s ticket is on the board.", "%(num)s tickets are on the board.", tickets.length) : "";
  find("leave-waiting").textContent = count ? ngettext("%(num)s change has not been sent. It stays on this device and is sent when somebody of this store logs in here.", "%(num)s changes have not been sent. They stay on this device and are sent when somebody of this store logs in here.", count) : "";
  find("leave").showModal();
  return find("stay").focus();
});
find("stay").addEventListener("click", () => find("leave").close());
find("leave-now").addEventListener("click", leave);

async function leave() {
  find("leave").close();
  await call("POST", "/api/v1/staff/logout").catch(() => {});
  localStorage.removeItem(SAVED);
  forget();
}

setInterval(() => {
  if (work.hidden) return;
  board.tick();
  showLost();
  const restedMs = Date.now() - touchedAt;
  if (restedMs > REST_MS && board.hasGaps && !isPressed) board.compact();
  if (hasRelease && restedMs > LONG_REST_MS && lostSince === null && !waiting()) location.reload();
}, 1000);
addEventListener("resize", draw);

// A screen on the wall does not go dark.
async function stayAwake() {
  if (!document.hidden && session().token) await navigator.wakeLock?.request("screen").catch(() => {});
}
document.addEventListener("visibilitychange", stayAwake);

async function enter() {
  find("title").textContent = session().store.title;
  work.hidden = find("acts").hidden = false;
  find("approve").hidden = session().role !== "manager";
  board.density = session().density ?? "normal";
  chosen = session().station ?? "";
  board.reset();
  base = { tickets: [] };
  known = null;
  restore();
  drawSound();
  drawStations();
  await queue.ready;
  update();
  showLost();
  queue.start();
  feed.start();
  readStations();
  soldOut.read();
  stayAwake();
}

applyColours();
login.onIn(enter);
onOut((reason) => {
  feed.stop();
  queue.stop();
  lostSince = null;
  lastServed = [];
  showLost();
  refusals.hidden = true;
  for (const dialog of document.querySelectorAll("dialog[open]")) dialog.close();
  work.hidden = find("acts").hidden = find("stations").hidden = true;
  find("title").textContent = _("Kitchen");
  login.show(reason);
});

if (session().token && session().store) enter();
else login.show();
