// Offers, deliveries and earnings as elements.
import { gettext as _, locale, ngettext, pgettext } from "/own/texts.js";

const STATES = { pending: pgettext("delivery", "Free"), assigned: _("Fetch it"), picked_up: _("Picked up"), out_for_delivery: _("On the way"), delivered: _("Delivered"), failed: _("Failed") };
const NEXT = { assigned: ["picked_up", _("Picked up")], picked_up: ["out_for_delivery", _("On my way")], out_for_delivery: ["delivered", _("Delivered")] };
const WANTS = {
  otp: _("To prove: the customer's code"),
  photo: _("To prove: a photo"),
  either: _("To prove: the customer's code or a photo"),
  both: _("To prove: the customer's code and a photo"),
};

export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined && value !== false) element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined && child !== "" && child !== false));
  return element;
}

export function money(amount, currency) {
  return new Intl.NumberFormat(locale, { style: "currency", currency }).format(amount);
}

function distance(metres) {
  if (metres === null || metres === undefined) return null;
  const [unit, amount] = metres < 950 ? ["meter", Math.round(metres / 50) * 50] : ["kilometer", metres / 1000];
  const digits = unit === "meter" ? 0 : 1;
  return new Intl.NumberFormat(locale, { style: "unit", unit, minimumFractionDigits: digits, maximumFractionDigits: digits }).format(amount);
}

// Opens what the phone has for finding the way.
function way({ address, lat, lng }) {
  const place = lat === null ? encodeURIComponent(address ?? "") : `${lat},${lng}`;
  if (/android/i.test(navigator.userAgent)) return `geo:${lat === null ? "0,0" : place}?q=${place}`;
  if (/iphone|ipad/i.test(navigator.userAgent)) return `https://maps.apple.com/?daddr=${place}`;
  return lat === null ? `https://www.openstreetmap.org/search?query=${place}` : `https://www.openstreetmap.org/directions?to=${place}`;
}

const navigate = (place, label) =>
  place.address || place.lat !== null ? make("a", { class: "button plain", href: way(place), target: "_blank", rel: "noopener noreferrer", "aria-label": label }, _("Navigate")) : null;
const ring = (phone, text, label) => (phone ? make("a", { class: "button plain", href: `tel:${phone.replace(/[^+\d]/g, "")}`, "aria-label": label }, text) : null);

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
    make("h3", {}, _("From")),
    make("p", {}, from || errand.pickup.name),
    make("h3", {}, _("To")),
    make("p", { class: "where" }, errand.dropoff.address ?? _("The order names no address.")),
    errand.dropoff.instructions && make("p", { class: "note" }, errand.dropoff.instructions),
  ];
}

function pay(errand) {
  const tip = errand.tip_amount > 0 && make("span", { class: "quiet" }, " ", _("with %(amount)s for you", { amount: money(errand.tip_amount, errand.currency) }));
  if (errand.amount_to_collect > 0) return make("p", { class: "collect" }, _("Collect %(amount)s", { amount: money(errand.amount_to_collect, errand.currency) }), tip);
  return make("p", { class: "paid" }, errand.is_paid ? _("Paid") : _("Nothing to collect"), tip);
}

const act = (name, label, attributes = {}) => make("button", { type: "button", "data-act": name, ...attributes }, label);

export function offerCard(offer) {
  const errand = { ...offer.delivery, distance_m: offer.distance_m };
  return make(
    "article",
    { class: "card errand offered", "data-order": errand.id, "data-offer": offer.id, "data-ends": offer.expires_at, "aria-label": _("Offer, order %(number)s", { number: errand.number }) },
    head(errand, make("span", { class: "left", "aria-hidden": "true", "data-left": "" })),
    ...stops(errand),
    pay(errand),
    make("div", { class: "ways" }, act("accept", _("Accept"), { class: "main" }), act("reject", _("No, thanks"), { class: "plain" })),
  );
}

export function freeCard(errand) {
  return make("article", { class: "card errand", "data-order": errand.id, "aria-label": _("Free, order %(number)s", { number: errand.number }) }, head(errand), ...stops(errand), pay(errand), act("claim", _("Take it"), { class: "main" }));
}

function code(errand) {
  if (errand.proof.code_verified) return make("p", { class: "done" }, _("The code is right."));
  const id = `code-${errand.id}`;
  return make(
    "form",
    { class: "code", "data-form": "verify" },
    act("code", _("Send a code"), { class: "plain" }),
    make("label", { for: id }, _("Customer's code"), make("input", { id, name: "code", inputmode: "numeric", autocomplete: "off", maxlength: "4" })),
    make("button", { type: "submit", class: "plain" }, _("Check")),
  );
}

