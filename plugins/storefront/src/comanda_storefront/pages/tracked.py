"""An order's page: how it is coming along, and its receipt, for whoever holds its track token."""

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

from comanda_storefront.pages.wording import moment, price

FIND: Final = """
    SELECT o.id, o.owner_id, o.store_id, s.title, s.slug, s.phone, s.address, s.timezone, s.is_published
    FROM core_order o JOIN core_store s ON s.id = o.store_id AND s.owner_id = o.owner_id
    WHERE o.track_hash = $1
"""
TOKEN_LENGTH: Final = 64
TIMES: Final = "\u00d7"

HEADLINES: Final = {
    Status.NEW: "We have your order.",
    Status.PREPARING: "Your order is being prepared.",
    Status.READY: "Your order is ready.",
    Status.DELIVERED: "Your order has been delivered.",
    Status.COMPLETED: "Your order is complete. Thank you!",
    Status.CANCELLED: "This order was cancelled.",
}
DELIVERIES: Final[Mapping[str | None, str]] = {
    DeliveryStatus.PICKED_UP: "The driver has picked up your order.",
    DeliveryStatus.OUT_FOR_DELIVERY: "Your order is on its way.",
    DeliveryStatus.DELIVERED: "Your order has been delivered.",
    DeliveryStatus.FAILED: "We could not deliver your order. The store will be in touch.",
}
ASSIGNED: Final = "A driver will come for it."
# A link that a person may follow; the page itself loads nothing from there.
MAP: Final = "https://www.openstreetmap.org/?mlat={lat:.5f}&mlon={lng:.5f}#map=16/{lat:.5f}/{lng:.5f}"
# Where somebody was an hour ago says nothing any more.
STALE_MINUTES: Final = 60
WEB: Final = ("https://", "http://", "/")
ON_THE_WAY: Final = frozenset({DeliveryStatus.PICKED_UP, DeliveryStatus.OUT_FOR_DELIVERY})
# The steps of an order, and where the timeline notes when each was reached.
STEPS: Final = (("Received", ("created_at",)), ("In preparation", ("preparing_at",)), ("Ready", ("ready_at",)))
FETCHED: Final = (*STEPS, ("Completed", ("completed_at", "delivered_at")))
BROUGHT: Final = (
    *STEPS,
    ("On its way", ("out_for_delivery_at", "picked_up_at")),
    ("Delivered", ("delivered_at", "completed_at")),
)
REACHED: Final = {Status.NEW: 0, Status.PREPARING: 1, Status.READY: 2}
ENDED: Final = queries.ENDED


def digest(token: str) -> bytes:
    """Return the hash that an order is found by. Raises ``NotFound`` for what cannot be a track token."""
    if not token.isascii() or len(token) > TOKEN_LENGTH:
        raise NotFound
    return hashlib.sha256(token.encode()).digest()


async def order_view(token: str) -> dict[str, Any]:
    """Make what the template ``track.html`` shows. Raises ``NotFound`` for an unknown or expired token."""
    track_hash = digest(token)
    # Says what may still be followed, hides the orders of a suspended owner, and holds what plugins tell the public.
    public = await queries.get_tracking(token)
    row = await sql.fetch_one(FIND, track_hash)
    if row is None:
        raise NotFound
    order = await queries.get_order(row["owner_id"], row["store_id"], row["id"])
    zone = ZoneInfo(row["timezone"])
    return {
        "token": token,
        "store": row,
        "order": order,
        "number": order["number"],
        "placed_at": moment(order["created_at"], zone),
        "wanted_at": moment(order["scheduled_for"], zone) if order["scheduled_for"] else None,
        "mode": _mode_label(order["type"]),
        "lines": [_line(line, order["currency"]) for line in order["items"]],
        **_amounts(order),
        **progress(order, public, zone),
    }


