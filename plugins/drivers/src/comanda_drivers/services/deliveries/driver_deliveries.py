"""Deliveries of the calling driver: list, claim, set the status."""

from typing import Final

from comanda.basics import Conflict, NotFound, Sentence, ValidationFailed, extend_record
from comanda.contracts import Caller, DeliveryStatus, PageRequest, PlacedOrder, RecordPage
from comanda.orders import AWAITS_PAYMENT, delivery_status
from comanda.platform.db import sql

from comanda_drivers.models import DispatchMode
from comanda_drivers.records.deliveries import AvailableDelivery, Delivery
from comanda_drivers.schemas.deliveries import ProgressBody
from comanda_drivers.services.accounts import drivers
from comanda_drivers.services.accounts.drivers import LockedDriver
from comanda_drivers.services.deliveries import deliveries, delivery_records, proof_of_delivery
from comanda_drivers.services.dispatch import dispatch_queue
from comanda_drivers.services.earnings import cash
from comanda_drivers.services.terms import delivery_terms
from comanda_drivers.services.terms.distances import build_distance_sql

PER_PAGE: Final = 30

# The statuses that a driver may set, by the current one. Owners may set any status.
NEXT_STATUSES: Final = {
    DeliveryStatus.ASSIGNED: (
        DeliveryStatus.PICKED_UP,
        DeliveryStatus.OUT_FOR_DELIVERY,
        DeliveryStatus.DELIVERED,
        DeliveryStatus.FAILED,
    ),
    DeliveryStatus.PICKED_UP: (DeliveryStatus.OUT_FOR_DELIVERY, DeliveryStatus.DELIVERED, DeliveryStatus.FAILED),
    DeliveryStatus.OUT_FOR_DELIVERY: (DeliveryStatus.DELIVERED, DeliveryStatus.FAILED),
}

WHERE_ASSIGNED: Final = " WHERE a.driver_id = $1 AND a.owner_id = $2 AND a.released_at IS NULL"
SELECT_ASSIGNED: Final = f"""
    SELECT {delivery_records.DELIVERY_COLUMNS}
    FROM drivers_assignment a JOIN core_order_v1 o ON o.id = a.order_id AND o.owner_id = a.owner_id
    JOIN core_store_v1 s ON s.id = o.store_id AND s.owner_id = o.owner_id
    LEFT JOIN drivers_terms t ON t.store_id = o.store_id AND t.owner_id = o.owner_id"""
AND_NOT_ENDED: Final = " AND a.ended_at IS NULL"
FROM_POOL: Final = f"""
    FROM {delivery_records.DELIVERY_TABLES}
    WHERE o.owner_id = $1 AND ($2::bigint IS NULL OR o.store_id = $2)
      AND o.delivery_status = 'pending' AND o.status NOT IN ('cancelled', 'completed')
      AND NOT {AWAITS_PAYMENT}
      AND coalesce(t.dispatch_mode, 'pool') <> 'manual'
      AND NOT EXISTS (SELECT FROM drivers_dispatch i WHERE i.order_id = o.id AND i.owner_id = o.owner_id)
"""
DISTANCE: Final = build_distance_sql("$3::float8", "$4::float8", "t.lat", "t.lng")
SELECT_AVAILABLE: Final = f"""
    SELECT {delivery_records.DELIVERY_COLUMNS}, {DISTANCE} AS distance_m {FROM_POOL}
    ORDER BY distance_m NULLS LAST, o.id LIMIT $5 OFFSET $6
"""


async def list_assigned(caller: Caller, page: PageRequest, *, active: bool) -> RecordPage[Delivery]:
    """List the driver's deliveries, newest first; with ``active`` only those neither delivered nor failed."""
    driver = await drivers.get_current_driver(caller)
    where = WHERE_ASSIGNED + (AND_NOT_ENDED if active else "")
    scope = (driver.id, driver.owner_id)
    rows = await sql.fetch(
        f"{SELECT_ASSIGNED}{where} ORDER BY a.order_id DESC LIMIT $3 OFFSET $4",
        *scope,
        page.size(PER_PAGE),
        page.offset(PER_PAGE),
    )
    total = await sql.fetch_value(f"SELECT count(*) FROM drivers_assignment a{where}", *scope)
    return page.of([delivery_records.to_delivery(row) for row in rows], total, PER_PAGE)


