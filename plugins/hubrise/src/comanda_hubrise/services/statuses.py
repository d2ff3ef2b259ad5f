"""Statuses of orders: those of orders here as HubRise calls them, and cancellations that come from there."""

from collections.abc import Mapping
from typing import Any, Final

from comanda.basics import ValidationFailed
from comanda.contracts import DeliveryStatus, Status
from comanda.orders import set_status
from comanda.platform.db import sql
from comanda_foreign_orders.api import LinkState, create_caller

from comanda_hubrise.client import HubRise, HubRiseInvalid
from comanda_hubrise.participant import CHANNEL
from comanda_hubrise.records import KnownLink
from comanda_hubrise.services.documents.orders import get_status, get_summary

CANCELLED: Final = "cancelled"
REJECTED: Final = "rejected"
# HubRise has the last word on an order that is one of these.
CLOSED: Final = frozenset({CANCELLED, REJECTED, "delivery_failed"})
# An order that is here is accepted: stores without a step of their own for that do not accept it again.
STATUSES: Final[Mapping[str, str]] = {
    Status.NEW: "accepted",
    Status.PREPARING: "in_preparation",
    Status.READY: "awaiting_collection",
    Status.DELIVERED: "completed",
    Status.COMPLETED: "completed",
    Status.CANCELLED: CANCELLED,
}
DELIVERY_STATUSES: Final[Mapping[str, str]] = {
    DeliveryStatus.PICKED_UP: "in_delivery",
    DeliveryStatus.OUT_FOR_DELIVERY: "in_delivery",
    DeliveryStatus.DELIVERED: "completed",
    DeliveryStatus.FAILED: "delivery_failed",
}
READY_TO_SHIP: Final = "awaiting_shipment"

SAVE_SEEN: Final = """
    UPDATE hubrise_order SET seen_status = $3, reason = coalesce($4, reason) WHERE owner_id = $1 AND id = $2
"""
SAVE_SENT: Final = """
    UPDATE hubrise_order SET sent_status = $3, seen_status = $3, reason = coalesce($4, reason)
    WHERE owner_id = $1 AND id = $2
"""
MAX_NOTES: Final = 255


async def follow(link: KnownLink, document: Mapping[str, Any]) -> None:
    """Save the status at HubRise, cancel an order that was cancelled there, and note what else has changed there."""
    status, total = get_status(document), get_summary(document)[2]
    note = None
    if link.order_id is not None and total != (link.total or ""):
        note = f"Changed at HubRise after it was placed: the total is {total or 'unknown'} there."
    if status in CLOSED and status != link.sent_status and link.order_id is not None:
        caller = create_caller(CHANNEL, link.owner_id, link.store_id)
        note = f"HubRise has it as {status}."
        if link.status in {Status.NEW, Status.PREPARING, Status.READY}:
            try:
                await set_status(caller, link.store_id, link.order_id, Status.CANCELLED, note)
            except ValidationFailed as refusal:
                note = f"{note} It could not be cancelled here: {refusal.message}"
    await sql.execute(SAVE_SEEN, link.owner_id, link.id, status, note)


async def send(hubrise: HubRise, link: KnownLink, document: Mapping[str, Any]) -> None:
    """Tell HubRise what has become of an order, unless it knows or has the last word."""
    wanted, status = get_wanted_status(link), get_status(document)
    if wanted is None or wanted in {link.sent_status, status}:
        if wanted is not None and wanted == status != link.sent_status:
            await sql.execute(SAVE_SENT, link.owner_id, link.id, wanted, None)
        return
    if status in CLOSED and status != link.sent_status:
        return
    changes = {"status": wanted}
    if wanted == REJECTED and link.reason:
        changes["seller_notes"] = link.reason[:MAX_NOTES]
    note = None
    try:
        await hubrise.update_order(link.hubrise_id, changes)
    except HubRiseInvalid as refusal:
        note = f"HubRise does not take the status {wanted}: {refusal}"
    await sql.execute(SAVE_SENT, link.owner_id, link.id, wanted, note)


def get_wanted_status(link: KnownLink) -> str | None:
    """Return what HubRise should say of an order, None for one that is none of this store's business."""
    if link.state is LinkState.REJECTED:
        return REJECTED
    if link.state is not LinkState.PLACED or link.status is None:
        return None
    if link.status == Status.CANCELLED:
        return CANCELLED
    if under_way := DELIVERY_STATUSES.get(link.delivery_status or ""):
        return under_way
    if link.status == Status.READY and link.is_delivery:
        return READY_TO_SHIP
    return STATUSES[link.status]