def progress(order: Mapping[str, Any], public: Mapping[str, Any], zone: ZoneInfo) -> dict[str, Any]:
    """Make the part that changes while somebody looks: the headline, the steps, the driver and what is to be paid."""
    status, delivery = Status(order["status"]), order["delivery_status"]
    names = BROUGHT if delivery else FETCHED
    reached = _reached(status, delivery, len(names) - 1)
    has_failed = delivery == DeliveryStatus.FAILED and status not in ENDED
    pay_url = public.get("pay_url")
    return {
        "headline": _headline(status, delivery),
        "detail": ASSIGNED if delivery == DeliveryStatus.ASSIGNED and status not in ENDED else None,
        "is_cancelled": status is Status.CANCELLED,
        "is_finished": status in ENDED,
        "driver": _driver(public.get("driver")) if delivery in ON_THE_WAY and status not in ENDED else None,
        "pay_url": pay_url if isinstance(pay_url, str) and pay_url.startswith(WEB) else None,
        "photos": _photos(public.get("proof")),
        "steps": [
            {
                "label": "Not delivered" if has_failed and place == reached else label,
                "state": _state(place, reached, has_failed=has_failed),
                "at": _at(order, keys, zone) if place <= reached else None,
            }
            for place, (label, keys) in enumerate(names)
        ],
    }


def _state(place: int, reached: int, *, has_failed: bool) -> str:
    if place == reached:
        return "failed" if has_failed else "now"
    return "done" if place < reached else "next"


def _reached(status: Status, delivery: str | None, last: int) -> int:
    if status in ENDED or delivery in (DeliveryStatus.DELIVERED, DeliveryStatus.FAILED):
        return last
    return 3 if delivery in ON_THE_WAY else REACHED[status]


def _headline(status: Status, delivery: str | None) -> str:
    return HEADLINES[status] if status in ENDED else DELIVERIES.get(delivery, HEADLINES[status])


def _driver(block: Any) -> dict[str, str | None] | None:
    """Say who brings the order and when the driver was last heard of; only the first name is anybody's business."""
    if not isinstance(block, Mapping) or not block.get("name"):
        return None
    names = str(block["name"]).split()
    seen = _seen(block.get("location_updated_at"))
    return {"name": names[0] if names else "Your driver", "seen": seen, "map_url": _map_url(block) if seen else None}


def _photos(proof: Any) -> list[str]:
    """List the addresses of the photos that prove a delivery, if any were taken."""
    photos = proof.get("photos") if isinstance(proof, Mapping) else None
    urls = [str(photo.get("url", "")) for photo in photos or () if isinstance(photo, Mapping)]
    return [url for url in urls if url.startswith(WEB)]


def _map_url(block: Mapping[str, Any]) -> str | None:
    """Link to where the driver is on a public map, which is loaded by nobody who does not follow it."""
    lat, lng = block.get("lat"), block.get("lng")
    if lat is None or lng is None:
        return None
    return MAP.format(lat=float(lat), lng=float(lng))


def _seen(told: Any) -> str | None:
    if not told:
        return None
    when = told if isinstance(told, datetime) else datetime.fromisoformat(str(told))
    minutes = int((clock.now() - when).total_seconds() // 60)
    if minutes >= STALE_MINUTES:
        return None
    return f"{minutes} min ago" if minutes >= 1 else "just now"


def _at(order: Mapping[str, Any], keys: tuple[str, ...], zone: ZoneInfo) -> str | None:
    timeline = order["timeline"]
    found = next((timeline[key] for key in keys if key in timeline), None)
    return moment(datetime.fromisoformat(found), zone, order["created_at"]) if found else None


def _mode_label(code: str) -> str:
    mode = runtime.registry().fulfillment_modes.get(code)
    return mode.label if mode else code


def _line(line: Mapping[str, Any], currency: str) -> dict[str, Any]:
    chosen = [line["variation"]["name"]] if line["variation"] else []
    chosen += [
        f"{each['quantity']} {TIMES} {each['name']}" if each["quantity"] > 1 else each["name"]
        for each in line["extras"]
    ]
    return {
        "name": line["name"],
        "quantity": line["quantity"],
        "choices": ", ".join(chosen),
        "note": line["note"],
        "total": _text(line["line_total"], currency),
    }


def _amounts(order: Mapping[str, Any]) -> dict[str, Any]:
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
        "amounts": [(label, _text(amount, currency)) for label, amount in amounts if amount],
        "total": _text(order["total"], currency),
        "due": _text(order["amount_due"], currency) if order["amount_due"] else None,
    }


def _text(amount: float, currency: str) -> str:
    # Amounts of the record are exact to the minor unit.
    return price(round(amount * 10 ** money.get_exponent(currency)), currency)
