// Who orders, as far as the account knows it: signing in from the checkout, and what is filled in then.
import { gettext as _ } from "/own/texts.js";
import { customer, hasAccounts, onAccount, rename } from "./account.js";
import { openAccount } from "./account_entry.js";
import * as contact from "./contact.js";
import { isolated, make } from "./dom.js";

const element = make("div", { "data-guest": true });

function show() {
  const known = customer();
  element.hidden = !hasAccounts;
  const text = known ? make("span", {}, _("Signed in as %(name)s", { name: isolated(known.name ?? known.phone ?? known.email) }))
    : make("span", {}, _("Been here before?"));
  const isFocused = element.contains(document.activeElement);
  const button = make("button", { type: "button", class: "link", onclick: openAccount }, known ? _("Your account") : _("Sign in"));
  element.replaceChildren(make("p", { class: "settled" }, text, button));
  if (isFocused) button.focus();
  if (known) contact.fill({ customer_name: known.name, phone: known.phone });
}

export const value = () => ({});

// Whoever has not told their name to the account is known by the one of the order.
export async function placed() {
  const name = contact.value().customer_name;
  if (customer() && !customer().name && name) await rename(name);
}

export function render() {
  show();
  onAccount(show);
  return element;
}
