// Who is logged in at the till, and the calls of the API in their name.
import { gettext as _, locale } from "/own/texts.js";
import { recall, remember } from "./last_look.js";
import { Session, Unanswered } from "/own/session.js";

export { Refused, Unanswered } from "/own/session.js";

// Says with the event "connection" when the server stops answering, and when it answers again.
class TillSession extends Session {
  isLost = false;

  async call(...request) {
    try {
      const answer = await super.call(...request);
      this.setLost(false);
      return answer;
    } catch (error) {
      this.setLost(error instanceof Unanswered);
      throw error;
    }
  }

  setLost(isLost) {
    if (isLost === this.isLost) return;
    this.isLost = isLost;
    this.dispatchEvent(new Event("connection"));
  }
}

export const session = new TillSession({
  place: "comanda.till",
  forgets: { store: null, permissions: null },
  over: _("Your session has ended. Log in again."),
  unanswered: _("No answer came. Check the connection and try again: nothing is done twice."),
});

// Reads what is kept as the last look for when no answer comes. `path` is an address, or a function that reads.
export async function lookAt(name, path) {
  const place = `${session.kept.store.id}:${name}`;
  try {
    const found = await (typeof path === "string" ? session.call("GET", path) : path());
    remember(place, found);
    return found;
  } catch (error) {
    const kept = error instanceof Unanswered ? recall(place) : null;
    if (kept === null) throw error;
    return kept;
  }
}

let profile = null;

export async function loadProfile() {
  profile = await lookAt("profile", "/api/v1/staff/me");
  return profile;
}

export const may = (permission) => profile?.permissions.includes(permission) ?? false;
export const currency = () => profile.restaurant.currency;
export const zone = () => profile.restaurant.timezone;

export function money(amount) {
  return new Intl.NumberFormat(locale, { style: "currency", currency: currency() }).format(amount);
}

// What something weighs, in kilograms to the gram, or finer where a label says it.
export function weight(grams) {
  return new Intl.NumberFormat(locale, { style: "unit", unit: "kilogram", minimumFractionDigits: 3, maximumFractionDigits: 6 }).format(grams / 1000);
}

export function clock(moment) {
  return new Intl.DateTimeFormat(locale, { timeZone: zone(), hour: "2-digit", minute: "2-digit" }).format(new Date(moment));
}

// How long ago a moment was, in its largest unit, such as "3 hr".
export function ago(moment) {
  const minutes = Math.max(0, Math.floor((session.now - new Date(moment)) / 60_000));
  const [unit, size] = [["day", 1440], ["hour", 60], ["minute", 1]].find(([, each]) => minutes >= each || each === 1);
  return new Intl.NumberFormat(locale, { style: "unit", unit, unitDisplay: "short" }).format(Math.floor(minutes / size));
}

// The decimals of the currency, such as 2.
export function decimals() {
  return new Intl.NumberFormat("en", { style: "currency", currency: currency() }).resolvedOptions().maximumFractionDigits;
}

// The zeros of the scripts in which people type amounts: Arabic, Persian, Devanagari, Bengali.
const ZEROS = [0x660, 0x6f0, 0x966, 0x9e6];

// Reads an amount as people type it, such as 12,50 and 12.50, by the rules of the dashboard's forms. Returns null if it
// is none, or could be two: 1,200 is 1.2 to some people and 1200 to others.
export function parseAmount(text) {
  const latin = text.trim().replace(/\p{Nd}/gu, (digit) => {
    const zero = ZEROS.find((first) => digit.codePointAt(0) >= first && digit.codePointAt(0) < first + 10);
    return zero === undefined ? digit : String(digit.codePointAt(0) - zero);
  });
  const plain = latin.replace(/\s/g, "").replace(/[,\u066b]/, ".");
  if (!/^[0-9]{1,9}(\.[0-9]+)?$/.test(plain)) return null;
  if (/^[1-9][0-9]{0,2}\.[0-9]{3}$/.test(plain) && (decimals() !== 3 || latin.includes(","))) return null;
  return Number(Number(plain).toFixed(decimals()));
}
