"""Dispatch of deliveries by owners: list, assign, set any status."""

from typing import Any, Final

import orjson
from comanda.contracts.callers import Caller
from comanda.contracts.order_participants import PlacedOrder
from comanda.contracts.order_status import DeliveryStatus
from comanda.contracts.paging import PageRequest
from comanda.db import sql
from comanda.errors import NotFound
from comanda.orders import delivery_status, queries
from comanda.orders.records import ORDER_COLUMNS, to_order_summary
from comanda.stores.services import require_store
from comanda_notifications.api import push_template

from comanda_drivers.message_templates import DELIVERY_ASSIGNED
from comanda_drivers.schemas.deliveries import AssignBody, DeliveryStatusBody, StoreDeliveryQuery
from comanda_drivers.services import cash, deliveries, drivers
from comanda_drivers.services.drivers import LockedDriver

PER_PAGE: Final = 30

JOIN_ASSIGNMENT: Final = """
    LEFT JOIN drivers_assignment a ON a.order_id = o.id AND a.owner_id = o.owner_id AND a.released_at IS NULL
"""
WHERE_DELIVERY_OF_STORE: Final = " WHERE o.store_id = $1 AND o.owner_id = $2 AND o.delivery_status IS NOT NULL"
SELECT_DELIVERIES: Final = f"""
    SELECT {ORDER_COLUMNS}, d.id AS driver_id, d.name AS driver_name, d.phone AS driver_phone
    FROM core_order o {JOIN_ASSIGNMENT} LEFT JOIN drivers_driver d ON d.id = a.driver_id AND d.owner_id = a.owner_id
    {WHERE_DELIVERY_OF_STORE}
"""
SELECT_MESSAGE_VALUES: Final = """
    SELECT o.number, s.title FROM core_order o JOIN core_store s ON s.id = o.store_id AND s.owner_id = o.owner_id
    WHERE o.id = $1 AND o.owner_id = $2
"""


async def list_deliveries(
    caller: Caller, store_id: int, query: StoreDeliveryQuery, page: PageRequest
) -> dict[str, Any]:
    """List a store's deliveries, newest first. Raises ``NotFound``."""
    await require_store(caller, store_id)
    # A condition is in the statement only if it is requested, so that each combination uses its index.
    filters = {"o.delivery_status": query.delivery_status, "a.driver_id": query.driver_id}
    requested = {column: value for column, value in filters.items() if value is not None}
    where = "".join(f" AND {column} = ${number}" for number, column in enumerate(requested, 3))
    values = (store_id, caller.owner_id, *requested.values())
    window = f" ORDER BY o.id DESC LIMIT ${len(values) + 1} OFFSET ${len(values) + 2}"
    rows = await sql.fetch(SELECT_DELIVERIES + where + window, *values, page.size(PER_PAGE), page.offset(PER_PAGE))
    tables = f"core_order o {JOIN_ASSIGNMENT if query.driver_id is not None else ''}"
    total = await sql.fetch_value(f"SELECT count(*) FROM {tables} {WHERE_DELIVERY_OF_STORE}{where}", *values)
    return page.envelope([_to_record(row) for row in rows], total, PER_PAGE)


async def assign_delivery(caller: Caller, store_id: int, order_id: int, body: AssignBody) -> dict[str, Any]:
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


async def override_status(caller: Caller, store_id: int, order_id: int, body: DeliveryStatusBody) -> dict[str, Any]:
    """Set any delivery status and return the order; ``pending`` releases its driver.

    Cash is booked only if the body has an amount. Emits the event of the status, if it has one. Raises ``NotFound``;
    ``ValidationFailed`` for an order that is not for delivery, or cash that cannot be booked.
    """
    if not caller.reaches(store_id):
        raise NotFound
    async with sql.transaction():
        order = await delivery_status.lock_delivery(caller.owner_id, order_id, store_id)
        cash.check_cash_field(body.delivery_status, body.cash_collected)
        if order.delivery_status not in {None, DeliveryStatus.DELIVERED}:
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


def _to_record(row: sql.Row) -> dict[str, Any]:
    driver = {name: row[f"driver_{name}"] for name in ("id", "name", "phone")}
    return {
        **to_order_summary(row),
        "driver": driver if row["driver_id"] is not None else None,
        "timeline": orjson.loads(row["timeline"]),
    }
