"""What drivers do with deliveries: see theirs and those that are free, claim one, bring it."""

from typing import Any, Final

from comanda.contracts.callers import Caller
from comanda.contracts.order_participants import PlacedOrder
from comanda.contracts.order_status import DeliveryStatus
from comanda.contracts.paging import PageRequest
from comanda.db import sql
from comanda.errors import Conflict, NotFound, ValidationFailed
from comanda.orders import delivery_status

from comanda_drivers import terms
from comanda_drivers.fees import DispatchMode
from comanda_drivers.places import distance_sql
from comanda_drivers.schemas.deliveries import ProgressBody
from comanda_drivers.services import cash, errands, moving, offers, people, proving
from comanda_drivers.services.people import LockedDriver

PER_PAGE: Final = 30

# What a driver may set, by what it is now. The same again changes nothing; everything else is the owner's to say.
NEXT: Final = {
    DeliveryStatus.ASSIGNED: (
        DeliveryStatus.PICKED_UP,
        DeliveryStatus.OUT_FOR_DELIVERY,
        DeliveryStatus.DELIVERED,
        DeliveryStatus.FAILED,
    ),
    DeliveryStatus.PICKED_UP: (
        DeliveryStatus.OUT_FOR_DELIVERY,
        DeliveryStatus.DELIVERED,
        DeliveryStatus.FAILED,
    ),
    DeliveryStatus.OUT_FOR_DELIVERY: (DeliveryStatus.DELIVERED, DeliveryStatus.FAILED),
}

MINE: Final = " WHERE a.driver_id = $1 AND a.owner_id = $2 AND a.released_at IS NULL"
CARRIED: Final = """
    drivers_assignment a JOIN core_order o ON o.id = a.order_id AND o.owner_id = a.owner_id
    JOIN core_store s ON s.id = o.store_id AND s.owner_id = o.owner_id
    LEFT JOIN drivers_terms t ON t.store_id = o.store_id AND t.owner_id = o.owner_id"""
ACTIVE: Final = " AND a.ended_at IS NULL"
POOL: Final = f"""
    FROM {errands.TABLES}
    WHERE o.owner_id = $1 AND ($2::bigint IS NULL OR o.store_id = $2)
      AND o.delivery_status = 'pending' AND o.status NOT IN ('cancelled', 'completed')
      AND coalesce(t.dispatch_mode, 'pool') <> 'manual'
      AND NOT EXISTS (SELECT FROM drivers_dispatch i WHERE i.order_id = o.id AND i.owner_id = o.owner_id)
"""
DISTANCE: Final = distance_sql("$3::float8", "$4::float8", "t.lat", "t.lng")
NEAREST: Final = f"""
    SELECT {errands.COLUMNS}, {DISTANCE} AS distance_m {POOL} ORDER BY distance_m NULLS LAST, o.id LIMIT $5 OFFSET $6
"""


async def page_of_mine(caller: Caller, page: PageRequest, *, active: bool) -> dict[str, Any]:
    """List the orders that the driver has, newest first; with ``active`` those neither delivered nor failed."""
    driver = await people.myself(caller)
    where = MINE + (ACTIVE if active else "")
    scope = (driver["id"], driver["owner_id"])
    rows = await sql.fetch(
        f"SELECT {errands.COLUMNS} FROM {CARRIED}{where} ORDER BY a.order_id DESC LIMIT $3 OFFSET $4",
        *scope,
        page.size(PER_PAGE),
        page.offset(PER_PAGE),
    )
    total = await sql.fetch_value(f"SELECT count(*) FROM drivers_assignment a{where}", *scope)
    return page.envelope([errands.record(row) for row in rows], total, PER_PAGE)


async def page_of_available(caller: Caller, page: PageRequest) -> dict[str, Any]:
    """List what the driver may claim: the nearest first, of those as near, or of unknown distance, the oldest.

    What is looking for a driver by offers is not among it, nor what its owner gives to drivers.
    """
    driver = await people.myself(caller)
    scope = (driver["owner_id"], driver["store_id"])
    rows = await sql.fetch(NEAREST, *scope, driver["lat"], driver["lng"], page.size(), page.offset())
    total = await sql.fetch_value(f"SELECT count(*) {POOL}", *scope)
    return page.envelope([{**errands.record(row), "distance_m": row["distance_m"]} for row in rows], total)


async def claim(caller: Caller, order_id: int) -> dict[str, Any]:
    """Take an order that nobody has; one that the driver has is returned as it is.

    Emits ``DriverAssigned``. Raises ``NotFound`` for an order that is not among the driver's; ``Conflict`` with the
    ``reason`` ``already_claimed``, ``too_many_active`` or ``off_shift``.
    """
    async with sql.transaction():
        order = await delivery_status.lock_delivery(caller.owner_id, order_id)
        driver = await people.lock_myself(caller)
        holder = await moving.holder_of(order)
        if holder is None or holder.id != driver.id:
            await check_free(order, driver)
            await moving.give(order, driver, actor=caller.actor)
    return await errands.errand(caller.owner_id, order_id)


async def progress(caller: Caller, order_id: int, body: ProgressBody) -> dict[str, Any]:
    """Say how far a delivery is, and return it; the same again changes nothing.

    Emits the event of the status, if it has one. Raises ``NotFound`` unless the driver has the order;
    ``ValidationFailed`` for a step that is not the driver's to make, with the ``reason`` ``pod_required`` while the
    proof is missing that the store wants, and for more cash than is due.
    """
    cash.check_field(body.delivery_status, body.cash_collected)
    async with sql.transaction():
        order = await moving.lock_mine(caller, order_id)
        now = order.delivery_status
        if now is not body.delivery_status:
            _check_step(now, body.delivery_status)
            if body.delivery_status is DeliveryStatus.DELIVERED:
                await proving.check(order)
                holder = await moving.holder_of(order)
                assert holder is not None  # noqa: S101 - the caller has this order
                await cash.collect(order, holder, body.cash_collected, actor=caller.actor)
            await moving.move(order, body.delivery_status, actor=caller.actor, note=body.note)
    return await errands.errand(caller.owner_id, order_id)


async def check_free(order: PlacedOrder, driver: LockedDriver) -> None:
    """Refuse to give an order to a driver who may not take it by themselves; both are locked.

    Raises what ``claim`` does.
    """
    if not driver.drives_for(order.store_id) or order.delivery_status is None or order.status in offers.OVER:
        raise NotFound
    if order.delivery_status in moving.ENDED:
        raise NotFound
    if order.delivery_status is not DeliveryStatus.PENDING:
        raise Conflict("Somebody else has this delivery.", extras={"reason": "already_claimed"})
    rules = await terms.of_store(order.owner_id, order.store_id)
    if rules.dispatch_mode is DispatchMode.MANUAL or await offers.is_kept_from(order, driver.id):
        raise NotFound
    if rules.require_shift and not driver.is_on_shift:
        raise Conflict("Begin your shift first.", extras={"reason": "off_shift"})
    if await people.count_active(driver) >= rules.max_active:
        raise Conflict(
            f"You have {rules.max_active} deliveries already. Bring one of them first.",
            extras={"reason": "too_many_active", "limits": {"active_deliveries": rules.max_active}},
        )


def _check_step(now: DeliveryStatus | None, to: DeliveryStatus) -> None:
    allowed = NEXT.get(now, ()) if now is not None else ()
    if to not in allowed:
        after = f"After {now} comes: {', '.join(allowed)}." if allowed else f"This delivery is {now}: nothing follows."
        raise ValidationFailed(delivery_status=[after])
