"""The template data of an order's tracking page: its progress, expected time, map and receipt."""

from collections.abc import Mapping
from datetime import datetime
from decimal import Decimal
from typing import Any, Final
from zoneinfo import ZoneInfo

from comanda.basics import PPM_OF_WHOLE, clock
from comanda.contracts import DeliveryStatus, OrderState, Status
from comanda.menu import languages
from comanda.orders import Order, OrderLine, fold_combos, get_guest_order, is_table_token, pricing, sections
from comanda.platform import runtime
from comanda.web import N_, current_language, format_percentage, store_guests
from comanda.web import gettext as _

from comanda_storefront.pages.formats import format_price, format_time
from comanda_storefront.pages.tracking import delivery_map
from comanda_storefront.services import arrival_estimates, guest_changes, links
from comanda_storefront.services.arrival_estimates import IN_TRANSIT_STATUSES, ArrivalEstimate

MULTIPLICATION_SIGN: Final = "\u00d7"

HEADLINES: Final = {
    Status.NEW: N_("We have your order."),
    Status.PREPARING: N_("Your order is being prepared."),
    Status.READY: N_("Your order is ready."),
    Status.DELIVERED: N_("Your order has been delivered."),
    Status.COMPLETED: N_("Your order is complete. Thank you!"),
    Status.CANCELLED: N_("This order was cancelled."),
}
DELIVERY_HEADLINES: Final[Mapping[DeliveryStatus | None, str]] = {
    DeliveryStatus.PICKED_UP: N_("The driver has picked up your order."),
    DeliveryStatus.OUT_FOR_DELIVERY: N_("Your order is on its way."),
    DeliveryStatus.DELIVERED: N_("Your order has been delivered."),
    DeliveryStatus.FAILED: N_("We could not deliver your order. The store will be in touch."),
}
ASSIGNED_DETAIL: Final = N_("A driver will pick it up.")
# Only a link: the page itself loads nothing from there.
MAP_URL: Final = "https://www.openstreetmap.org/?mlat={lat:.5f}&mlon={lng:.5f}#map=16/{lat:.5f}/{lng:.5f}"
# An older location is not shown.
MAX_LOCATION_AGE_MINUTES: Final = 60
# What plugins say of an order in keys with this end: labels with texts, in the language of the page.
FACTS_SUFFIX: Final = "_facts"
# And links of theirs: labels with paths on this host.
LINKS_SUFFIX: Final = "_links"
WEB_PREFIXES: Final = ("https://", "http://", "/")
# The steps of an order, their icons, and the timeline entries with the time of each.
STEPS: Final = (
    (N_("Received"), "receipt", ("created_at",)),
    (N_("In preparation"), "kitchen", ("preparing_at",)),
    (N_("Ready"), "bag", ("ready_at",)),
)
PICKUP_STEPS: Final = (*STEPS, (N_("Completed"), "check", ("completed_at", "delivered_at")))
DELIVERY_STEPS: Final = (
    *STEPS,
    (N_("On its way"), "scooter", arrival_estimates.TRANSIT_STAGES),
    (N_("Delivered"), "home", arrival_estimates.ARRIVED),
)
STEP_BY_STATUS: Final = {Status.NEW: 0, Status.PREPARING: 1, Status.READY: 2}


