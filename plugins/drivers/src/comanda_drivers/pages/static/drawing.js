// Offers and deliveries as elements.
import { gettext as _, ngettext, pgettext } from "/own/texts.js";
import { act, distance, icon, make, money, words } from "./elements.js";
import { isFetching } from "./route.js";

const STATES = { pending: pgettext("delivery", "Available"), assigned: pgettext("delivery", "Pick up"), picked_up: _("Picked up"), out_for_delivery: _("On the way"), delivered: _("Delivered"), failed: _("Failed") };
const NEXT = { assigned: ["picked_up", _("Picked up")], picked_up: ["out_for_delivery", _("On my way")], out_for_delivery: ["delivered", _("Delivered")] };
const WANTS = {
  otp: _("To prove: the customer's code"),
  photo: _("To prove: a photo"),
  either: _("To prove: the customer's code or a photo"),
  both: _("To prove: the customer's code and a photo"),
};

// Opens what the phone has for finding the way.
function way({ address, lat, lng }) {
  const place = lat === null ? encodeURIComponent(address ?? "") : `${lat},${lng}`;
  if (/android/i.test(navigator.userAgent)) return `geo:${lat === null ? "0,0" : place}?q=${place}`;
  if (/iphone|ipad/i.test(navigator.userAgent)) return `https://maps.apple.com/?daddr=${place}`;
  return lat === null ? `https://www.openstreetmap.org/search?query=${place}` : `https://www.openstreetmap.org/directions?to=${place}`;
}

const navigate = (place, label) =>
  (place.address || place.lat !== null) && make("a", { class: "button plain", href: way(place), target: "_blank", rel: "noopener noreferrer", "aria-label": label }, icon("map"), _("Navigate"));
const ring = (phone, text, label) => phone && make("a", { class: "button plain", href: `tel:${phone.replace(/[^+\d]/g, "")}`, "aria-label": label }, icon("phone"), text);

function itemText(item) {
  const details = [item.variation, ...item.extras.map((extra) => (extra.quantity > 1 ? `${extra.quantity} × ${extra.name}` : extra.name)), item.note];
  return [`${item.quantity} × ${item.name}`, ...details.filter(Boolean)].join(", ");
}

const title = (delivery) => make("h2", {}, `#${delivery.number} `, make("bdi", {}, delivery.pickup.name));
const head = (delivery, ...more) => make("header", {}, title(delivery), ...more);

function stops(delivery) {
  const from = [delivery.pickup.address, distance(delivery.distance_m)].filter(Boolean).join(", ");
  return [
    make("h3", {}, _("From")),
    words("p", from || delivery.pickup.name, { class: isFetching(delivery) && "where" }),
    make("h3", {}, _("To")),
    words("p", delivery.dropoff.address ?? _("The order names no address."), { class: !isFetching(delivery) && "where" }),
    words("p", delivery.dropoff.instructions, { class: "note" }),
  ];
}

function pay(delivery) {
  const tip = delivery.tip_amount > 0 && make("span", { class: "quiet" }, " ", _("includes %(amount)s tip", { amount: money(delivery.tip_amount, delivery.currency) }));
  if (delivery.amount_to_collect > 0) return make("p", { class: "collect" }, icon("cash"), _("Collect %(amount)s", { amount: money(delivery.amount_to_collect, delivery.currency) }), tip);
  return make("p", { class: "paid" }, icon("check"), delivery.is_paid ? _("Paid") : _("Nothing to collect"), tip);
}

export function offerCard(offer) {
  const errand = { ...offer.delivery, distance_m: offer.distance_m };
  return make(
    "article",
    { class: "card errand offered", "data-order": errand.id, "data-offer": offer.id, "data-ends": offer.expires_at, "aria-label": _("Offer, order %(number)s", { number: errand.number }) },
    head(errand, make("span", { class: "left", "aria-hidden": "true", "data-left": "" })),
    ...stops(errand),
    pay(errand),
    make("progress", { max: Math.max(1, Math.round((Date.parse(offer.expires_at) - Date.parse(offer.created_at)) / 1000)), value: 0, "aria-hidden": "true" }),
    make("div", { class: "ways" }, act("reject", _("No, thanks"), { class: "plain" }), act("accept", _("Accept"), { class: "main" })),
  );
}

export function freeCard(delivery) {
  return make("article", { class: "card errand", "data-order": delivery.id, "aria-label": _("Available, order %(number)s", { number: delivery.number }) }, head(delivery), ...stops(delivery), pay(delivery), act("claim", _("Take it"), { class: "main" }));
}

function code(delivery) {
  if (delivery.proof.code_verified) return make("p", { class: "done" }, icon("check"), _("The code is right."));
  if (delivery.proof.is_code_waiting) return make("p", { class: "quiet" }, _("The code will be checked."));
  return act("verify", _("Customer's code"), { class: "plain" }, "key");
}

function photo(delivery) {
  const { photos } = delivery.proof;
  return [
    photos > 0 && make("p", { class: "done" }, icon("check"), ngettext("%(num)s photo is kept.", "%(num)s photos are kept.", photos)),
    make("label", { class: "button plain" }, icon("image"), photos ? _("Another photo") : _("Take a photo"), make("input", { type: "file", name: "photo", accept: "image/jpeg,image/png,image/webp", capture: "environment", class: "unseen", "data-photo": "" })),
  ];
}

