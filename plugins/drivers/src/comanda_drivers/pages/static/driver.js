// The driver's page: what is offered, what is free, what is theirs to bring, and what they earned. What they do is kept
// on the phone until the server has it.
import { gettext as _, ngettext } from "/own/texts.js";
import { drawMap } from "/own/place_map.js";
import { ActionQueue } from "./action_queue.js";
import { call, forget, isFinal, keep, now, onOut, session, Unanswered } from "./api.js";
import * as data from "./device_data.js";
import { ask, askCode, askFinish, askWhy } from "./dialogs.js";
import { doneCard, errandCard, freeCard, missingProof, offerCard, refusedCard } from "./drawing.js";
import { cashHeld, earnedToday, earnings } from "./earnings.js";
import { distance } from "./elements.js";
import { onIn, show as showLogin } from "./login.js";
import { shrink } from "./photos.js";
import * as place from "./place.js";
import * as push from "./push.js";
import { isFetching, sort, target } from "./route.js";

const worker = navigator.serviceWorker?.register("/driver/worker.js", { scope: "/driver/" }).then(() => navigator.serviceWorker.ready).catch(() => null);
const find = (name) => document.querySelector(`[data-${name}]`);
const [work, acts, told, heard, lost, shift, mine, free, offers, refused, map] = ["work", "acts", "told", "heard", "lost", "shift", "mine", "free", "offers", "refused", "map"].map(find);
const ASK_MS = 5_000;
const TOLD_MS = 6_000;
const OVER = new Set(["delivered", "failed"]);

let telling;
let asking;
let round = 0;
let known = new Set();
let isLost = !navigator.onLine;

const queue = new ActionQueue({ name: "comanda.driver", isFinal, send: (action) => call(action.method, action.path, action.body, { "Idempotency-Key": action.key }) });

function say(sentence) {
  clearTimeout(telling);
  told.textContent = sentence;
  told.hidden = !sentence;
  telling = setTimeout(() => (told.hidden = true), TOLD_MS);
}

// Focus stays where it was: on the same button of the new card, or else on the card's main one.
function keepFocus(where, change) {
  const { activeElement: focused } = document;
  const [key, name] = [focused?.closest("[data-key]")?.dataset.key, focused?.dataset.act];
  const isInside = where.contains(focused);
  change();
  if (!isInside || focused.isConnected) return;
  const card = where.querySelector(`[data-key="${key}"]`) ?? where.firstElementChild;
  (card?.querySelector(`[data-act="${name}"]:not(:disabled)`) ?? card?.querySelector(".main") ?? card?.querySelector("button, a"))?.focus();
}

// Draws anew only what differs: in the rest somebody may be about to tap.
function draw(where, records, key, card) {
  const old = new Map([...where.children].map((element) => [element.dataset.key, element]));
  const cards = records.map((record) => {
    const [name, state] = [String(record[key]), JSON.stringify(record)];
    const there = old.get(name);
    if (there?.state === state) return there;
    const made = card(record);
    made.dataset.key = name;
    made.state = state;
    if (there?.querySelector("details.more")?.open) made.querySelector("details.more")?.setAttribute("open", "");
    return made;
  });
  if (cards.length === where.children.length && cards.every((element, position) => element === where.children[position])) return;
  keepFocus(where, () => where.replaceChildren(...cards));
}

function drawOffers(found) {
  draw(offers.lastElementChild, found, "id", offerCard);
  offers.hidden = !found.length;
  const fresh = found.filter((offer) => !known.has(offer.id));
  known = new Set(found.map((offer) => offer.id));
  if (fresh.length) {
    heard.textContent = _("Order %(number)s is offered to you.", { number: fresh[0].delivery.number });
    navigator.vibrate?.([200, 100, 200]);
  }
  tick();
}

function drawMe(me) {
  find("name").textContent = me.name;
  shift.textContent = me.is_on_shift ? _("On shift") : _("Off shift");
  shift.setAttribute("aria-checked", String(me.is_on_shift));
}

const open = () => data.read().deliveries.map((delivery) => data.project(delivery, queue.actions));
const route = () => sort(open().filter((delivery) => !OVER.has(delivery.delivery_status)), place.where() ?? session().driver?.location ?? null, data.read().chosen);

