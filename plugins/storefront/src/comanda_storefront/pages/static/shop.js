// A store's page: its cards and the bar of the order.
import { gettext as _ } from "/own/texts.js";
import * as cart from "./cart.js";
import { isTaken } from "./cart_link.js";
import "./categories.js";
import { openOrder } from "./checkout.js";
import { make } from "./dom.js";
import { table } from "./fulfillment.js";
import { openItem, take } from "./item_entry.js";
import { items, money } from "./menu.js";
import { provide, restore } from "./overlays.js";
import { showExternal } from "./photos.js";
import "./prices.js";
import { onQuote, quoted } from "./quote.js";
import "./search.js";

document.documentElement.classList.add("js");
const cards = [...document.querySelectorAll("[data-item]")].filter((card) => items.has(Number(card.dataset.item)));
const idOf = (element) => Number(element.closest("[data-item]").dataset.item);

function showCart() {
  const count = cart.count();
  document.querySelectorAll("[data-count]").forEach((place) => { place.textContent = count ? `(${count})` : ""; });
  document.querySelectorAll("[data-subtotal]").forEach((place) => { place.textContent = quoted()?.total_text ?? money(cart.subtotal()); });
  document.querySelectorAll("[data-bar]").forEach((place) => { place.hidden = !count; });
  cards.forEach(showCount);
}

// The quantity in the order stands on the button of the card, and in its name for screen readers.
function showCount(card) {
  const button = card.querySelector("[data-add]");
  if (!button) return;
  const count = cart.countOf(idOf(card));
  if (count === Number(button.dataset.ordered ?? 0)) return;
  button.dataset.name ??= button.getAttribute("aria-label") ?? button.textContent.trim();
  button.dataset.ordered = count;
  if (!count) delete button.dataset.ordered;
  button.setAttribute("aria-label", count ? _("%(action)s, %(number)s in your order", { action: button.dataset.name, number: count }) : button.dataset.name);
}

// The name of an item opens its dialog, for keyboards and screen readers; so does a tap anywhere on its card.
function addDetailsButton(card) {
  const heading = card.querySelector("h1, h2, h3, h4");
  // The page of one item shows all of it already.
  if (!heading || heading.matches("h1") || card.querySelector("[data-details]")) return;
  const name = [...heading.childNodes].find((node) => node.textContent.trim());
  const button = make("button", { type: "button", class: "details", "data-details": true, "aria-haspopup": "dialog" });
  name.replaceWith(button);
  button.append(name);
}

document.addEventListener("click", (event) => {
  if (event.target.closest("[data-open-order]")) {
    openOrder();
    return;
  }
  const card = event.target.closest("[data-item]");
  if (!card || !items.has(idOf(card))) return;
  if (event.target.closest("[data-add]")) take(idOf(card));
  else if (event.target.closest("[data-details]") || !event.target.closest("a, button, summary, input, select, label")) openItem(idOf(card));
});

provide("account", () => import("./account_dialog.js"));
cards.forEach(addDetailsButton);
showExternal();
if (table) {
  document.querySelectorAll("[data-table]").forEach((badge) => {
    badge.textContent = _("Table %(table)s", { table });
    badge.hidden = false;
  });
}
cart.onChange(showCart);
onQuote(showCart);
showCart();
restore();
if (isTaken) openOrder();
