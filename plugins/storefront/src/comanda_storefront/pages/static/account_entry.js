// The entry to the account in the header of the page.
import { gettext as _ } from "/own/texts.js";
import { customer, hasAccounts, load, onAccount } from "./account.js";
import { make, own } from "./dom.js";
import { show } from "./overlays.js";

export const openAccount = () => show("account");

function entry() {
  const known = customer();
  const name = known?.name?.split(" ")[0];
  return make("button", { type: "button", class: "plain compact account-entry", "aria-haspopup": "dialog", "aria-label": known ? _("Your account") : null, onclick: openAccount },
    known ? name ? own(name) : _("Account") : _("Sign in"));
}

function showEntries() {
  for (const place of document.querySelectorAll("[data-account]")) {
    const isFocused = place.contains(document.activeElement);
    place.replaceChildren(entry());
    if (isFocused) place.firstElementChild.focus();
  }
}

if (hasAccounts) {
  showEntries();
  onAccount(showEntries);
  load();
} else {
  document.querySelectorAll("[data-account]").forEach((place) => { place.hidden = true; });
}
