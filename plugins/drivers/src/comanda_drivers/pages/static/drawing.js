// Offers, deliveries and earnings as elements.
const STATES = { pending: "Free", assigned: "Fetch it", picked_up: "Picked up", out_for_delivery: "On the way", delivered: "Delivered", failed: "Failed" };
const NEXT = { assigned: ["picked_up", "Picked up"], picked_up: ["out_for_delivery", "On my way"], out_for_delivery: ["delivered", "Delivered"] };
const WANTS = { otp: "the customer's code", photo: "a photo", either: "the customer's code or a photo", both: "the customer's code and a photo" };

export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined && value !== false) element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined && child !== "" && child !== false));
  return element;
}

export function money(amount, currency) {
  return new Intl.NumberFormat(undefined, { style: "currency", currency }).format(amount);
}

const distance = (metres) => (metres === null || metres === undefined ? null : metres < 950 ? `${Math.round(metres / 50) * 50} m` : `${(metres / 1000).toFixed(1)} km`);

// Opens what the phone has for finding the way.
function way({ address, lat, lng }) {
  const place = lat === null ? encodeURIComponent(address ?? "") : `${lat},${lng}`;
  if (/android/i.test(navigator.userAgent)) return `geo:${lat === null ? "0,0" : place}?q=${place}`;
  if (/iphone|ipad/i.test(navigator.userAgent)) return `https://maps.apple.com/?daddr=${place}`;
  return lat === null ? `https://www.openstreetmap.org/search?query=${place}` : `https://www.openstreetmap.org/directions?to=${place}`;
}

const navigate = (place, name) =>
  place.address || place.lat !== null ? make("a", { class: "button plain", href: way(place), target: "_blank", rel: "noopener noreferrer", "aria-label": `Navigate ${name}` }, "Navigate") : null;
const ring = (phone, whom) => (phone ? make("a", { class: "button plain", href: `tel:${phone.replace(/[^+\d]/g, "")}`, "aria-label": `Call the ${whom}` }, `Call ${whom}`) : null);

function itemText(item) {
  const details = [item.variation, ...item.extras.map((extra) => (extra.quantity > 1 ? `${extra.quantity} × ${extra.name}` : extra.name)), item.note];
  return [`${item.quantity} × ${item.name}`, ...details.filter(Boolean)].join(", ");
}

function head(errand, ...more) {
  return make("header", {}, make("h2", {}, `#${errand.number} ${errand.pickup.name}`), ...more);
}

function stops(errand) {
  const from = [errand.pickup.address, distance(errand.distance_m)].filter(Boolean).join(", ");
  return [
    make("h3", {}, "From"),
    make("p", {}, from || errand.pickup.name),
    make("h3", {}, "To"),
    make("p", { class: "where" }, errand.dropoff.address ?? "The order names no address."),
    errand.dropoff.instructions && make("p", { class: "note" }, errand.dropoff.instructions),
  ];
}

function pay(errand) {
  const tip = errand.tip_amount > 0 && make("span", { class: "quiet" }, ` with ${money(errand.tip_amount, errand.currency)} for you`);
  if (errand.amount_to_collect > 0) return make("p", { class: "collect" }, `Collect ${money(errand.amount_to_collect, errand.currency)}`, tip);
  return make("p", { class: "paid" }, errand.is_paid ? "Paid" : "Nothing to collect", tip);
}

const act = (name, label, attributes = {}) => make("button", { type: "button", "data-act": name, ...attributes }, label);

export function offerCard(offer) {
  const errand = { ...offer.delivery, distance_m: offer.distance_m };
  return make(
    "article",
    { class: "card errand offered", "data-order": errand.id, "data-offer": offer.id, "data-ends": offer.expires_at, "aria-label": `Offer, order ${errand.number}` },
    head(errand, make("span", { class: "left", "aria-hidden": "true", "data-left": "" })),
    ...stops(errand),
    pay(errand),
    make("div", { class: "ways" }, act("accept", "Accept", { class: "main" }), act("reject", "No, thanks", { class: "plain" })),
  );
}

export function freeCard(errand) {
  return make("article", { class: "card errand", "data-order": errand.id, "aria-label": `Free, order ${errand.number}` }, head(errand), ...stops(errand), pay(errand), act("claim", "Take it", { class: "main" }));
}

function code(errand) {
  if (errand.proof.code_verified) return make("p", { class: "done" }, "The code is right.");
  const id = `code-${errand.id}`;
  return make(
    "form",
    { class: "code", "data-form": "verify" },
    act("code", "Send a code", { class: "plain" }),
    make("label", { for: id }, "Customer's code", make("input", { id, name: "code", inputmode: "numeric", autocomplete: "off", maxlength: "4" })),
    make("button", { type: "submit", class: "plain" }, "Check"),
  );
}