function drawRoute(stops) {
  const here = place.where() ?? session().driver?.location;
  const places = stops
    .map((delivery, index) => ({ ...target(delivery), id: delivery.id, kind: index ? "stop" : "next", text: String(index + 1), title: `#${delivery.number}` }))
    .filter((stop) => stop.lat !== null && stop.lat !== undefined);
  // Orders of one store are fetched at one place.
  const seen = new Map();
  const shown = places.filter((stop) => !seen.has(`${stop.lat},${stop.lng}`) && seen.set(`${stop.lat},${stop.lng}`, true));
  const homes = stops.filter((delivery) => isFetching(delivery) && delivery.dropoff.lat !== null).map((delivery) => ({ id: `home-${delivery.id}`, kind: "home", lat: delivery.dropoff.lat, lng: delivery.dropoff.lng, title: `#${delivery.number}` }));
  map.hidden = !shown.length;
  if (!shown.length) return;
  const me = here ? [{ id: "me", kind: "me", lat: here.lat, lng: here.lng, title: _("You") }] : [];
  drawMap(map, { label: _("Map of your stops"), places: [...shown, ...homes, ...me], way: ["me", ...shown.map((stop) => stop.id), ...homes.map((home) => home.id)] }, { format: distance });
}

function drawMine() {
  const stops = route();
  const over = open().filter((delivery) => OVER.has(delivery.delivery_status));
  const cards = [...stops.map((delivery, index) => ({ ...delivery, position: index + 1, count: stops.length })), ...over];
  draw(mine, cards, "id", (delivery) => (OVER.has(delivery.delivery_status) ? doneCard(delivery) : errandCard(delivery)));
  find("none").hidden = cards.length > 0;
  find("suggested").hidden = data.read().chosen === null || stops.length < 2;
  drawRoute(stops);
  const ids = new Set(cards.map((delivery) => delivery.id));
  const orphans = queue.actions.filter((action) => action.problem && !ids.has(action.subject));
  draw(refused.lastElementChild, orphans, "id", refusedCard);
  refused.hidden = !orphans.length;
}

function drawConnection() {
  const count = queue.actions.filter((action) => !action.problem).length;
  const unsent = ngettext("%(num)s change is waiting to be sent.", "%(num)s changes are waiting to be sent.", count);
  lost.textContent = [isLost && _("No connection."), count ? unsent : isLost && _("What you see may be old.")].filter(Boolean).join(" ");
  lost.hidden = !session().token || !lost.textContent;
  lost.classList.toggle("calm", !isLost);
  find("pool").hidden = isLost;
}

function drawAll(me, offered, errands, available) {
  keep({ driver: me });
  data.update({ deliveries: errands.data });
  drawMe(me);
  drawOffers(offered.data);
  drawMine();
  // How far it is changes all the time, and is no reason to draw anew under a finger.
  draw(free, available.data.map(({ distance_m: metres, ...rest }) => ({ ...rest, distance_m: metres === null ? null : Math.round(metres / 500) * 500 })), "id", freeCard);
  find("nothing").hidden = available.data.length > 0;
  place.follow({ isBringing: errands.data.length > 0, isOnShift: me.is_on_shift });
}

async function refresh() {
  clearTimeout(asking);
  await queue.flush();
  const mineIs = ++round;
  try {
    const found = await Promise.all([call("GET", "/me"), call("GET", "/offers"), call("GET", "/deliveries?active=1"), call("GET", "/available")]);
    // An answer that was overtaken by a newer question, or by an act, is old.
    if (mineIs === round && session().token) {
      isLost = false;
      drawAll(...found);
      place.send();
    }
  } catch (error) {
    if (mineIs === round && session().token) isLost = error instanceof Unanswered;
  }
  if (!session().token) return;
  drawConnection();
  clearTimeout(asking);
  if (!document.hidden) asking = setTimeout(refresh, ASK_MS);
}

function tick() {
  for (const card of offers.querySelectorAll("[data-ends]")) {
    const seconds = Math.ceil((Date.parse(card.dataset.ends) - now()) / 1000);
    card.querySelector("[data-left]").textContent = _("%(seconds)s s", { seconds: Math.max(0, seconds) });
    card.querySelector("progress").value = Math.max(0, seconds);
    if (seconds <= 0) card.remove();
  }
  offers.hidden = !offers.lastElementChild.children.length;
}