// Returns what is still to be proven, or null if it is enough, or will be once the waiting acts are sent.
export function missingProof({ pod, proof }) {
  const [hasCode, hasPhoto] = [proof.code_verified || proof.is_code_waiting, proof.photos > 0];
  const isMet = { none: true, otp: hasCode, photo: hasPhoto, either: hasCode || hasPhoto, both: hasCode && hasPhoto }[pod];
  return isMet ? null : WANTS[pod];
}

function proof(delivery) {
  if (delivery.pod === "none" || isFetching(delivery) || !NEXT[delivery.delivery_status]) return null;
  return make("div", { class: "proof" }, make("h3", {}, WANTS[delivery.pod]), delivery.pod !== "photo" && code(delivery), ...(delivery.pod === "otp" ? [] : photo(delivery)));
}

function pieces(items) {
  const count = items.reduce((sum, item) => sum + item.quantity, 0);
  return ngettext("%(num)s item", "%(num)s items", count);
}

function problem(delivery) {
  if (!delivery.problem) return null;
  return make(
    "div",
    { class: "refused", role: "alert" },
    make("p", {}, icon("warning"), make("strong", {}, delivery.problem.text)),
    make("div", { class: "ways" }, act("retry", _("Send it again"), { class: "plain", "data-action": delivery.problem.id }), act("drop", _("Drop it"), { class: "plain", "data-action": delivery.problem.id })),
  );
}

function body(delivery) {
  const fetching = isFetching(delivery);
  return [
    ...stops(delivery),
    words("p", delivery.note, { class: "note" }),
    delivery.customer?.name && make("p", {}, _("For %(name)s", { name: delivery.customer.name })),
    pay(delivery),
    delivery.requires_id_check && make("p", { class: "age" }, icon("shield"), _("Check the customer's age at the door.")),
    make(
      "div",
      { class: "ways" },
      navigate(fetching ? delivery.pickup : delivery.dropoff, fetching ? _("Navigate to the store") : _("Navigate to the customer")),
      ring(delivery.customer?.phone, _("Call customer"), _("Call the customer")),
      ring(fetching && delivery.pickup.phone, _("Call store"), _("Call the store")),
    ),
    make("details", {}, make("summary", {}, pieces(delivery.items)), make("ul", {}, ...delivery.items.map((item) => words("li", itemText(item))))),
    proof(delivery),
  ];
}

function step(delivery) {
  const next = NEXT[delivery.delivery_status];
  return next && act(next[0] === "delivered" ? "finish" : "next", next[1], { class: "main", "data-to": next[0] });
}

function movers({ position, count, number }) {
  if (count < 2) return null;
  const up = act("up", icon("up"), { class: "plain small", "aria-label": _("Move order %(number)s up", { number }), disabled: position === 1 });
  const down = act("down", icon("down"), { class: "plain small", "aria-label": _("Move order %(number)s down", { number }), disabled: position === count });
  return make("span", { class: "movers" }, up, down);
}

const state = (delivery) => make("span", { class: "badge", "data-state": delivery.delivery_status }, STATES[delivery.delivery_status]);
const waiting = (delivery) => delivery.waiting > 0 && make("span", { class: "badge warn" }, icon("clock"), _("Waiting to be sent"));

// A delivery that is over for the driver, but not yet for the server.
export function doneCard(delivery) {
  return make("article", { class: "card errand over", "data-order": delivery.id, "aria-label": _("Order %(number)s", { number: delivery.number }) }, head(delivery, state(delivery), waiting(delivery)));
}

// The next stop is shown whole; of the others only where they are, unless they are opened.
export function errandCard(delivery) {
  const { position, count } = delivery;
  const whole = [...body(delivery), step(delivery), NEXT[delivery.delivery_status] && act("fail", _("It cannot be delivered"), { class: "link" })];
  const where = isFetching(delivery) ? delivery.pickup.name : delivery.dropoff.address;
  return make(
    "article",
    { class: `card errand${position === 1 ? " first" : ""}`, "data-order": delivery.id, "aria-label": _("Order %(number)s", { number: delivery.number }) },
    position === 1 && count > 1 && make("p", { class: "eyebrow" }, _("Next stop")),
    make("header", {}, count > 1 && make("span", { class: "place-number", "aria-hidden": "true" }, String(position)), title(delivery), movers(delivery)),
    make("p", { class: "states" }, state(delivery), waiting(delivery)),
    problem(delivery),
    ...(position === 1 ? whole : [make("details", { class: "more" }, make("summary", {}, make("bdi", {}, where ?? _("The order names no address."))), ...whole)]),
  );
}

// What the server did not accept of a delivery that is no longer the driver's.
export function refusedCard(action) {
  return make(
    "article",
    { class: "card errand", "data-order": action.subject, "aria-label": _("Order %(number)s", { number: action.number }) },
    make("h2", {}, `#${action.number}`),
    make("p", {}, action.problem),
    make("div", { class: "ways" }, act("retry", _("Send it again"), { class: "plain", "data-action": action.id }), act("drop", _("Drop it"), { class: "plain", "data-action": action.id })),
  );
}
