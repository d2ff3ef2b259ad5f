// The menu that the server embeds in the page: items and options with prices in minor units.
import { gettext as _, locale } from "/own/texts.js";

export const shop = JSON.parse(document.getElementById("shop-data").textContent);
export const items = new Map(shop.items.map((item) => [item.id, item]));

const format = new Intl.NumberFormat(locale, { style: "currency", currency: shop.currency });

export const money = (minor) => format.format(minor / 10 ** shop.exponent);

// Creates an element. Input of guests and owners is always inserted as text.
export function make(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (value === true) element.setAttribute(key, "");
    else if (value !== false && value != null) element.setAttribute(key, value);
  }
  element.append(...children.filter((child) => child != null));
  return element;
}

export function hasChoices(item) {
  return item.variations.length > 0 || item.groups.length > 0;
}

function groupPrice(group, chosen) {
  const prices = chosen
    .map((id) => group.extras.find((extra) => extra.id === id))
    .filter(Boolean)
    .map((extra) => extra.price)
    .sort((one, other) => one - other);
  return prices.slice(group.free).reduce((sum, price) => sum + price, 0);
}

// The unit price of a line, for display only: the server's price is binding.
export function unitPrice(line) {
  const item = items.get(line.item);
  if (!item) return 0;
  const variation = item.variations.find((each) => each.id === line.variation);
  return item.groups.reduce((sum, group) => sum + groupPrice(group, line.extras), variation ? variation.price : item.price);
}

// Returns a description of the chosen options, such as "Large, 2 × Cheese".
export function choicesOf(line) {
  const item = items.get(line.item);
  if (!item) return "";
  const variation = item.variations.find((each) => each.id === line.variation);
  const extras = item.groups.flatMap((group) => group.extras).flatMap((extra) => {
    const count = line.extras.filter((id) => id === extra.id).length;
    return count ? [count > 1 ? `${count} × ${extra.name}` : extra.name] : [];
  });
  return [...(variation ? [variation.name] : []), ...extras].join(", ");
}

// Returns why a line added earlier is no longer available.
export function problemOf(line) {
  const item = items.get(line.item);
  if (!item) return _("This item is no longer on the menu.");
  if (line.variation) {
    const variation = item.variations.find((each) => each.id === line.variation);
    if (!variation || variation.gone) return _("This option is currently unavailable.");
  }
  const extras = new Map(item.groups.flatMap((group) => group.extras).map((extra) => [extra.id, extra]));
  const missing = line.extras.some((id) => !extras.has(id) || extras.get(id).gone);
  return missing ? _("One of the options is currently unavailable.") : "";
}