async function attempt(element, act) {
  if (element.getAttribute("aria-busy") === "true") return;
  element.setAttribute("aria-busy", "true");
  try {
    say((await act()) ?? "");
  } catch (error) {
    say(error.message);
  } finally {
    element.removeAttribute("aria-busy");
  }
  if (session().token) await refresh();
}

const get = (card) => open().find((delivery) => String(delivery.id) === card.dataset.order);

function add(delivery, kind, method, path, body) {
  return queue.add({ kind, method, path: `/deliveries/${delivery.id}${path}`, body, subject: delivery.id, number: delivery.number, driver: session().driver?.id });
}

function move(card, by) {
  const ids = route().map((delivery) => delivery.id);
  const at = ids.findIndex((id) => String(id) === card.dataset.order);
  if (at < 0 || !(at + by in ids)) return;
  [ids[at], ids[at + by]] = [ids[at + by], ids[at]];
  data.update({ chosen: ids });
  drawMine();
  heard.textContent = _("Order %(number)s is now stop %(position)s.", { number: get(card).number, position: at + by + 1 });
}

async function sendCode(delivery) {
  try {
    await call("POST", `/deliveries/${delivery.id}/pod-otp`);
    return _("A code was sent to the customer.");
  } catch (error) {
    return error.message;
  }
}

async function finish(card) {
  const delivery = get(card);
  const missing = missingProof(delivery);
  if (missing) {
    card.querySelector(".proof :is(button, input)")?.focus();
    throw new Error(missing);
  }
  const fields = await askFinish(delivery);
  if (fields) await add(delivery, "status", "PUT", "/status", fields);
}

// Whoever takes a delivery must know at once whether they have it; the rest may wait for a connection.
const ACTS = {
  accept: async (card) => void (await call("POST", `/offers/${card.dataset.offer}/accept`)),
  reject: async (card) => void (await call("POST", `/offers/${card.dataset.offer}/reject`)),
  claim: async (card) => void (await call("POST", `/deliveries/${card.dataset.order}/claim`)),
  next: async (card, button) => void (await add(get(card), "status", "PUT", "/status", { delivery_status: button.dataset.to })),
  finish: async (card) => void (await finish(card)),
  verify: async (card) => {
    const answer = await askCode(() => sendCode(get(card)));
    if (answer) await add(get(card), "verify", "POST", "/pod-otp", answer);
  },
  fail: async (card) => {
    const answer = await askWhy();
    if (answer) await add(get(card), "status", "PUT", "/status", { delivery_status: "failed", ...answer });
  },
  retry: async (card, button) => void (await queue.retry(Number(button.dataset.action))),
  drop: async (card, button) => void (await queue.remove(Number(button.dataset.action))),
};
const MOVES = { up: -1, down: 1 };

work.addEventListener("click", (event) => {
  const button = event.target.closest("[data-act]");
  if (!button) return;
  const card = button.closest(".errand");
  if (button.dataset.act in MOVES) move(card, MOVES[button.dataset.act]);
  else attempt(button, () => ACTS[button.dataset.act](card, button));
});

work.addEventListener("change", (event) => {
  const input = event.target.closest("[data-photo]");
  if (!input?.files.length) return;
  const delivery = get(input.closest(".errand"));
  attempt(input, async () => {
    const kept = await add(delivery, "photo", "POST", "/pod-photo", { image_base64: await shrink(input.files[0]) });
    if (!kept?.problem) return _("The photo is kept.");
  });
});

find("suggest").addEventListener("click", () => {
  data.update({ chosen: null });
  drawMine();
});

const describe = () => open().filter((delivery) => !OVER.has(delivery.delivery_status)).map((delivery) => `#${delivery.number} ${delivery.dropoff.address ?? delivery.pickup.name}`);

async function turnShift() {
  const status = shift.getAttribute("aria-checked") === "true" ? "off" : "on";
  try {
    await call("POST", "/shift", { status });
  } catch (error) {
    if (error.reason !== "active_deliveries") throw error;
    if (await ask({ title: _("End your shift with deliveries on board?"), list: describe(), yes: _("End the shift"), no: _("Stay on shift") })) await call("POST", "/shift", { status, force: true });
  }
}

