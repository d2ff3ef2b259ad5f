"""Assignment and status of deliveries, for changes by owners and by drivers.

Everything here runs in the open transaction on an order that ``delivering.lock`` has locked. The driver is locked
after the order, so that transactions cannot deadlock.
"""

from dataclasses import dataclass
from typing import Final

from comanda.basics import NotFound, clock
from comanda.contracts import Caller, DeliveryStatus, PlacedOrder
from comanda.orders import delivery_status
from comanda.platform.db import sql
from comanda.platform.events import publish

from comanda_drivers.events import (
    AssignedDriver,
    Delivered,
    DeliveryFailed,
    DeliveryStatusEvent,
    DriverAssigned,
    OutForDelivery,
)
from comanda_drivers.services.accounts import drivers
from comanda_drivers.services.accounts.drivers import LockedDriver
from comanda_drivers.services.dispatch import dispatch_queue
from comanda_drivers.services.earnings import earnings

HAS_FAILED: Final = "SELECT FROM core_order_v1 WHERE owner_id = $1 AND store_id = $2 AND delivery_status = 'failed'"
FINAL_STATUSES: Final = frozenset({DeliveryStatus.DELIVERED, DeliveryStatus.FAILED})
ACTIVE_STATUSES: Final = frozenset({DeliveryStatus.ASSIGNED, DeliveryStatus.PICKED_UP, DeliveryStatus.OUT_FOR_DELIVERY})
# `pending` and `picked_up` have no event; `assigned` has one with other fields.
EVENT_BY_STATUS: Final[dict[DeliveryStatus, type[DeliveryStatusEvent]]] = {
    DeliveryStatus.OUT_FOR_DELIVERY: OutForDelivery,
    DeliveryStatus.DELIVERED: Delivered,
    DeliveryStatus.FAILED: DeliveryFailed,
}

SELECT_ASSIGNEE: Final = """
    SELECT d.id, d.name, d.phone FROM drivers_assignment a
    JOIN drivers_driver d ON d.id = a.driver_id AND d.owner_id = a.owner_id
    WHERE a.order_id = $1 AND a.owner_id = $2 AND a.released_at IS NULL
"""
INSERT_ASSIGNMENT: Final = """
    INSERT INTO drivers_assignment (owner_id, order_id, driver_id, assigned_by, assigned_at)
    VALUES ($2, $1, $3, $4, $5)
"""
RELEASE_ASSIGNMENT: Final = """
    UPDATE drivers_assignment SET released_at = $3 WHERE order_id = $1 AND owner_id = $2 AND released_at IS NULL
"""
UPDATE_ASSIGNMENT_END: Final = """
    UPDATE drivers_assignment SET ended_at = $3::timestamptz
    WHERE order_id = $1 AND owner_id = $2 AND released_at IS NULL AND ended_at IS DISTINCT FROM $3::timestamptz
"""


@dataclass(frozen=True, slots=True)
class Assignee:
    """The driver to whom an order is assigned, before and after its delivery."""

    id: int
    name: str
    phone: str


async def get_assignee(order: PlacedOrder) -> Assignee | None:
    """Return an order's driver, or None."""
    row = await sql.fetch_one(SELECT_ASSIGNEE, order.id, order.owner_id)
    return None if row is None else _to_assignee(row)


async def get_assigned_driver(order: PlacedOrder) -> Assignee:
    """Return the driver of an order that is known to have one."""
    return _to_assignee(await sql.one(SELECT_ASSIGNEE, order.id, order.owner_id))


def _to_assignee(row: sql.Row) -> Assignee:
    return Assignee(row["id"], row["name"], row["phone"])


async def lock_own_delivery(caller: Caller, order_id: int) -> PlacedOrder:
    """Lock an order of the calling driver, in the open transaction. Raises ``NotFound`` for any other order."""
    order = await delivery_status.lock_delivery(caller.owner_id, order_id)
    driver = await drivers.lock_current_driver(caller)
    assignee = await get_assignee(order)
    if assignee is None or assignee.id != driver.id:
        raise NotFound
    return order