async def list_available(caller: Caller, page: PageRequest) -> RecordPage[AvailableDelivery]:
    """List the deliveries that the driver may claim, nearest first, then oldest.

    Orders that are dispatched by offers or manually are not included.
    """
    driver = await drivers.get_current_driver(caller)
    scope = (driver.owner_id, driver.store_id)
    rows = await sql.fetch(SELECT_AVAILABLE, *scope, driver.lat, driver.lng, page.size(), page.offset())
    total = await sql.fetch_value(f"SELECT count(*) {FROM_POOL}", *scope)
    return page.of([_to_available(row) for row in rows], total)


async def claim_delivery(caller: Caller, order_id: int) -> Delivery:
    """Claim an unassigned order; one that is already assigned to the driver is returned unchanged.

    Emits ``DriverAssigned``. Raises ``NotFound`` for an order that the driver cannot claim; ``Conflict`` with the
    ``reason`` ``already_claimed``, ``too_many_active`` or ``off_shift``.
    """
    async with sql.transaction():
        order = await delivery_status.lock_delivery(caller.owner_id, order_id)
        driver = await drivers.lock_current_driver(caller)
        assignee = await deliveries.get_assignee(order)
        if assignee is None or assignee.id != driver.id:
            await check_claimable(order, driver)
            await deliveries.assign_driver(order, driver, actor=caller.actor)
    return await delivery_records.get_delivery(caller.owner_id, order_id)


async def update_status(caller: Caller, order_id: int, body: ProgressBody) -> Delivery:
    """Update the status of a delivery and return it; idempotent. Cash that is reported after it is booked once.

    Emits the event of the status, if it has one. Raises ``NotFound`` unless the order is assigned to the driver;
    ``ValidationFailed`` for a transition that is not allowed, with the ``reason`` ``pod_required`` if the required
    proof is missing or ``id_check_required``, and for more cash than is due; ``Conflict`` if other cash is booked.
    """
    cash.check_cash_field(body.delivery_status, body.cash_collected)
    async with sql.transaction():
        order = await deliveries.lock_own_delivery(caller, order_id)
        now = order.delivery_status
        if now is not body.delivery_status:
            _check_transition(now, body.delivery_status)
            if body.delivery_status is DeliveryStatus.DELIVERED:
                await proof_of_delivery.check_proof(order)
                await proof_of_delivery.record_id_check(order, is_checked=body.id_checked)
                assignee = await deliveries.get_assigned_driver(order)
                await cash.collect_cash(order, assignee, body.cash_collected, actor=caller.actor)
        elif body.cash_collected is not None:
            # The owner may have set the status before the driver reported the cash.
            assignee = await deliveries.get_assigned_driver(order)
            await cash.collect_cash(order, assignee, body.cash_collected, actor=caller.actor)
        await deliveries.update_status(order, body.delivery_status, actor=caller.actor, note=body.note)
    return await delivery_records.get_delivery(caller.owner_id, order_id)


async def check_claimable(order: PlacedOrder, driver: LockedDriver) -> None:
    """Check that a driver may claim an order; both are locked. Raises as ``claim_delivery``."""
    if (
        not driver.serves_store(order.store_id)
        or order.delivery_status is None
        or order.status in dispatch_queue.CLOSED_STATUSES
    ):
        raise NotFound
    if order.delivery_status in deliveries.FINAL_STATUSES:
        raise NotFound
    if order.delivery_status is not DeliveryStatus.PENDING:
        raise Conflict(Sentence("Another driver has this delivery."), extras={"reason": "already_claimed"})
    terms = await delivery_terms.get_terms(order.owner_id, order.store_id)
    if terms.dispatch_mode is DispatchMode.MANUAL or await dispatch_queue.is_withheld_from(order, driver.id):
        raise NotFound
    if terms.require_shift and not driver.is_on_shift:
        raise Conflict(Sentence("Start your shift first."), extras={"reason": "off_shift"})
    if await drivers.count_active_deliveries(driver) >= terms.max_active:
        raise Conflict(
            Sentence("You already have %(number)s active deliveries. Complete one first.", number=terms.max_active),
            extras={"reason": "too_many_active", "limits": {"active_deliveries": terms.max_active}},
        )


def _to_available(row: sql.Row) -> AvailableDelivery:
    return extend_record(AvailableDelivery, delivery_records.to_delivery(row), distance_m=row["distance_m"])


def _check_transition(now: DeliveryStatus | None, to: DeliveryStatus) -> None:
    allowed = NEXT_STATUSES.get(now, ()) if now is not None else ()
    if to not in allowed:
        hint = f"Must be one of: {', '.join(allowed)}." if allowed else f"This delivery is already {now}."
        raise ValidationFailed(delivery_status=[hint])