async function logOut() {
  const [list, count] = [describe(), queue.actions.length];
  if (count) list.push(ngettext("%(num)s change was not sent and will be lost.", "%(num)s changes were not sent and will be lost.", count));
  if (list.length && !(await ask({ title: _("Log out with open work?"), list, yes: _("Log out"), no: _("Stay logged in") }))) return;
  await queue.clear();
  await call("POST", "/logout").catch(() => {});
  forget();
}

shift.addEventListener("click", () => attempt(shift, turnShift));
find("out").addEventListener("click", logOut);

queue.addEventListener("change", () => {
  if (!session().token) return;
  drawMine();
  drawConnection();
});
queue.addEventListener("sent", ({ detail: { action, answer } }) => {
  round++;
  if (action.kind === "status") data.settle(answer);
  const delivery = data.read().deliveries.find((each) => each.id === action.subject);
  if (delivery && action.kind === "photo") data.settle({ ...delivery, proof: { ...delivery.proof, photos: delivery.proof.photos + 1 } });
  if (delivery && action.kind === "verify") data.settle({ ...delivery, proof: { ...delivery.proof, code_verified: true } });
});

function drawEarned({ earned, today, held }) {
  find("today").replaceChildren(...(today ? earnedToday(today) : []));
  find("earnings").replaceChildren(...(earned ? earnings(earned) : []));
  find("cash").replaceChildren(...(held ? cashHeld(held) : []));
}

async function showTab(name) {
  for (const tab of document.querySelectorAll("[data-tab]")) tab.setAttribute("aria-pressed", String(tab.dataset.tab === name));
  for (const part of document.querySelectorAll("[data-part]")) part.hidden = part.dataset.part !== name;
  if (name !== "earned") return;
  drawEarned(data.read());
  const day = new Date().toLocaleDateString("en-CA");
  try {
    const [earned, today, held] = await Promise.all([call("GET", "/earnings"), call("GET", `/earnings?from=${day}&to=${day}`), call("GET", "/cash")]);
    data.update({ earned, today, held });
    drawEarned(data.read());
  } catch (error) {
    say(error.message);
  }
}

work.querySelector(".tabs").addEventListener("click", (event) => {
  const tab = event.target.closest("[data-tab]");
  if (tab) showTab(tab.dataset.tab);
});
document.addEventListener("visibilitychange", () => !document.hidden && session().token && refresh());
addEventListener("offline", () => {
  isLost = true;
  drawConnection();
});
addEventListener("online", () => session().token && refresh());
setInterval(tick, 500);
place.onSaid((sentence) => (find("place").textContent = sentence));
place.onMoved(() => session().token && drawRoute(route()));

async function offerPush() {
  find("push").hidden = !(await push.isOffered(await worker).catch(() => false));
}

find("push-on").addEventListener("click", async () => {
  try {
    const isOn = await push.turnOn();
    say(isOn ? _("You will be notified.") : _("Notifications are blocked in this browser."));
    find("push").hidden = isOn;
  } catch {
    say(_("Notifications could not be turned on. Try again."));
  }
});

async function enter() {
  work.hidden = acts.hidden = false;
  // Another driver may have been logged in on this phone; what they did not send is theirs.
  if (queue.actions.some((action) => action.driver !== session().driver?.id)) await queue.clear();
  if (session().driver) drawMe(session().driver);
  drawMine();
  drawConnection();
  place.follow({ isBringing: data.read().deliveries.length > 0, isOnShift: Boolean(session().driver?.is_on_shift) });
  showTab("drive");
  refresh();
  offerPush();
}

onIn(enter);
onOut((reason) => {
  clearTimeout(asking);
  round++;
  place.stop();
  work.hidden = acts.hidden = lost.hidden = true;
  for (const where of [mine, free, map, offers.lastElementChild, refused.lastElementChild]) where.replaceChildren();
  drawEarned({});
  find("name").textContent = _("Driver");
  showLogin(reason);
});

await queue.open();
if (session().token) enter();
else showLogin();
