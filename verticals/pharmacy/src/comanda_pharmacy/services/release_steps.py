"""The steps of releases in orders: what has prescription-only items waits for a pharmacist, and is held until then."""

from typing import Final

from comanda.basics import Sentence, ValidationFailed, clock
from comanda.contracts import Contribution, DraftLine, NewOrder, OrderRequest, PlacedOrder, Status
from comanda.platform.db import sql

# The field of an order that waits, or waited, for a pharmacist.
NEEDS_RELEASE: Final = "needs_release"
REASON: Final = "release_required"
HELD: Final = frozenset({Status.READY, Status.DELIVERED, Status.COMPLETED})
# What is added to a released order is looked at again.
REQUEST_RELEASE: Final = """
    INSERT INTO pharmacy_release (order_id, owner_id, store_id, status, requested_at) VALUES ($1, $2, $3, 'waiting', $4)
    ON CONFLICT (order_id, owner_id) DO UPDATE
    SET status = 'waiting', requested_at = $4, decided_at = NULL, decided_by = NULL, note = NULL
"""
CANCEL_RELEASE: Final = """
    UPDATE pharmacy_release SET status = 'cancelled' WHERE order_id = $1 AND owner_id = $2 AND status = 'waiting'
"""
IS_RELEASED: Final = """
    SELECT EXISTS (SELECT FROM pharmacy_release WHERE order_id = $1 AND owner_id = $2 AND status = 'released')
"""


def needs_release(request: OrderRequest, _loaded: None) -> bool:
    """Return whether an order has prescription-only items, or had them before it was amended."""
    return _was_held(request) or any(_is_prescription_only(request, line) for line in request.lines)


def mark(_request: OrderRequest, _loaded: None) -> Contribution:
    """Return the field of an order that waits for a pharmacist."""
    return Contribution(attributes={NEEDS_RELEASE: True})


async def request_release(request: OrderRequest, _loaded: None, order: NewOrder) -> None:
    """Put a new order on the list of those that wait."""
    await _request(order.id, request.terms.owner_id, request.terms.id)


async def update_release(request: OrderRequest, _loaded: None, order: NewOrder) -> None:
    """Make an order wait again if prescription-only items were added, or those of another order."""
    amends = request.amends
    if amends is None:
        return
    is_added = any(_is_prescription_only(request, line) for line in amends.list_added(request.lines))
    if is_added or (amends.absorbed is not None and amends.absorbed.attributes.get(NEEDS_RELEASE)):
        await _request(order.id, request.terms.owner_id, request.terms.id)


async def follow_status(order: PlacedOrder, status: Status) -> None:
    """Hold an order until it is released, and stop waiting for one that is cancelled.

    One that is reopened waits again, whatever was decided before. Raises ``ValidationFailed`` for an order that a
    pharmacist has not released.
    """
    if not order.attributes.get(NEEDS_RELEASE):
        return
    if status is Status.CANCELLED:
        await sql.execute(CANCEL_RELEASE, order.id, order.owner_id)
    elif order.status is Status.CANCELLED:
        await _request(order.id, order.owner_id, order.store_id)
    if status in HELD:
        await _require_released(order, "status")


async def hold_delivery(order: PlacedOrder) -> None:
    """Raise ``ValidationFailed`` for an order that would leave the store and that no pharmacist has released."""
    if order.attributes.get(NEEDS_RELEASE):
        await _require_released(order, "delivery_status")


async def _require_released(order: PlacedOrder, field: str) -> None:
    if not await sql.fetch_value(IS_RELEASED, order.id, order.owner_id):
        text = Sentence("A pharmacist has to release this order first.")
        raise ValidationFailed({field: [text]}, extras={"reason": REASON})


async def _request(order_id: int, owner_id: int, store_id: int) -> None:
    await sql.execute(REQUEST_RELEASE, order_id, owner_id, store_id, clock.now())


def _was_held(request: OrderRequest) -> bool:
    amends = request.amends
    if amends is None:
        return False
    return any(order.attributes.get(NEEDS_RELEASE) for order in (amends.order, amends.absorbed) if order is not None)


def _is_prescription_only(request: OrderRequest, line: DraftLine) -> bool:
    return bool(request.items[line.item_id].attributes.get("is_prescription_only"))
