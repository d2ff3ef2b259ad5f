// The driver's page: what is offered, what is free, what is theirs to bring, and what they earned.
import { gettext as _ } from "/own/texts.js";
import { call, forget, keep, now, onOut, session, Unanswered } from "./api.js";
import { cashHeld, earnings, errandCard, freeCard, offerCard } from "./drawing.js";
import { onIn, show as showLogin } from "./login.js";
import * as place from "./place.js";

const find = (name) => document.querySelector(`[data-${name}]`);
const [work, acts, told, heard, lost, shift, mine, free, offers] = ["work", "acts", "told", "heard", "lost", "shift", "mine", "free", "offers"].map(find);
const ASK_MS = 5_000;
const TOLD_MS = 6_000;

let telling;
let asking;
let round = 0;
let known = new Set();

function say(sentence) {
  clearTimeout(telling);
  told.textContent = sentence;
  told.hidden = !sentence;
  telling = setTimeout(() => (told.hidden = true), TOLD_MS);
}

// Draws anew only what differs: in the rest somebody may be writing.
function draw(where, records, key, card) {
  const old = new Map([...where.children].map((element) => [element.dataset.key, element]));
  const cards = records.map((record) => {
    const [name, state] = [String(record[key]), JSON.stringify(record)];
    const there = old.get(name);
    if (there?.state === state) return there;
    const made = card(record);
    made.dataset.key = name;
    made.state = state;
    return made;
  });
  if (cards.length === where.children.length && cards.every((element, position) => element === where.children[position])) return;
  where.replaceChildren(...cards);
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
  keep({ driver: me });
  find("name").textContent = me.name;
  shift.textContent = me.is_on_shift ? _("On shift") : _("Off shift");
  shift.setAttribute("aria-checked", String(me.is_on_shift));
}

function drawAll(me, offered, errands, available) {
  drawMe(me);
  drawOffers(offered.data);
  draw(mine, errands.data, "id", errandCard);
  // How far it is changes all the time, and is no reason to draw anew under a finger.
  draw(free, available.data.map(({ distance_m: metres, ...rest }) => ({ ...rest, distance_m: metres === null ? null : Math.round(metres / 500) * 500 })), "id", freeCard);
  find("none").hidden = errands.data.length > 0;
  find("nothing").hidden = available.data.length > 0;
  place.follow({ isBringing: errands.data.length > 0, isOnShift: me.is_on_shift });
}

async function ask() {
  clearTimeout(asking);
  const mineIs = ++round;
  try {
    const found = await Promise.all([call("GET", "/me"), call("GET", "/offers"), call("GET", "/deliveries?active=1"), call("GET", "/available")]);
    // An answer that was overtaken by a newer question is old.
    if (mineIs !== round || !session().token) return;
    lost.hidden = true;
    drawAll(...found);
  } catch (error) {
    if (mineIs !== round || !session().token) return;
    lost.hidden = !(error instanceof Unanswered);
  }
  if (!document.hidden) asking = setTimeout(ask, ASK_MS);
}

function tick() {
  for (const card of offers.querySelectorAll("[data-ends]")) {
    const seconds = Math.ceil((Date.parse(card.dataset.ends) - now()) / 1000);
    card.querySelector("[data-left]").textContent = _("%(seconds)s s", { seconds: Math.max(0, seconds) });
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
  if (session().token) await ask();
}

const ACTS = {
  accept: async (card) => void (await call("POST", `/offers/${card.dataset.offer}/accept`)),
  reject: async (card) => void (await call("POST", `/offers/${card.dataset.offer}/reject`)),
  claim: async (card) => void (await call("POST", `/deliveries/${card.dataset.order}/claim`)),
  code: async (card) => {
    await call("POST", `/deliveries/${card.dataset.order}/pod-otp`);
    return _("A code was sent to the customer.");
  },
  next: async (card, button) => void (await call("PUT", `/deliveries/${card.dataset.order}/status`, { delivery_status: button.dataset.to })),
};
const FORMS = {
  collect: async (card, form) =>
    void (await call("PUT", `/deliveries/${card.dataset.order}/status`, { delivery_status: "delivered", cash_collected: form.cash.valueAsNumber })),
  verify: async (card, form) => void (await call("POST", `/deliveries/${card.dataset.order}/pod-otp`, { code: form.code.value.trim() })),
  fail: async (card, form) => void (await call("PUT", `/deliveries/${card.dataset.order}/status`, { delivery_status: "failed", note: form.note.value.trim() || null })),
};

work.addEventListener("click", (event) => {
  const button = event.target.closest("[data-act]");
  if (button) attempt(button, () => ACTS[button.dataset.act](button.closest(".errand"), button));
});

work.addEventListener("submit", (event) => {
  event.preventDefault();
  const form = event.target;
  attempt(form, () => FORMS[form.dataset.form](form.closest(".errand"), form));
});

work.addEventListener("change", (event) => {
  const input = event.target.closest("[data-photo]");
  if (!input?.files.length) return;
  const body = new FormData();
  body.append("photo", input.files[0]);
  attempt(input, async () => {
    await call("POST", `/deliveries/${input.closest(".errand").dataset.order}/pod-photo`, body);
    return _("The photo is kept.");
  });
});

shift.addEventListener("click", () =>
  attempt(shift, async () => void (await call("POST", "/shift", { status: shift.getAttribute("aria-checked") === "true" ? "off" : "on" }))),
);
find("out").addEventListener("click", async () => {
  await call("POST", "/logout").catch(() => {});
  forget();
});

async function showTab(name) {
  for (const tab of document.querySelectorAll("[data-tab]")) tab.setAttribute("aria-pressed", String(tab.dataset.tab === name));
  for (const part of document.querySelectorAll("[data-part]")) part.hidden = part.dataset.part !== name;
  if (name !== "earned") return;
  try {
    const [earned, held] = await Promise.all([call("GET", "/earnings"), call("GET", "/cash")]);
    find("earnings").replaceChildren(...earnings(earned));
    find("cash").replaceChildren(...cashHeld(held));
  } catch (error) {
    say(error.message);
  }
}

find("work").querySelector(".tabs").addEventListener("click", (event) => event.target.dataset.tab && showTab(event.target.dataset.tab));
document.addEventListener("visibilitychange", () => !document.hidden && session().token && ask());
addEventListener("offline", () => (lost.hidden = !session().token));
addEventListener("online", () => session().token && ask());
setInterval(tick, 500);
place.onSaid((sentence) => (find("place").textContent = sentence));

function enter() {
  work.hidden = acts.hidden = false;
  if (session().driver) drawMe(session().driver);
  showTab("drive");
  ask();
}

onIn(enter);
onOut((reason) => {
  clearTimeout(asking);
  round++;
  place.stop();
  work.hidden = acts.hidden = lost.hidden = true;
  for (const where of [mine, free, offers.lastElementChild, find("earnings"), find("cash")]) where.replaceChildren();
  find("name").textContent = _("Driver");
  showLogin(reason);
});

if (session().token) enter();
else showLogin();