function photo(errand) {
  const { photos } = errand.proof;
  return [
    photos > 0 && make("p", { class: "done" }, ngettext("%(num)s photo is kept.", "%(num)s photos are kept.", photos)),
    make("label", { class: "button plain" }, photos ? _("Another photo") : _("Take a photo"), make("input", { type: "file", name: "photo", accept: "image/jpeg,image/png,image/webp", capture: "environment", class: "unseen", "data-photo": "" })),
  ];
}

function proof(errand) {
  if (errand.pod === "none" || !NEXT[errand.delivery_status]) return null;
  return make(
    "div",
    { class: "proof" },
    make("h3", {}, WANTS[errand.pod]),
    errand.pod !== "photo" && code(errand),
    ...(errand.pod === "otp" ? [] : photo(errand)),
  );
}

function failure(errand) {
  const id = `why-${errand.id}`;
  return make(
    "details",
    {},
    make("summary", {}, _("It cannot be delivered")),
    make("form", { "data-form": "fail" }, make("label", { for: id }, _("Why")), make("input", { id, name: "note", maxlength: "500" }), " ", make("button", { type: "submit" }, _("Give up"))),
  );
}

// The last step at a door where cash is due: what was taken, which is all of it unless the driver says otherwise.
function collecting(errand) {
  const id = `cash-${errand.id}`;
  const amount = new Intl.NumberFormat("en", { useGrouping: false, maximumFractionDigits: 4 }).format(errand.amount_to_collect);
  return make(
    "form",
    { class: "cash", "data-form": "collect" },
    make("label", { for: id }, _("Cash taken (%(currency)s)", { currency: errand.currency }), make("input", { id, name: "cash", type: "number", inputmode: "decimal", min: "0", max: amount, step: "any", value: amount, required: true })),
    make("p", { class: "quiet" }, _("Without the change. A cash tip is yours: leave it out.")),
    make("button", { type: "submit", class: "main" }, _("Delivered")),
  );
}

function step(errand) {
  const next = NEXT[errand.delivery_status];
  if (next && next[0] === "delivered" && errand.amount_to_collect > 0) return collecting(errand);
  return next && act("next", next[1], { class: "main", "data-to": next[0] });
}

function pieces(items) {
  const count = items.reduce((sum, item) => sum + item.quantity, 0);
  return ngettext("%(num)s piece", "%(num)s pieces", count);
}

export function errandCard(errand) {
  const next = NEXT[errand.delivery_status];
  const items = make("details", {}, make("summary", {}, pieces(errand.items)), make("ul", {}, ...errand.items.map((item) => make("li", {}, itemText(item)))));
  const isFetching = errand.delivery_status === "assigned";
  return make(
    "article",
    { class: "card errand", "data-order": errand.id, "aria-label": _("Order %(number)s", { number: errand.number }) },
    head(errand, make("span", { class: "badge", "data-state": errand.delivery_status }, STATES[errand.delivery_status])),
    ...stops(errand),
    errand.note && make("p", { class: "note" }, errand.note),
    errand.customer?.name && make("p", {}, _("For %(name)s", { name: errand.customer.name })),
    pay(errand),
    make("div", { class: "ways" }, navigate(isFetching ? errand.pickup : errand.dropoff, isFetching ? _("Navigate to the store") : _("Navigate to the customer")), ring(errand.customer?.phone, _("Call customer"), _("Call the customer")), ring(isFetching && errand.pickup.phone, _("Call store"), _("Call the store"))),
    items,
    proof(errand),
    step(errand),
    next && failure(errand),
  );
}

export function cashHeld(found) {
  if (!found.data.length) return [make("p", { class: "quiet" }, _("You have no cash to hand in."))];
  const rows = found.data.flatMap((held) => [make("dt", {}, held.restaurant_name), make("dd", {}, money(held.amount, held.currency))]);
  return [make("dl", { class: "sums" }, ...rows)];
}

export function earnings(found) {
  const row = (name, amount, attributes = {}) => [make("dt", attributes, name), make("dd", attributes, money(amount, found.currency))];
  const day = (moment) => new Date(moment).toLocaleString(locale, { weekday: "short", hour: "2-digit", minute: "2-digit" });
  const list = [
    ...found.items.map((item) => [item.delivered_at, _("Delivery"), item.total]),
    ...found.adjusted.map((item) => [item.at, item.reason, item.amount]),
  ].sort(([one], [other]) => other.localeCompare(one));
  return [
    make("dl", { class: "sums" }, ...row(ngettext("%(num)s delivery", "%(num)s deliveries", found.deliveries), found.base), ...row(_("Tips"), found.tips), ...row(_("Adjustments"), found.adjustments), ...row(_("Together"), found.total, { class: "total" })),
    ...(list.length ? [make("dl", { class: "sums" }, ...list.flatMap(([at, name, amount]) => row(`${day(at)} ${name}`, amount)))] : []),
  ];
}