async def get_order_view(token: str) -> dict[str, Any]:
    """Return the data of the template ``track.html``. Raises ``NotFound`` for an unknown or expired token.

    Who has it by the code of its table sees what stands on the open check, and only how far it is once that is paid.
    """
    order = await get_guest_order(token)
    is_first_guest = not is_table_token(token)
    can_add = await guest_changes.allows_rounds(order)
    store = await store_guests.get_store(order.owner_id, order.store_id)
    zone = store.zone
    state = OrderState(order.type, order.status, order.delivery_status)
    page = await sections.load_page_sections(order.owner_id, order.id, state) if is_first_guest else {}
    trip = arrival_estimates.get_trip(order.sections.get("driver"), page.get("route"))
    # A promised day says more than how long orders of minutes take; of a driver who is on the way both are true.
    is_promised = page.get("has_promised_day") and order.delivery_status not in IN_TRANSIT_STATUSES
    estimate = None if is_promised or order.awaits_payment else await arrival_estimates.estimate_arrival(order, trip)
    texts = await languages.get_texts(order.owner_id, order.store_id, store.menu_version, current_language().code)
    return {
        "token": token,
        "store": store,
        "order": order,
        "number": order.number,
        "placed_at": format_time(order.created_at, zone),
        "wanted_at": format_time(order.scheduled_for, zone) if order.scheduled_for else None,
        "mode": _get_mode_label(order.type),
        "lines": [_to_line(line, order.currency, texts) for line in fold_combos(order.lines)],
        **_to_amounts(order),
        **to_progress(order, zone),
        "has_receipt": is_first_guest or guest_changes.is_open_check(order),
        "cancel_until": _format_until(await guest_changes.get_cancellable_until(order), zone)
        if is_first_guest
        else None,
        "more_path": links.build_round_path(store.slug, order) if can_add and store.is_published else None,
        "expected": _to_expected(order, estimate, zone),
        "facts": [fact for name, facts in page.items() if name.endswith(FACTS_SUFFIX) for fact in facts],
        "links": [link for name, links in page.items() if name.endswith(LINKS_SUFFIX) for link in links],
        "map": delivery_map.to_map(order, page.get("route")),
        # Who waits at a table sees the order come.
        "push_key": None if order.table_number or order.room_number else page.get("push_key"),
    }


def _to_expected(order: Order, estimate: ArrivalEstimate | None, zone: ZoneInfo) -> dict[str, Any] | None:
    """Return the expected time as a label and a time, or a sentence without one if the order is late."""
    if estimate is None:
        return None
    if estimate.is_late:
        return {"label": _("It is taking longer than planned."), "time": None}
    if estimate.is_planned:
        return {"label": _("Planned for"), "time": format_time(estimate.earliest, zone, clock.now())}
    label = _("Arriving about") if order.delivery_status is not None else _("Ready about")
    times = (format_time(moment, zone, clock.now()) for moment in (estimate.earliest, estimate.latest))
    return {"label": label, "time": "\N{EN DASH}".join(times)}


def _format_until(moment: datetime | None, zone: ZoneInfo) -> str | None:
    return None if moment is None else format_time(moment, zone, clock.now())


def to_progress(order: Order, zone: ZoneInfo) -> dict[str, Any]:
    """Return the part of the page that changes: the headline, the steps, the driver and the payment link."""
    status, delivery, public = order.status, order.delivery_status, order.sections
    names = DELIVERY_STEPS if delivery else PICKUP_STEPS
    reached = _get_current_step(status, delivery, len(names) - 1)
    has_failed = delivery == DeliveryStatus.FAILED and status.is_open
    pay_url = public.get("pay_url")
    return {
        "headline": _("Waiting for your payment") if order.awaits_payment else _(_get_headline(status, delivery)),
        "detail": _(ASSIGNED_DETAIL) if delivery == DeliveryStatus.ASSIGNED and status.is_open else None,
        "is_cancelled": status is Status.CANCELLED,
        "is_finished": not status.is_open,
        "is_refund_pending": public.get("refund_pending") is True,
        "refunded": format_price(order.refunded_minor, order.currency) if order.refunded_minor else None,
        "driver": _to_driver(public.get("driver")) if delivery in IN_TRANSIT_STATUSES and status.is_open else None,
        "pay_url": pay_url if isinstance(pay_url, str) and pay_url.startswith(WEB_PREFIXES) else None,
        "photos": _list_photos(public.get("proof")),
        "steps": [
            {
                "icon": icon,
                "label": _("Not delivered") if has_failed and place == reached else _(label),
                "state": _get_step_state(place, reached, has_failed=has_failed),
                "at": _format_step_time(order, keys, zone) if place <= reached else None,
            }
            for place, (label, icon, keys) in enumerate(names)
        ],
    }


def _get_step_state(place: int, reached: int, *, has_failed: bool) -> str:
    if place == reached:
        return "failed" if has_failed else "now"
    return "done" if place < reached else "next"


def _get_current_step(status: Status, delivery: DeliveryStatus | None, last: int) -> int:
    if not status.is_open or delivery in (DeliveryStatus.DELIVERED, DeliveryStatus.FAILED):
        return last
    return 3 if delivery in IN_TRANSIT_STATUSES else STEP_BY_STATUS[status]


def _get_headline(status: Status, delivery: DeliveryStatus | None) -> str:
    return DELIVERY_HEADLINES.get(delivery, HEADLINES[status]) if status.is_open else HEADLINES[status]


