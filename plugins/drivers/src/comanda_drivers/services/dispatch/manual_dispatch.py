"""Dispatch of deliveries by owners: list, assign, set any status."""

from dataclasses import dataclass, replace
from typing import Final

from comanda.basics import NotFound
from comanda.contracts import Caller, PageRequest, PlacedOrder, RecordPage
from comanda.orders import Order, OrderFilter, OrderLink, delivery_status, get_store_scope, queries, search_orders
from comanda.platform.db import sql
from comanda_notifications.api import push_template

from comanda_drivers.message_templates import DELIVERY_ASSIGNED
from comanda_drivers.schemas.deliveries import AssignBody, DeliveryStatusBody, StoreDeliveryQuery
from comanda_drivers.services.accounts import drivers
from comanda_drivers.services.accounts.drivers import LockedDriver
from comanda_drivers.services.deliveries import deliveries
from comanda_drivers.services.earnings import cash

SELECT_DRIVERS: Final = """
    SELECT a.order_id, d.id, d.name, d.phone FROM drivers_assignment a
    JOIN drivers_driver d ON d.id = a.driver_id AND d.owner_id = a.owner_id
    WHERE a.owner_id = $1 AND a.order_id = ANY($2::bigint[]) AND a.released_at IS NULL
"""
SELECT_MESSAGE_VALUES: Final = """
    SELECT o.number, s.title FROM core_order_v1 o JOIN core_store_v1 s ON s.id = o.store_id AND s.owner_id = o.owner_id
    WHERE o.id = $1 AND o.owner_id = $2
"""


@dataclass(frozen=True, slots=True)
class AssignedDriver:
    """The driver who has a delivery."""

    id: int
    name: str
    phone: str | None


@dataclass(frozen=True, slots=True)
class StoreDelivery:
    """A delivery in the owner's list, with its driver, if any."""

    order: Order
    driver: AssignedDriver | None


async def list_deliveries(
    caller: Caller, store_id: int, query: StoreDeliveryQuery, page: PageRequest
) -> RecordPage[StoreDelivery]:
    """List a store's deliveries, newest first. Raises ``NotFound``."""
    scope = await get_store_scope(caller, store_id)
    if query.driver_id is not None:
        scope = replace(
            scope, link=OrderLink("drivers_assignment", "driver_id", query.driver_id, "link.released_at IS NULL")
        )
    filters = OrderFilter(is_delivery=True, is_active_delivery=query.active, delivery_status=query.delivery_status)
    found = await search_orders(scope, filters, page)
    rows = await sql.fetch(SELECT_DRIVERS, caller.owner_id, [order.id for order in found.data])
    assigned = {row["order_id"]: AssignedDriver(row["id"], row["name"], row["phone"]) for row in rows}
    return found.convert(lambda order: StoreDelivery(order, assigned.get(order.id)))


async def assign_delivery(caller: Caller, store_id: int, order_id: int, body: AssignBody) -> Order:
    """Assign an order to a driver, whatever its delivery status, and return the order.

    Emits ``DriverAssigned``, unless it is already assigned to this driver. Raises ``NotFound`` for another owner's
    store, order or driver; ``ValidationFailed`` for an order that is not for delivery.
    """
    if not caller.reaches(store_id):
        raise NotFound
    async with sql.transaction():
        order = await delivery_status.lock_delivery(caller.owner_id, order_id, store_id)
        driver = await drivers.lock_driver(caller.owner_id, body.driver_id)
        assignee = await deliveries.get_assignee(order)
        await deliveries.assign_driver(order, driver, actor=caller.actor, note=body.note)
        if assignee is None or assignee.id != driver.id:
            await _notify_driver(order, driver)
    return await queries.find_order(caller, store_id, order_id)


async def override_status(caller: Caller, store_id: int, order_id: int, body: DeliveryStatusBody) -> Order:
    """Set any delivery status and return the order; ``pending`` releases its driver.

    Cash is booked only if the body has an amount. Emits the event of the status, if it has one. Raises ``NotFound``;
    ``ValidationFailed`` for an order that is not for delivery, or cash that cannot be booked; ``Conflict`` if other
    cash is booked for a delivered order.
    """
    if not caller.reaches(store_id):
        raise NotFound
    async with sql.transaction():
        order = await delivery_status.lock_delivery(caller.owner_id, order_id, store_id)
        cash.check_cash_field(body.delivery_status, body.cash_collected)
        if order.delivery_status is not None:
            await cash.collect_cash_for_owner(order, body.cash_collected, actor=caller.actor)
        await deliveries.update_status(order, body.delivery_status, actor=caller.actor, note=body.note)
    return await queries.find_order(caller, store_id, order_id)


async def _notify_driver(order: PlacedOrder, driver: LockedDriver) -> None:
    order_row = await sql.one(SELECT_MESSAGE_VALUES, order.id, order.owner_id)
    await push_template(
        DELIVERY_ASSIGNED.name,
        "driver",
        [driver.id],
        {"order_id": order.id},
        values={"number": order_row["number"], "store": order_row["title"]},
        owner_id=order.owner_id,
        store_id=order.store_id,
    )
