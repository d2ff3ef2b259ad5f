// The prices of the way of ordering that the guest has chosen, where they differ from those that the page came with.
import { mode, onModeChange } from "./fulfillment.js";
import { items, shop } from "./menu.js";

const PLACES = ".price, details";
let shown = null;

// The order type to ask the server's prices for; null if the page's own prices hold.
export const pricedMode = () => (shop.priced_modes?.includes(mode()?.code) ? mode().code : null);

// The same page at other prices: from it come the prices of the cards, whatever the theme makes of them.
async function load(type) {
  const address = new URL(location.href);
  if (type) address.searchParams.set("type", type);
  else address.searchParams.delete("type");
  const answer = await fetch(address);
  return answer.ok ? new DOMParser().parseFromString(await answer.text(), "text/html") : null;
}

async function show() {
  const type = pricedMode();
  if (type === shown) return;
  const page = await load(type).catch(() => null);
  // Without an answer the quote still says what the order costs.
  if (!page || type !== pricedMode()) return;
  for (const card of document.querySelectorAll("[data-item]")) {
    const other = page.querySelector(`[data-item="${card.dataset.item}"]`);
    const [places, fresh] = [card, other].map((each) => [...(each?.querySelectorAll(PLACES) ?? [])]);
    if (places.length === fresh.length) places.forEach((place, position) => place.replaceChildren(...fresh[position].childNodes));
  }
  for (const { id, price } of JSON.parse(page.getElementById("shop-data").textContent).items) {
    if (items.has(id)) items.get(id).price = price;
  }
  shown = type;
}

onModeChange(show);
show();
