// When the order is wanted: as soon as possible, or at a time of a day. Days and times are buttons.
import { dayLocale, gettext as _, locale } from "/own/texts.js";
import * as cart from "./cart.js";
import { make, pill, problemFor } from "./dom.js";
import { mode, onModeChange } from "./fulfillment.js";
import { shop } from "./menu.js";
import { onQuote, quoted } from "./quote.js";

const NAME = "time";
// How many days are offered in modes with slots, whose days are not known before they are asked for.
const DAYS_OF_SLOTS = 14;
const DAY_MS = 86_400_000;
const clock = new Intl.DateTimeFormat(locale, { timeZone: shop.zone, hour: "2-digit", minute: "2-digit", hour12: false });
// English days are written as outside of the United States, as in the rest of the page.
const weekday = new Intl.DateTimeFormat(dayLocale, { timeZone: "UTC", weekday: "short", day: "numeric", month: "short" });
const isoDay = new Intl.DateTimeFormat("en-CA", { timeZone: shop.zone });

const element = make("fieldset", { "data-time": true });
const told = make("p", { class: "quiet", role: "status" });
const ready = make("span", { class: "quiet", "data-ready": true });
const days = make("div", { class: "pills days", role: "group", "aria-label": _("Day") });
const times = make("div", { class: "pills times", role: "group", "aria-label": _("Time") });
const picker = make("div", { class: "picker" }, days, times, told);
let state = initial();
// Answers may come in another order than they were asked for.
let asked = 0;

function initial() {
  const kept = cart.saved(NAME) ?? {};
  const isComing = typeof kept.at === "string" && new Date(kept.at) > Date.now();
  return { isLater: kept.isLater === true && isComing, at: isComing ? kept.at : null };
}

export const formatTime = (moment) => clock.format(new Date(moment));
export const value = () => ({ scheduled_for: mode()?.scheduled || state.isLater ? state.at ?? undefined : undefined });

function setState(change) {
  state = { ...state, ...change };
  cart.keep(NAME, state);
}

function toLabel(day) {
  const today = isoDay.format(new Date());
  if (day === today) return _("Today");
  if (Date.parse(day) - Date.parse(today) === DAY_MS) return _("Tomorrow");
  return weekday.format(new Date(day));
}

async function request(day) {
  const query = new URLSearchParams(mode().scheduled ? { mode: mode().code, date: day ?? isoDay.format(new Date()) } : day ? { date: day } : {});
  const path = mode().scheduled ? `/api/v1/menu/${shop.store}/slots` : `/s/${shop.slug}/times`;
  const answer = await fetch(`${path}?${query}`);
  if (!answer.ok) throw new Error("refused");
  const found = await answer.json();
  return { days: found.days ?? slotDays(), free: found.slots.filter((each) => each.is_free).map((each) => each.starts_at) };
}

function slotDays() {
  const today = Date.parse(isoDay.format(new Date()));
  return Array.from({ length: DAYS_OF_SLOTS }, (_each, ahead) => new Date(today + ahead * DAY_MS).toISOString().slice(0, 10));
}

// The first day with a free time, unless the guest asks for one.
async function find(day) {
  let found = await request(day);
  if (day || found.free.length) return { ...found, day: day ?? (found.free[0] && isoDay.format(new Date(found.free[0]))) };
  for (const next of found.days) {
    found = await request(next);
    if (found.free.length) return { ...found, day: next };
  }
  return { ...found, day: null };
}

async function load(day, wanted = state.at) {
  const number = ++asked;
  picker.setAttribute("aria-busy", "true");
  try {
    const found = await find(day);
    if (number !== asked) return;
    showDays(found);
    showTimes(found.free, wanted);
    told.textContent = found.free.length ? "" : found.day ? _("No times are available on this day.") : _("No times are available at the moment.");
  } catch {
    if (number !== asked) return;
    told.textContent = _("Times cannot be loaded at the moment.");
  }
  picker.removeAttribute("aria-busy");
}

function showDays(found) {
  if (days.dataset.of === found.days.join() && days.querySelector("input:checked")?.value === found.day) return;
  days.dataset.of = found.days.join();
  days.replaceChildren(...found.days.map((day) => pill({ name: "day", value: day, checked: day === found.day }, toLabel(day))));
}

function showTimes(free, wanted) {
  const chosen = free.find((each) => wanted && new Date(each).getTime() === new Date(wanted).getTime()) ?? free[0] ?? null;
  times.replaceChildren(...free.map((each) => pill({ name: "scheduled_for", value: each, checked: each === chosen }, formatTime(each))));
  setState({ at: chosen });
  element.dispatchEvent(new Event("change", { bubbles: true }));
}

function show() {
  const current = mode();
  element.hidden = !current?.scheduled && !current?.ahead;
  if (element.hidden) return;
  const legend = make("legend", {}, _("When?"));
  const choice = current.scheduled ? [] : [make("div", { class: "pills" },
    pill({ name: "when", value: "now", checked: !state.isLater }, _("As soon as possible")),
    pill({ name: "when", value: "later", checked: state.isLater }, _("Choose a time")))];
  element.replaceChildren(legend, ...choice, ready, picker, problemFor("scheduled_for"));
  showPicker();
}

function showPicker() {
  picker.hidden = !mode().scheduled && !state.isLater;
  ready.hidden = !picker.hidden;
  if (!picker.hidden) load(state.at ? isoDay.format(new Date(state.at)) : null);
}

function showReady() {
  const at = quoted()?.ready_at;
  ready.textContent = at && !state.isLater ? _("Ready about %(time)s", { time: formatTime(at) }) : "";
}

// Orders for the first time that is free, such as after the store has opened.
export function orderForLater() {
  setState({ isLater: true, at: null });
  show();
}

export const canOrderForLater = () => mode()?.ahead === true && !state.isLater;

export function render() {
  show();
  onModeChange(show);
  onQuote(showReady);
  element.addEventListener("change", (event) => {
    const { name, value: chosen } = event.target;
    if (name === "when") {
      setState({ isLater: chosen === "later" });
      showPicker();
    } else if (name === "day") {
      load(chosen, null);
    } else if (name === "scheduled_for") {
      setState({ at: chosen });
    }
  });
  return element;
}
