"""The template data of an order's tracking page: its progress and receipt."""

import hashlib
from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final
from zoneinfo import ZoneInfo

from comanda import clock, money, runtime
from comanda.contracts.order_status import DeliveryStatus, Status
from comanda.db import sql
from comanda.errors import NotFound
from comanda.orders import queries

from comanda_storefront.pages.formats import format_price, format_time

SELECT_TRACKED_ORDER: Final = """
    SELECT o.id, o.owner_id, o.store_id, s.title, s.slug, s.phone, s.address, s.timezone, s.is_published
    FROM core_order o JOIN core_store s ON s.id = o.store_id AND s.owner_id = o.owner_id
    WHERE o.track_hash = $1
"""
MAX_TOKEN_LENGTH: Final = 64
MULTIPLICATION_SIGN: Final = "\u00d7"

HEADLINES: Final = {
    Status.NEW: "We have your order.",
    Status.PREPARING: "Your order is being prepared.",
    Status.READY: "Your order is ready.",
    Status.DELIVERED: "Your order has been delivered.",
    Status.COMPLETED: "Your order is complete. Thank you!",
    Status.CANCELLED: "This order was cancelled.",
}
DELIVERY_HEADLINES: Final[Mapping[str | None, str]] = {
    DeliveryStatus.PICKED_UP: "The driver has picked up your order.",
    DeliveryStatus.OUT_FOR_DELIVERY: "Your order is on its way.",
    DeliveryStatus.DELIVERED: "Your order has been delivered.",
    DeliveryStatus.FAILED: "We could not deliver your order. The store will be in touch.",
}
ASSIGNED_DETAIL: Final = "A driver will pick it up."
# Only a link: the page itself loads nothing from there.
MAP_URL: Final = "https://www.openstreetmap.org/?mlat={lat:.5f}&mlon={lng:.5f}#map=16/{lat:.5f}/{lng:.5f}"
# An older location is not shown.
MAX_LOCATION_AGE_MINUTES: Final = 60
WEB_PREFIXES: Final = ("https://", "http://", "/")
IN_TRANSIT_STATUSES: Final = frozenset({DeliveryStatus.PICKED_UP, DeliveryStatus.OUT_FOR_DELIVERY})
# The steps of an order, and the timeline entries with the time of each.
STEPS: Final = (("Received", ("created_at",)), ("In preparation", ("preparing_at",)), ("Ready", ("ready_at",)))
PICKUP_STEPS: Final = (*STEPS, ("Completed", ("completed_at", "delivered_at")))
DELIVERY_STEPS: Final = (
    *STEPS,
    ("On its way", ("out_for_delivery_at", "picked_up_at")),
    ("Delivered", ("delivered_at", "completed_at")),
)
STEP_BY_STATUS: Final = {Status.NEW: 0, Status.PREPARING: 1, Status.READY: 2}
FINAL_STATUSES: Final = queries.ENDED_STATUSES


def hash_track_token(token: str) -> bytes:
    """Return the hash by which an order is found. Raises ``NotFound`` for an invalid track token."""
    if not token.isascii() or len(token) > MAX_TOKEN_LENGTH:
        raise NotFound
    return hashlib.sha256(token.encode()).digest()


async def get_order_view(token: str) -> dict[str, Any]:
    """Return the data of the template ``track.html``. Raises ``NotFound`` for an unknown or expired token."""
    track_hash = hash_track_token(token)
    # Checks that the order may still be tracked and its owner is not suspended; includes the sections of plugins.
    public = await queries.get_tracking(token)
    row = await sql.fetch_one(SELECT_TRACKED_ORDER, track_hash)
    if row is None:
        raise NotFound
    order = await queries.get_order(row["owner_id"], row["store_id"], row["id"])
    zone = ZoneInfo(row["timezone"])
    return {
        "token": token,
        "store": row,
        "order": order,
        "number": order["number"],
        "placed_at": format_time(order["created_at"], zone),
        "wanted_at": format_time(order["scheduled_for"], zone) if order["scheduled_for"] else None,
        "mode": _get_mode_label(order["type"]),
        "lines": [_to_line(line, order["currency"]) for line in order["items"]],
        **_to_amounts(order),
        **to_progress(order, public, zone),
    }


