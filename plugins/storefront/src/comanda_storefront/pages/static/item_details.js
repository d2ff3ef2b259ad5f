// The pictures, facts and options of an item, requested when a guest opens it and kept for a minute.
import { shop } from "./menu.js";
import { pricedMode } from "./prices.js";

const FRESH_MS = 60_000;
const known = new Map();

export function load(id) {
  const type = pricedMode();
  const place = `${id}:${type ?? ""}`;
  const found = known.get(place);
  if (found && Date.now() - found.at < FRESH_MS) return found.details;
  const details = request(id, type);
  known.set(place, { at: Date.now(), details });
  details.catch(() => known.delete(place));
  return details;
}

async function request(id, type) {
  const answer = await fetch(`/s/${shop.slug}/items/${id}/details${type ? `?type=${encodeURIComponent(type)}` : ""}`);
  if (!answer.ok) throw Object.assign(new Error("refused"), { isGone: answer.status === 404 });
  return answer.json();
}

const variationOf = (details, line) => details.variations.find((each) => each.id === line.variation);

function groupPrice(group, chosen) {
  const prices = chosen
    .map((id) => group.extras.find((extra) => extra.id === id))
    .filter(Boolean)
    .map((extra) => extra.price)
    .sort((one, other) => one - other);
  return prices.slice(group.free).reduce((sum, price) => sum + price, 0);
}

// The unit price of a line, for display only: the server's price is binding.
export function unitPrice(details, line) {
  const base = variationOf(details, line)?.price ?? details.price;
  return details.groups.reduce((sum, group) => sum + groupPrice(group, line.extras), base);
}

// Returns a description of the chosen options, such as "Large, 2 × Cheese".
export function choicesOf(details, line) {
  const extras = details.groups.flatMap((group) => group.extras).flatMap((extra) => {
    const count = line.extras.filter((id) => id === extra.id).length;
    return count ? [count > 1 ? `${count} × ${extra.name}` : extra.name] : [];
  });
  return [variationOf(details, line)?.name, ...extras].filter(Boolean).join(", ");
}
