"""What owners do with deliveries: list them, give them to drivers, say where they are."""

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

from comanda_drivers.messages import ASSIGNED_TO_YOU
from comanda_drivers.schemas.deliveries import AssignBody, DeliveryStatusBody, StoreDeliveryQuery
from comanda_drivers.services import cash, moving, people
from comanda_drivers.services.people import LockedDriver

PER_PAGE: Final = 30

ASSIGNED: Final = """
    LEFT JOIN drivers_assignment a ON a.order_id = o.id AND a.owner_id = o.owner_id AND a.released_at IS NULL
"""
OF_STORE: Final = " WHERE o.store_id = $1 AND o.owner_id = $2 AND o.delivery_status IS NOT NULL"
PAGE: Final = f"""
    SELECT {ORDER_COLUMNS}, d.id AS driver_id, d.name AS driver_name, d.phone AS driver_phone
    FROM core_order o {ASSIGNED} LEFT JOIN drivers_driver d ON d.id = a.driver_id AND d.owner_id = a.owner_id
    {OF_STORE}
"""
ABOUT: Final = """
    SELECT o.number, s.title FROM core_order o JOIN core_store s ON s.id = o.store_id AND s.owner_id = o.owner_id
    WHERE o.id = $1 AND o.owner_id = $2
"""


async def page_of_deliveries(
    caller: Caller, store_id: int, query: StoreDeliveryQuery, page: PageRequest
) -> dict[str, Any]:
    """List a store's deliveries, newest first. Raises ``NotFound``."""
    await require_store(caller, store_id)
    # Each condition stands in the statement only where it is asked for, so that each has the index that fits it.
    filters = {"o.delivery_status": query.delivery_status, "a.driver_id": query.driver_id}
    asked = {column: value for column, value in filters.items() if value is not None}
    where = "".join(f" AND {column} = ${number}" for number, column in enumerate(asked, 3))
    values = (store_id, caller.owner_id, *asked.values())
    window = f" ORDER BY o.id DESC LIMIT ${len(values) + 1} OFFSET ${len(values) + 2}"
    rows = await sql.fetch(PAGE + where + window, *values, page.size(PER_PAGE), page.offset(PER_PAGE))
    counted = f"core_order o {ASSIGNED if query.driver_id is not None else ''}"
    total = await sql.fetch_value(f"SELECT count(*) FROM {counted} {OF_STORE}{where}", *values)
    return page.envelope([_record(row) for row in rows], total, PER_PAGE)


async def assign(caller: Caller, store_id: int, order_id: int, body: AssignBody) -> dict[str, Any]:
    """Give an order to a driver, whatever its delivery status, and return the order.

    Emits ``DriverAssigned``, unless the driver has it already. Raises ``NotFound`` for another's store, order or
    driver; ``ValidationFailed`` for an order that is not delivered.
    """
    if not caller.reaches(store_id):
        raise NotFound
    async with sql.transaction():
        order = await delivery_status.lock_delivery(caller.owner_id, order_id, store_id)
        driver = await people.lock(caller.owner_id, body.driver_id)
        before = await moving.holder_of(order)
        await moving.give(order, driver, actor=caller.actor, note=body.note)
        if before is None or before.id != driver.id:
            await _tell_driver(order, driver)
    return await queries.find_order(caller, store_id, order_id)


async def override(caller: Caller, store_id: int, order_id: int, body: DeliveryStatusBody) -> dict[str, Any]:
    """Set an order's delivery status, whatever it is now, and return the order; ``pending`` takes it from its driver.

    Cash is booked only where the body tells how much the order's driver took. Emits what the driver's own moves do.
    Raises ``NotFound``; ``ValidationFailed`` for an order that is not delivered, or cash that cannot be booked.
    """
    if not caller.reaches(store_id):
        raise NotFound
    async with sql.transaction():
        order = await delivery_status.lock_delivery(caller.owner_id, order_id, store_id)
        cash.check_field(body.delivery_status, body.cash_collected)
        if order.delivery_status not in {None, DeliveryStatus.DELIVERED}:
            await cash.collect_for_owner(order, body.cash_collected, actor=caller.actor)
        await moving.move(order, body.delivery_status, actor=caller.actor, note=body.note)
    return await queries.find_order(caller, store_id, order_id)


async def _tell_driver(order: PlacedOrder, driver: LockedDriver) -> None:
    about = await sql.fetch_one(ABOUT, order.id, order.owner_id)
    assert about is not None  # noqa: S101 - the order is locked
    await push_template(
        ASSIGNED_TO_YOU.name,
        "driver",
        [driver.id],
        {"order_id": order.id},
        values={"number": about["number"], "store": about["title"]},
        owner_id=order.owner_id,
        store_id=order.store_id,
    )


def _record(row: sql.Row) -> dict[str, Any]:
    driver = {name: row[f"driver_{name}"] for name in ("id", "name", "phone")}
    return {
        **to_order_summary(row),
        "driver": driver if row["driver_id"] is not None else None,
        "timeline": orjson.loads(row["timeline"]),
    }