async def assign_driver(
    order: PlacedOrder, driver: LockedDriver, *, actor: str, note: str | None = None
) -> PlacedOrder:
    """Assign an order to a driver in place of any other, and return the updated order.

    Emits ``DriverAssigned``, unless it is already assigned to this driver. Raises ``ValidationFailed`` for an order
    that is not for delivery.
    """
    assignee = await get_assignee(order)
    if assignee is not None and assignee.id == driver.id and order.delivery_status is DeliveryStatus.ASSIGNED:
        return await delivery_status.change_delivery_status(order, DeliveryStatus.ASSIGNED, actor=actor, note=note)
    # A change of driver is recorded in the history and `assigned_at` even if the status stays the same.
    moved = await delivery_status.change_delivery_status(
        order, DeliveryStatus.ASSIGNED, actor=actor, note=note, again=True
    )
    await dispatch_queue.stop_dispatch(order, driver.id)
    if order.delivery_status is DeliveryStatus.DELIVERED:
        await earnings.reverse_earning(order)
    # Reassigning to the same driver also starts a new assignment.
    moment = clock.now()
    await sql.execute(RELEASE_ASSIGNMENT, order.id, order.owner_id, moment)
    await sql.execute(INSERT_ASSIGNMENT, order.id, order.owner_id, driver.id, actor, moment)
    await _publish_assignment(moved, Assignee(driver.id, driver.name, driver.phone))
    return moved


async def update_status(order: PlacedOrder, to: DeliveryStatus, *, actor: str, note: str | None = None) -> PlacedOrder:
    """Set an order's delivery status and return the updated order; ``pending`` releases its driver.

    Any status may follow any other; setting the same one only keeps the note. Emits the event of the status, if it has
    one. Raises ``ValidationFailed`` for an order that is not for delivery.
    """
    if order.delivery_status is to:
        return await delivery_status.change_delivery_status(order, to, actor=actor, note=note)
    assignee = await get_assignee(order)
    moved = await delivery_status.change_delivery_status(order, to, actor=actor, note=note)
    if to is DeliveryStatus.PENDING:
        await sql.execute(RELEASE_ASSIGNMENT, order.id, order.owner_id, clock.now())
        await dispatch_queue.start_dispatch(order.owner_id, order.store_id, order.id, order.status)
    else:
        await sql.execute(
            UPDATE_ASSIGNMENT_END, order.id, order.owner_id, clock.now() if to in FINAL_STATUSES else None
        )
        await dispatch_queue.stop_dispatch(order)
    await _update_earnings(order, to, assignee)
    await _publish_status(moved, to, assignee, note)
    return moved


async def _update_earnings(order: PlacedOrder, to: DeliveryStatus, assignee: Assignee | None) -> None:
    if order.delivery_status is DeliveryStatus.DELIVERED:
        await earnings.reverse_earning(order)
    elif to is DeliveryStatus.DELIVERED and assignee is not None:
        await earnings.record_earning(order, assignee.id)


async def _publish_status(order: PlacedOrder, to: DeliveryStatus, assignee: Assignee | None, note: str | None) -> None:
    if to is DeliveryStatus.ASSIGNED:
        await _publish_assignment(order, assignee)
    elif to in EVENT_BY_STATUS:
        event = EVENT_BY_STATUS[to](
            order_id=order.id,
            restaurant_id=order.store_id,
            driver_id=None if assignee is None else assignee.id,
            delivery_status=to,
            note=note,
            at=clock.now(),
        )
        await publish(event, owner_id=order.owner_id, store_id=order.store_id)


async def _publish_assignment(order: PlacedOrder, assignee: Assignee | None) -> None:
    event = DriverAssigned(
        order_id=order.id,
        restaurant_id=order.store_id,
        driver=None if assignee is None else AssignedDriver(id=assignee.id, name=assignee.name, phone=assignee.phone),
        delivery_status=DeliveryStatus.ASSIGNED,
    )
    await publish(event, owner_id=order.owner_id, store_id=order.store_id)
