"""What guests change of their order from its page: they cancel it, or order more at their table."""

from datetime import datetime, timedelta

from comanda.basics import Conflict, Sentence, ValidationFailed, clock
from comanda.contracts import Caller, ExcessRefund, LineBody, PlacedOrder, Status
from comanda.orders import Order, get_guest_order, queries, refund_order, status
from comanda.orders.amendments import Approval, CheckPlace, open_checks
from comanda.platform.db import sql
from comanda.stores import get_store_settings

from comanda_storefront.caller_kinds import STOREFRONT
from comanda_storefront.services.channels import STOREFRONT_CHANNEL
from comanda_storefront.store_settings import OrderingSettings

ACTOR = "guest"
REFUND_REASON = "Cancelled by the guest"


async def cancel_order(track_token: str) -> Order:
    """Cancel an order within the time that its store sets, with a refund, and return its public status.

    Emits ``OrderStatusChanged``. Raises ``NotFound``, and ``Conflict`` if it is too late, or if it was paid in a way
    that somebody at the store has to give back.
    """
    found = await queries.get_tracking(track_token)
    async with sql.transaction():
        # The kitchen may begin meanwhile.
        order = await status.lock_order(found.owner_id, found.id)
        if order.status is not Status.CANCELLED:
            if order.status is not Status.NEW or await get_cancellable_until(found) is None:
                raise Conflict(
                    Sentence("The order can no longer be cancelled here. Ask the store."), extras={"reason": "too_late"}
                )
            cancelled = await status.change_status(order, Status.CANCELLED, actor=ACTOR)
            await _refund(cancelled)
    return await queries.get_tracking(track_token)


async def get_cancellable_until(order: Order) -> datetime | None:
    """Return until when a guest may cancel an order, or None if they may not."""
    settings = await get_store_settings(OrderingSettings, order.owner_id, order.store_id)
    until = order.created_at + timedelta(minutes=settings.cancel_minutes)
    return until if order.status is Status.NEW and clock.now() < until else None


def is_open_check(order: Order) -> bool:
    """Return whether an order can be amended: it is neither paid nor closed."""
    return order.status.is_open and not order.is_paid


async def allows_rounds(order: Order) -> bool:
    """Return whether guests may add to an order: one at a table that is not paid, in a store that allows it."""
    if order.table_number is None or not is_open_check(order):
        return False
    return (await get_store_settings(OrderingSettings, order.owner_id, order.store_id)).allows_rounds


async def add_round(token: str, lines: list[LineBody]) -> Order:
    """Add a round to the order of a track or table token, and return its public status. Emits ``OrderAmended``.

    Raises ``NotFound``, ``Conflict`` if guests may not add to it, and what ``open_checks.add_lines`` raises, also while
    the store takes no orders.
    """
    order = await get_guest_order(token)
    if not await allows_rounds(order):
        raise Conflict(Sentence("Ask the staff to add to this order."), extras={"reason": "rounds_not_allowed"})
    place = CheckPlace(create_caller(order), order.store_id, order.id, Approval(is_given=False))
    await open_checks.add_lines(place, lines, STOREFRONT_CHANNEL)
    return await get_guest_order(token)


def create_caller(order: Order) -> Caller:
    """Return the caller that stands for whoever has the page of an order."""
    return Caller(STOREFRONT.code, 0, order.owner_id, order.store_id, None, frozenset({"order:write"}), None)


async def _refund(order: PlacedOrder) -> None:
    """Give back what was paid for an order. Raises ``Conflict`` if that needs somebody at the store."""
    if order.paid_minor <= order.refunded_minor:
        return
    request = ExcessRefund(keep_minor=0, reason=REFUND_REASON, actor=ACTOR, is_unattended=True)
    try:
        is_refunded = await refund_order(order, request)
    except (Conflict, ValidationFailed):
        is_refunded = False
    if not is_refunded:
        raise Conflict(
            Sentence("The order has been paid. Ask the store to cancel it."), extras={"reason": "order_paid"}
        )
