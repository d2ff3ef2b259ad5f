"""Cash that drivers collect on delivery; booked by the plugin that registers ``register_cash_on_delivery``, if any."""

from typing import Final

from comanda.basics import Money, Sentence, ValidationFailed, to_minor
from comanda.contracts import Caller, CollectedCash, DeliveryStatus, PageRequest, PlacedOrder, RecordPage
from comanda.platform import call_plugin, runtime
from comanda.platform.db import sql

from comanda_drivers.records.earnings import HeldCash
from comanda_drivers.services.accounts import drivers
from comanda_drivers.services.deliveries import deliveries
from comanda_drivers.services.deliveries.deliveries import Assignee

SELECT_STORE_TITLES: Final = "SELECT id, title FROM core_store_v1 WHERE owner_id = $1 AND id = ANY($2::bigint[])"


def check_cash_field(to: DeliveryStatus, amount: float | None) -> None:
    """Raise ``ValidationFailed`` for cash with a status other than ``delivered``."""
    if amount is not None and to is not DeliveryStatus.DELIVERED:
        raise ValidationFailed(cash_collected=[Sentence("Only allowed with the status delivered.")])


async def collect_cash(order: PlacedOrder, assignee: Assignee, amount: float | None, *, actor: str) -> None:
    """Book the cash that an order's driver collected, by default all that is due, in the open transaction.

    The order is locked, and its status has not changed yet; it may be ``delivered`` already. Raises
    ``ValidationFailed``, and ``Conflict`` if another amount is booked for an order that is.
    """
    try:
        amount_minor = None if amount is None else to_minor(amount, order.currency)
    except ValueError as error:
        raise ValidationFailed(cash_collected=[str(error)]) from error
    book = runtime.registry().cash_on_delivery
    if book is not None:
        is_late = order.delivery_status is DeliveryStatus.DELIVERED
        collected = CollectedCash(assignee.id, assignee.name, amount_minor, actor, is_late)
        await call_plugin(book, "collect", book.collect, order, collected)


async def collect_cash_for_owner(order: PlacedOrder, amount: float | None, *, actor: str) -> None:
    """Book the cash that an order's driver collected, as reported by the owner; nothing without an ``amount``.

    Raises ``ValidationFailed``, also for an order without a driver.
    """
    if amount is None:
        return
    assignee = await deliveries.get_assignee(order)
    if assignee is None:
        raise ValidationFailed(
            cash_collected=[Sentence("This delivery has no driver. Record a payment of the order instead.")]
        )
    await collect_cash(order, assignee, amount, actor=actor)


async def list_held_cash(caller: Caller, page: PageRequest) -> RecordPage[HeldCash]:
    """List the cash that the driver has to hand in, by store."""
    driver = await drivers.get_current_driver(caller)
    book = runtime.registry().cash_on_delivery
    held = [] if book is None else await call_plugin(book, "held_by", book.held_by, driver.owner_id, driver.id)
    listed = held[page.offset() : page.offset() + page.size()]
    rows = await sql.fetch(SELECT_STORE_TITLES, driver.owner_id, [cash.store_id for cash in listed])
    names = {row["id"]: row["title"] for row in rows}
    records = [
        HeldCash(
            cash.store_id, names[cash.store_id], cash.currency, Money(cash.amount_minor, cash.currency), cash.since
        )
        for cash in listed
    ]
    return page.of(records, len(held))