function photo(errand) {
  const { photos } = errand.proof;
  return [
    photos > 0 && make("p", { class: "done" }, photos === 1 ? "1 photo is kept." : `${photos} photos are kept.`),
    make("label", { class: "button plain" }, photos ? "Another photo" : "Take a photo", make("input", { type: "file", name: "photo", accept: "image/jpeg,image/png,image/webp", capture: "environment", class: "unseen", "data-photo": "" })),
  ];
}

function proof(errand) {
  if (errand.pod === "none" || !NEXT[errand.delivery_status]) return null;
  return make(
    "div",
    { class: "proof" },
    make("h3", {}, `To prove: ${WANTS[errand.pod]}`),
    errand.pod !== "photo" && code(errand),
    ...(errand.pod === "otp" ? [] : photo(errand)),
  );
}

function failure(errand) {
  const id = `why-${errand.id}`;
  return make(
    "details",
    {},
    make("summary", {}, "It cannot be delivered"),
    make("form", { "data-form": "fail" }, make("label", { for: id }, "Why"), make("input", { id, name: "note", maxlength: "500" }), " ", make("button", { type: "submit" }, "Give up")),
  );
}

// The last step at a door where cash is due: what was taken, which is all of it unless the driver says otherwise.
function collecting(errand) {
  const id = `cash-${errand.id}`;
  const amount = new Intl.NumberFormat("en", { useGrouping: false, maximumFractionDigits: 4 }).format(errand.amount_to_collect);
  return make(
    "form",
    { class: "cash", "data-form": "collect" },
    make("label", { for: id }, `Cash taken (${errand.currency})`, make("input", { id, name: "cash", type: "number", inputmode: "decimal", min: "0", max: amount, step: "any", value: amount, required: true })),
    make("p", { class: "quiet" }, "Without the change. A cash tip is yours: leave it out."),
    make("button", { type: "submit", class: "main" }, "Delivered"),
  );
}

function step(errand) {
  const next = NEXT[errand.delivery_status];
  if (next && next[0] === "delivered" && errand.amount_to_collect > 0) return collecting(errand);
  return next && act("next", next[1], { class: "main", "data-to": next[0] });
}

function pieces(items) {
  const count = items.reduce((sum, item) => sum + item.quantity, 0);
  return count === 1 ? "1 piece" : `${count} pieces`;
}

export function errandCard(errand) {
  const next = NEXT[errand.delivery_status];
  const items = make("details", {}, make("summary", {}, pieces(errand.items)), make("ul", {}, ...errand.items.map((item) => make("li", {}, itemText(item)))));
  const isFetching = errand.delivery_status === "assigned";
  return make(
    "article",
    { class: "card errand", "data-order": errand.id, "aria-label": `Order ${errand.number}` },
    head(errand, make("span", { class: "badge", "data-state": errand.delivery_status }, STATES[errand.delivery_status])),
    ...stops(errand),
    errand.note && make("p", { class: "note" }, errand.note),
    errand.customer?.name && make("p", {}, `For ${errand.customer.name}`),
    pay(errand),
    make("div", { class: "ways" }, navigate(isFetching ? errand.pickup : errand.dropoff, isFetching ? "to the store" : "to the customer"), ring(errand.customer?.phone, "customer"), ring(isFetching && errand.pickup.phone, "store")),
    items,
    proof(errand),
    step(errand),
    next && failure(errand),
  );
}

export function cashHeld(found) {
  if (!found.data.length) return [make("p", { class: "quiet" }, "You have no cash to hand in.")];
  const rows = found.data.flatMap((held) => [make("dt", {}, held.restaurant_name), make("dd", {}, money(held.amount, held.currency))]);
  return [make("dl", { class: "sums" }, ...rows)];
}

export function earnings(found) {
  const row = (name, amount, attributes = {}) => [make("dt", attributes, name), make("dd", attributes, money(amount, found.currency))];
  const day = (moment) => new Date(moment).toLocaleString([], { weekday: "short", hour: "2-digit", minute: "2-digit" });
  const list = [
    ...found.items.map((item) => [item.delivered_at, "Delivery", item.total]),
    ...found.adjusted.map((item) => [item.at, item.reason, item.amount]),
  ].sort(([one], [other]) => other.localeCompare(one));
  return [
    make("dl", { class: "sums" }, ...row(found.deliveries === 1 ? "1 delivery" : `${found.deliveries} deliveries`, found.base), ...row("Tips", found.tips), ...row("Adjustments", found.adjustments), ...row("Together", found.total, { class: "total" })),
    ...(list.length ? [make("dl", { class: "sums" }, ...list.flatMap(([at, name, amount]) => row(`${day(at)} ${name}`, amount)))] : []),
  ];
}
