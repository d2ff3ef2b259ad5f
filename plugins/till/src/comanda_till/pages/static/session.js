// Who is logged in at the till, and the calls of the API in their name.
import { gettext as _, locale } from "/own/texts.js";
import { Session } from "/own/session.js";

export { Refused, Unanswered } from "/own/session.js";

export const session = new Session({
  place: "comanda.till",
  forgets: { store: null, permissions: null },
  over: _("Your session has ended. Log in again."),
  unanswered: _("No answer came. Check the connection and try again: nothing is done twice."),
});

let profile = null;

export async function loadProfile() {
  profile = await session.call("GET", "/api/v1/staff/me");
  return profile;
}

export const may = (permission) => profile?.permissions.includes(permission) ?? false;
export const currency = () => profile.restaurant.currency;
export const zone = () => profile.restaurant.timezone;

export function money(amount) {
  return new Intl.NumberFormat(locale, { style: "currency", currency: currency() }).format(amount);
}

export function clock(moment) {
  return new Intl.DateTimeFormat(locale, { timeZone: zone(), hour: "2-digit", minute: "2-digit" }).format(new Date(moment));
}

// The decimals of the currency, such as 2.
export function decimals() {
  return new Intl.NumberFormat("en", { style: "currency", currency: currency() }).resolvedOptions().maximumFractionDigits;
}

// Reads an amount as people type it: 12,50 and 12.50. Returns null if it is none.
export function parseAmount(text) {
  const plain = text.trim().replace(/\s/g, "").replace(",", ".");
  if (!/^\d{1,9}(\.\d+)?$/.test(plain)) return null;
  return Number(Number(plain).toFixed(decimals()));
}
