// The items of the store, as buttons by category.
import { gettext as _ } from "/own/texts.js";
import { make } from "/own/dom.js";
import { state } from "./order_state.js";
import { redraw } from "./redraw.js";
import { lookAt, money, session } from "./session.js";

const [categoryPlace, itemPlace, search] = ["categories", "items", "find"].map((name) => document.querySelector(`[data-${name}]`));
const plain = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
let categories = [];
let codes = [];
let prices = { tables: [], periods: {} };
let shownTable = null;
let chosen = null;
let onItem = () => {};

// The items at the prices of the order that is being taken.
export const allItems = () => new Map(categories.flatMap((category) => category.items).map((item) => [item.id, atPrices(item)]));

// Calls the listener with each item that is tapped.
export const onChoice = (listener) => { onItem = listener; };

export async function loadMenu() {
  const found = await lookAt("menu", "/api/v1/staff/menu");
  categories = found
    .filter((category) => category.is_active)
    .map((category) => ({ ...category, items: category.items.filter((item) => item.is_active) }))
    .filter((category) => category.items.length);
  codes = await lookAt("codes", "/api/v1/staff/codes").catch(() => codes);
  prices = await lookAt("prices", "/api/v1/staff/menu/prices").catch(() => prices);
  if (!categories.some((category) => category.id === chosen)) chosen = categories[0]?.id ?? null;
  show();
}

// The item and the variation of a scanned or typed SKU or barcode; a GTIN also without its leading zeros.
export function findByCode(code) {
  const short = (text) => String(text ?? "").replace(/^0+/, "");
  const found = codes.find(({ sku, barcode }) => sku === code || (barcode && short(barcode) === short(code)));
  const item = allItems().get(found?.item_id);
  return item ? { item, variation: item.variations.find((each) => each.id === found.variation_id) } : null;
}

// The item, variation and weight of a code that the store's scale printed, as the server reads it.
export async function findByScaleCode(code) {
  const { item_id, variation, weight_g } = await session.call("GET", `/api/v1/staff/scale-codes/${code}`);
  const item = allItems().get(item_id);
  return item ? { item, variation: item.variations.find((each) => each.id === variation), weight: weight_g } : null;
}

// What a menu of an earlier moment says of an item's times holds until they change.
const isOffTime = (item) => item.is_sold_now === false && !(Date.parse(item.sold_now_changes_at) <= Date.now());
const isGone = (item) => item.is_sold_out || isOffTime(item) || (item.stock === 0 && !item.variations.length);

// The prices of price lists at this minute, which are known in advance; null if those of the menu hold.
function currentTable() {
  const { order, type } = state();
  const period = prices.periods[order?.type ?? type]?.find(({ until }) => until === null || Date.parse(until) > Date.now());
  return prices.tables[period?.table] ?? null;
}

function atPrices(item) {
  const table = currentTable();
  if (!table || !(item.id in table.items)) return item;
  const price = (kind) => (each) => ({ ...each, price: table[kind][each.id] ?? each.price });
  const groups = item.extra_groups.map((group) => ({ ...group, extras: group.extras.map(price("extras")) }));
  return { ...price("items")(item), variations: item.variations.map(price("variations")), extra_groups: groups };
}

// Shows the items again if the order that is being taken has other prices, or a price list has begun or ended.
export function followPrices() {
  if (currentTable() !== shownTable) show();
}

function show() {
  shownTable = currentTable();
  const words = plain(search.value).split(/\s+/).filter(Boolean);
  const shown = words.length ? categories : categories.filter((category) => category.id === chosen);
  const focused = document.activeElement?.dataset?.category;
  categoryPlace.replaceChildren(
    ...categories.map((category) =>
      make("button", { type: "button", class: "plain", "data-category": category.id, "aria-pressed": String(!words.length && category.id === chosen), dir: "auto" }, category.name)),
  );
  if (focused) categoryPlace.querySelector(`[data-category="${focused}"]`)?.focus();
  redraw(itemPlace, shown.flatMap((category) => category.items).filter((item) => words.every((word) => plain(item.name).includes(word))).map(atPrices).map(itemButton));
}

function itemButton(item) {
  const prices = item.variations.filter((each) => each.is_active !== false).map((each) => each.price);
  const amount = money(prices.length ? Math.min(...prices) : item.price);
  const price = item.is_priced_per_kg ? _("%(price)s/kg", { price: amount }) : amount;
  return make("button", { type: "button", class: "item", "data-item": item.id, disabled: isGone(item) },
    make("span", { class: "name", dir: "auto" }, item.name),
    make("span", { class: "price" }, isGone(item) ? (isOffTime(item) ? _("Not sold now") : _("Sold out")) : price));
}

categoryPlace.addEventListener("click", (event) => {
  const button = event.target.closest("[data-category]");
  if (!button) return;
  chosen = Number(button.dataset.category);
  search.value = "";
  show();
});
itemPlace.addEventListener("click", (event) => {
  const button = event.target.closest("[data-item]");
  if (button) onItem(allItems().get(Number(button.dataset.item)));
});
search.addEventListener("input", show);
search.addEventListener("keydown", (event) => {
  const hit = event.key === "Enter" ? findByCode(search.value.trim()) : null;
  const first = (hit && itemPlace.querySelector(`[data-item="${hit.item.id}"]`)) ?? itemPlace.querySelector(".item:not(:disabled)");
  if (event.key === "Enter" && search.value.trim() && first) {
    event.preventDefault();
    first.click();
    search.value = "";
    show();
  }
});
