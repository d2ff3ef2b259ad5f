"""Cash that drivers take at the door; it is booked by whoever declares ``register_cash_on_delivery``, if anybody."""

from typing import Any, Final

from comanda import runtime
from comanda.contracts.callers import Caller
from comanda.contracts.cash_on_delivery import CashTaken
from comanda.contracts.order_participants import PlacedOrder
from comanda.contracts.order_status import DeliveryStatus
from comanda.contracts.paging import PageRequest
from comanda.db import sql
from comanda.errors import ValidationFailed
from comanda.money import to_minor, to_number

from comanda_drivers.services import moving, people
from comanda_drivers.services.moving import Holder

NAMES: Final = "SELECT id, title FROM core_store WHERE owner_id = $1 AND id = ANY($2::bigint[])"


def check_field(to: DeliveryStatus, amount: float | None) -> None:
    """Raise ``ValidationFailed`` for cash that is told with a status other than ``delivered``."""
    if amount is not None and to is not DeliveryStatus.DELIVERED:
        raise ValidationFailed(cash_collected=["Only a delivery that is delivered can have cash collected."])


async def collect(order: PlacedOrder, holder: Holder, amount: float | None, *, actor: str) -> None:
    """Book what the driver of an order took, or without an ``amount`` all that is due, in the open transaction.

    The order is locked, and its status has not changed yet. Raises ``ValidationFailed``.
    """
    try:
        amount_minor = None if amount is None else to_minor(amount, order.currency)
    except ValueError as error:
        raise ValidationFailed(cash_collected=[str(error)]) from error
    book = runtime.registry().cash_on_delivery
    if book is not None:
        await book.collect(order, CashTaken(holder.id, holder.name, amount_minor, actor))


async def collect_for_owner(order: PlacedOrder, amount: float | None, *, actor: str) -> None:
    """Book what an owner says that the driver of an order took; without an ``amount`` nothing.

    Raises ``ValidationFailed``, also where nobody has the order.
    """
    if amount is None:
        return
    holder = await moving.holder_of(order)
    if holder is None:
        raise ValidationFailed(cash_collected=["No driver has this delivery. Take a payment for the order instead."])
    await collect(order, holder, amount, actor=actor)


async def page_of_held(caller: Caller, page: PageRequest) -> dict[str, Any]:
    """List the cash that the driver has to hand in, by store."""
    driver = await people.myself(caller)
    book = runtime.registry().cash_on_delivery
    held = [] if book is None else await book.held_by(driver["owner_id"], driver["id"])
    shown = held[page.offset() : page.offset() + page.size()]
    rows = await sql.fetch(NAMES, driver["owner_id"], [cash.store_id for cash in shown])
    names = {row["id"]: row["title"] for row in rows}
    records = [
        {
            "restaurant_id": cash.store_id,
            "restaurant_name": names[cash.store_id],
            "currency": cash.currency,
            "amount": to_number(cash.amount_minor, cash.currency),
            "since": cash.since,
        }
        for cash in shown
    ]
    return page.envelope(records, len(held))