def _to_driver(block: Any) -> dict[str, str | None] | None:
    """Return the driver's first name, last update and map link, or None without a driver."""
    if not isinstance(block, Mapping) or not block.get("name"):
        return None
    names = str(block["name"]).split()
    seen = _format_last_seen(block.get("location_updated_at"))
    return {
        "name": names[0] if names else _("Your driver"),
        "seen": seen,
        "map_url": _to_map_url(block) if seen else None,
    }


def _list_photos(proof: Any) -> list[str]:
    """Return the URLs of the photos of a proof of delivery."""
    photos = proof.get("photos") if isinstance(proof, Mapping) else None
    urls = [str(photo.get("url", "")) for photo in photos or () if isinstance(photo, Mapping)]
    return [url for url in urls if url.startswith(WEB_PREFIXES)]


def _to_map_url(block: Mapping[str, Any]) -> str | None:
    """Return a link to the driver's location on a public map, or None without a location."""
    lat, lng = block.get("lat"), block.get("lng")
    if lat is None or lng is None:
        return None
    return MAP_URL.format(lat=float(lat), lng=float(lng))


def _format_last_seen(seen_at: Any) -> str | None:
    when = arrival_estimates.parse_moment(seen_at)
    if when is None:
        return None
    minutes = int((clock.now() - when).total_seconds() // 60)
    if minutes >= MAX_LOCATION_AGE_MINUTES:
        return None
    return _("%(minutes)s min ago", minutes=minutes) if minutes >= 1 else _("just now")


def _format_step_time(order: Order, keys: tuple[str, ...], zone: ZoneInfo) -> str | None:
    timeline = order.timeline
    found = next((timeline[key] for key in keys if key in timeline), None)
    return format_time(found, zone, order.created_at) if found else None


def _get_mode_label(code: str) -> str:
    mode = runtime.registry().fulfillment_modes.get(code)
    return _(mode.label) if mode else code


def _to_line(line: OrderLine, currency: str, texts: Mapping[str, str]) -> dict[str, Any]:
    """Return a line with its names in the guest's language, where the menu has them still."""
    chosen = [line.price_label] if line.price_label else []
    chosen += [texts.get(line.variation["name"], line.variation["name"])] if line.variation else []
    for each in line.extras:
        name = texts.get(each["name"], each["name"])
        chosen.append(f"{each['quantity']} {MULTIPLICATION_SIGN} {name}" if each["quantity"] > 1 else name)
    return {
        "name": texts.get(line.name, line.name),
        "quantity": line.quantity,
        "choices": ", ".join(chosen),
        "note": line.note,
        # Discounts and taxes have rows of their own.
        "total": format_price(line.unit_price_minor * line.quantity, currency),
    }


def _to_tax_row(row: pricing.TaxRow, currency: str) -> dict[str, str]:
    amounts = {"net": row.net_minor, "tax": row.tax_minor, "gross": row.gross_minor}
    return {
        "rate": format_percentage(Decimal(row.rate_ppm) / PPM_OF_WHOLE, 4),
        **{name: format_price(minor, currency) for name, minor in amounts.items()},
    }


def _to_amounts(order: Order) -> dict[str, Any]:
    currency, due_minor = order.currency, order.amount_due_minor
    amounts = [
        (_("Subtotal"), order.subtotal_minor),
        (
            _("Discount %(code)s", code=order.coupon_code) if order.coupon_code else _("Discount"),
            -order.discount_total_minor,
        ),
        *((_("of which %(name)s", name=each.name), -each.amount_minor) for each in order.promotions),
        (_("Service charge"), order.service_charge_minor),
        (_("Delivery"), order.delivery_fee_minor),
        *((_(charge.label), charge.amount_minor) for charge in order.charges),
        (_("Tip"), order.tip_minor),
        (_("Tax included") if order.is_tax_included else _("Tax"), order.tax_total_minor),
    ]
    return {
        "amounts": [(label, format_price(minor, currency)) for label, minor in amounts if minor],
        "total": format_price(order.total_minor, currency),
        "taxes": [_to_tax_row(row, currency) for row in order.tax_rows] if order.tax_total_minor else [],
        "rounding": format_price(order.rounding_minor, currency) if order.rounding_minor else None,
        "due": format_price(due_minor, currency) if due_minor else None,
    }
