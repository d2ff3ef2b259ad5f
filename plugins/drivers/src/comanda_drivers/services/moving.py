"""The one way on which deliveries move, whoever moves them: the owner, or the driver who claims and brings them.

Everything here runs in the open transaction, on an order that ``delivering.lock`` has locked; what is asked of its
driver comes after that, so that two never wait for each other.
"""

from dataclasses import dataclass
from typing import Final

from comanda import clock
from comanda.contracts.callers import Caller
from comanda.contracts.order_participants import PlacedOrder
from comanda.contracts.order_status import DeliveryStatus
from comanda.db import sql
from comanda.errors import NotFound
from comanda.events.outbox import publish
from comanda.orders import delivery_status

from comanda_drivers.events import (
    AssignedDriver,
    Delivered,
    DeliveryFailed,
    DeliveryMoved,
    DriverAssigned,
    OutForDelivery,
)
from comanda_drivers.services import earning, offers, people
from comanda_drivers.services.people import LockedDriver

ENDED: Final = frozenset({DeliveryStatus.DELIVERED, DeliveryStatus.FAILED})
UNDER_WAY: Final = frozenset({DeliveryStatus.ASSIGNED, DeliveryStatus.PICKED_UP, DeliveryStatus.OUT_FOR_DELIVERY})
# `pending` and `picked_up` are announced by nothing, `assigned` by an event of its own.
ANNOUNCED_BY: Final[dict[DeliveryStatus, type[DeliveryMoved]]] = {
    DeliveryStatus.OUT_FOR_DELIVERY: OutForDelivery,
    DeliveryStatus.DELIVERED: Delivered,
    DeliveryStatus.FAILED: DeliveryFailed,
}

HOLDER: Final = """
    SELECT d.id, d.name, d.phone FROM drivers_assignment a
    JOIN drivers_driver d ON d.id = a.driver_id AND d.owner_id = a.owner_id
    WHERE a.order_id = $1 AND a.owner_id = $2 AND a.released_at IS NULL
"""
GIVE: Final = """
    INSERT INTO drivers_assignment (owner_id, order_id, driver_id, assigned_by, assigned_at)
    VALUES ($2, $1, $3, $4, $5)
"""
RELEASE: Final = """
    UPDATE drivers_assignment SET released_at = $3 WHERE order_id = $1 AND owner_id = $2 AND released_at IS NULL
"""
END: Final = """
    UPDATE drivers_assignment SET ended_at = $3::timestamptz
    WHERE order_id = $1 AND owner_id = $2 AND released_at IS NULL AND ended_at IS DISTINCT FROM $3::timestamptz
"""


@dataclass(frozen=True, slots=True)
class Holder:
    """The driver who has an order, whether or not they have brought it yet."""

    id: int
    name: str
    phone: str


async def holder_of(order: PlacedOrder) -> Holder | None:
    """Return the driver who has an order, or None."""
    row = await sql.fetch_one(HOLDER, order.id, order.owner_id)
    return None if row is None else Holder(row["id"], row["name"], row["phone"])


async def lock_mine(caller: Caller, order_id: int) -> PlacedOrder:
    """Lock an order that the driver has, in the open transaction. Raises ``NotFound``, also once another has it."""
    order = await delivery_status.lock_delivery(caller.owner_id, order_id)
    driver = await people.lock_myself(caller)
    holder = await holder_of(order)
    if holder is None or holder.id != driver.id:
        raise NotFound
    return order


async def give(order: PlacedOrder, driver: LockedDriver, *, actor: str, note: str | None = None) -> PlacedOrder:
    """Give an order to a driver, which takes it from any other, and return it as it is then: assigned.

    Emits ``DriverAssigned``, unless the driver has the order and it is assigned. Raises ``ValidationFailed`` for an
    order that is not delivered.
    """
    holder = await holder_of(order)
    if holder is not None and holder.id == driver.id and order.delivery_status is DeliveryStatus.ASSIGNED:
        return order
    # The history and `assigned_at` are those of the driver who has it now, also where it was another's.
    moved = await delivery_status.change_delivery_status(
        order, DeliveryStatus.ASSIGNED, actor=actor, note=note, again=True
    )
    await offers.stop(order, driver.id)
    if order.delivery_status is DeliveryStatus.DELIVERED:
        await earning.reverse(order)
    # Also to the one who had it before: a second try is an errand of its own.
    moment = clock.now()
    await sql.execute(RELEASE, order.id, order.owner_id, moment)
    await sql.execute(GIVE, order.id, order.owner_id, driver.id, actor, moment)
    await _announce_driver(moved, Holder(driver.id, driver.name, driver.phone))
    return moved


async def move(order: PlacedOrder, to: DeliveryStatus, *, actor: str, note: str | None = None) -> PlacedOrder:
    """Set an order's delivery status and return the order as it is then; ``pending`` takes it from its driver.

    Any state may follow any other, and the same one again changes nothing. Emits the event of the status, if it has
    one. Raises ``ValidationFailed`` for an order that is not delivered.
    """
    if order.delivery_status is to:
        return order
    holder = await holder_of(order)
    moved = await delivery_status.change_delivery_status(order, to, actor=actor, note=note)
    if to is DeliveryStatus.PENDING:
        await sql.execute(RELEASE, order.id, order.owner_id, clock.now())
        await offers.begin(order.owner_id, order.store_id, order.id, order.status)
    else:
        await sql.execute(END, order.id, order.owner_id, clock.now() if to in ENDED else None)
        await offers.stop(order)
    await _settle_earnings(order, to, holder)
    await _announce(moved, to, holder, note)
    return moved


async def _settle_earnings(order: PlacedOrder, to: DeliveryStatus, holder: Holder | None) -> None:
    if order.delivery_status is DeliveryStatus.DELIVERED:
        await earning.reverse(order)
    elif to is DeliveryStatus.DELIVERED and holder is not None:
        await earning.earn(order, holder.id)


async def _announce(order: PlacedOrder, to: DeliveryStatus, holder: Holder | None, note: str | None) -> None:
    if to is DeliveryStatus.ASSIGNED:
        await _announce_driver(order, holder)
    elif to in ANNOUNCED_BY:
        event = ANNOUNCED_BY[to](
            order_id=order.id,
            restaurant_id=order.store_id,
            driver_id=None if holder is None else holder.id,
            delivery_status=to,
            note=note,
            at=clock.now(),
        )
        await publish(event, owner_id=order.owner_id, store_id=order.store_id)


async def _announce_driver(order: PlacedOrder, holder: Holder | None) -> None:
    event = DriverAssigned(
        order_id=order.id,
        restaurant_id=order.store_id,
        driver=None if holder is None else AssignedDriver(id=holder.id, name=holder.name, phone=holder.phone),
        delivery_status=DeliveryStatus.ASSIGNED,
    )
    await publish(event, owner_id=order.owner_id, store_id=order.store_id)