def to_progress(order: Mapping[str, Any], public: Mapping[str, Any], zone: ZoneInfo) -> dict[str, Any]:
    """Return the part of the page that changes: the headline, the steps, the driver and the payment link."""
    status, delivery = Status(order["status"]), order["delivery_status"]
    names = DELIVERY_STEPS if delivery else PICKUP_STEPS
    reached = _get_current_step(status, delivery, len(names) - 1)
    has_failed = delivery == DeliveryStatus.FAILED and status not in FINAL_STATUSES
    pay_url = public.get("pay_url")
    return {
        "headline": _get_headline(status, delivery),
        "detail": ASSIGNED_DETAIL if delivery == DeliveryStatus.ASSIGNED and status not in FINAL_STATUSES else None,
        "is_cancelled": status is Status.CANCELLED,
        "is_finished": status in FINAL_STATUSES,
        "driver": _to_driver(public.get("driver"))
        if delivery in IN_TRANSIT_STATUSES and status not in FINAL_STATUSES
        else None,
        "pay_url": pay_url if isinstance(pay_url, str) and pay_url.startswith(WEB_PREFIXES) else None,
        "photos": _list_photos(public.get("proof")),
        "steps": [
            {
                "label": "Not delivered" if has_failed and place == reached else label,
                "state": _get_step_state(place, reached, has_failed=has_failed),
                "at": _format_step_time(order, keys, zone) if place <= reached else None,
            }
            for place, (label, keys) in enumerate(names)
        ],
    }


def _get_step_state(place: int, reached: int, *, has_failed: bool) -> str:
    if place == reached:
        return "failed" if has_failed else "now"
    return "done" if place < reached else "next"


def _get_current_step(status: Status, delivery: str | None, last: int) -> int:
    if status in FINAL_STATUSES or delivery in (DeliveryStatus.DELIVERED, DeliveryStatus.FAILED):
        return last
    return 3 if delivery in IN_TRANSIT_STATUSES else STEP_BY_STATUS[status]


def _get_headline(status: Status, delivery: str | None) -> str:
    return HEADLINES[status] if status in FINAL_STATUSES else DELIVERY_HEADLINES.get(delivery, HEADLINES[status])


def _to_driver(block: Any) -> dict[str, str | None] | None:
    """Return the driver's first name, last update and map link, or None without a driver."""
    if not isinstance(block, Mapping) or not block.get("name"):
        return None
    names = str(block["name"]).split()
    seen = _format_last_seen(block.get("location_updated_at"))
    return {"name": names[0] if names else "Your driver", "seen": seen, "map_url": _to_map_url(block) if seen else None}


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
    if not seen_at:
        return None
    when = seen_at if isinstance(seen_at, datetime) else datetime.fromisoformat(str(seen_at))
    minutes = int((clock.now() - when).total_seconds() // 60)
    if minutes >= MAX_LOCATION_AGE_MINUTES:
        return None
    return f"{minutes} min ago" if minutes >= 1 else "just now"


def _format_step_time(order: Mapping[str, Any], keys: tuple[str, ...], zone: ZoneInfo) -> str | None:
    timeline = order["timeline"]
    found = next((timeline[key] for key in keys if key in timeline), None)
    return format_time(datetime.fromisoformat(found), zone, order["created_at"]) if found else None


def _get_mode_label(code: str) -> str:
    mode = runtime.registry().fulfillment_modes.get(code)
    return mode.label if mode else code


def _to_line(line: Mapping[str, Any], currency: str) -> dict[str, Any]:
    chosen = [line["variation"]["name"]] if line["variation"] else []
    chosen += [
        f"{each['quantity']} {MULTIPLICATION_SIGN} {each['name']}" if each["quantity"] > 1 else each["name"]
        for each in line["extras"]
    ]
    return {
        "name": line["name"],
        "quantity": line["quantity"],
        "choices": ", ".join(chosen),
        "note": line["note"],
        "total": _format_amount(line["line_total"], currency),
    }


def _to_amounts(order: Mapping[str, Any]) -> dict[str, Any]:
    currency = order["currency"]
    amounts = [
        ("Subtotal", order["subtotal"]),
        (f"Discount {order['coupon_code'] or ''}".strip(), -order["discount_total"]),
        ("Service charge", order["service_charge"]),
        ("Delivery", order["delivery_fee"]),
        ("Tip", order["tip_amount"]),
        ("Tax included" if order["tax_included"] else "Tax", order["tax_total"]),
        ("Rounding", order["rounding"]),
    ]
    return {
        "amounts": [(label, _format_amount(amount, currency)) for label, amount in amounts if amount],
        "total": _format_amount(order["total"], currency),
        "due": _format_amount(order["amount_due"], currency) if order["amount_due"] else None,
    }


def _format_amount(amount: float, currency: str) -> str:
    # Amounts in the record are exact to the minor unit.
    return format_price(round(amount * 10 ** money.get_exponent(currency)), currency)
