"""Automatic dispatch: offers to one driver at a time, nearest on shift first, for three rounds, then the pool.

Each step is one transaction on a locked order, and sets in ``due_at`` when the next step is due.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final

import structlog
from comanda.basics import RateLimited, ValidationFailed, clock
from comanda.contracts import (
    ClaimedRow,
    DeliveryStatus,
    LeasedQueue,
    PlacedOrder,
    QueueLimits,
    QueueTable,
    QueueWork,
    RetrySchedule,
)
from comanda.orders import AWAITS_PAYMENT, delivery_status
from comanda.platform.db import sql
from comanda_notifications.api import push_template, send_template

from comanda_drivers.message_templates import DELIVERY_OFFERED, DELIVERY_UNCLAIMED
from comanda_drivers.models import DispatchMode
from comanda_drivers.services.accounts import drivers
from comanda_drivers.services.accounts.drivers import LockedDriver
from comanda_drivers.services.dispatch import dispatch_queue
from comanda_drivers.services.terms import delivery_terms
from comanda_drivers.services.terms.delivery_fees import DeliveryTerms
from comanda_drivers.services.terms.distances import build_distance_sql

log = structlog.get_logger(__name__)

OFFER_LIFETIME: Final = timedelta(seconds=60)
MAX_ROUNDS: Final = 3
# How often the dispatch of an order asks whether its owner is active again, or whether it is paid.
DISPATCH_PAUSE: Final = timedelta(minutes=1)
# An order whose step failed is retried later; the others continue.
RETRIES: Final = RetrySchedule((30,), repeats_last=True, jitter=0)
# Owners at once; the orders of one are offered one after another, so that the first gets the nearest driver.
MAX_IN_FLIGHT: Final = 4

# Each step is a transaction that sets when the next is due, so that afterwards only the lease is left to end.
DISPATCHES: Final = QueueTable(
    "drivers_dispatch",
    key="order_id",
    due="due_at",
    created="started_at",
    share_by="owner_id",
    done="leased_until = NULL, attempts = 0",
)

SELECT_DISPATCH: Final = f"""
    SELECT q.round, q.due_at, q.started_at, w.is_suspended OR {AWAITS_PAYMENT} AS is_paused
    FROM drivers_dispatch q JOIN core_owner_v1 w ON w.id = q.owner_id
    JOIN core_order_v1 o ON o.id = q.order_id AND o.owner_id = q.owner_id WHERE q.order_id = $1 AND q.owner_id = $2
"""
UPDATE_DISPATCH: Final = "UPDATE drivers_dispatch SET round = $3, due_at = $4 WHERE order_id = $1 AND owner_id = $2"
POSTPONE_DISPATCH: Final = "UPDATE drivers_dispatch SET due_at = $3 WHERE order_id = $1 AND owner_id = $2"
EXPIRE_OPEN_OFFER: Final = """
    UPDATE drivers_offer SET state = 'expired', ended_at = $3 WHERE order_id = $1 AND owner_id = $2 AND state = 'open'
"""
SELECT_OPEN_OFFER_EXPIRY: Final = (
    "SELECT expires_at FROM drivers_offer WHERE order_id = $1 AND owner_id = $2 AND state = 'open'"
)
INSERT_OFFER: Final = """
    WITH made AS (
        INSERT INTO drivers_offer (owner_id, order_id, driver_id, state, round, created_at, expires_at)
        VALUES ($1, $2, $3, 'open', $4, $5, $6) RETURNING id)
    SELECT id FROM made
"""
SELECT_HAS_OFFERS_IN_ROUND: Final = """
    SELECT EXISTS (SELECT FROM drivers_offer WHERE order_id = $1 AND owner_id = $2 AND round = $3 AND created_at >= $4)
"""
# A driver with capacity who got no offer in this round and rejected none: the nearest, then the longest waiting.
SELECT_CANDIDATE: Final = f"""
    SELECT d.id FROM drivers_driver d
    LEFT JOIN drivers_terms t ON t.store_id = $2 AND t.owner_id = d.owner_id
    WHERE d.owner_id = $1 AND d.deleted_at IS NULL AND d.is_active AND d.is_on_shift
      AND (d.store_id IS NULL OR d.store_id = $2) AND ($7::bigint IS NULL OR d.id = $7)
      AND {drivers.COUNT_ACTIVE_DELIVERIES} + (SELECT count(*) FROM drivers_offer f
        WHERE f.driver_id = d.id AND f.owner_id = d.owner_id AND f.state = 'open') < $6
      AND NOT EXISTS (SELECT FROM drivers_offer f
        WHERE f.order_id = $3 AND f.owner_id = d.owner_id AND f.driver_id = d.id AND f.created_at >= $5
          AND (f.round = $4 OR f.state = 'rejected'))
    ORDER BY {build_distance_sql("d.lat", "d.lng", "t.lat", "t.lng")} NULLS LAST, coalesce(
        (SELECT max(coalesce(a.ended_at, a.assigned_at)) FROM drivers_assignment a
         WHERE a.driver_id = d.id AND a.owner_id = d.owner_id), d.shift_changed_at) NULLS FIRST, d.id
    LIMIT 1
"""
SELECT_MESSAGE_VALUES: Final = """
    SELECT o.number, s.title, w.name, w.email FROM core_order_v1 o
    JOIN core_store_v1 s ON s.id = o.store_id AND s.owner_id = o.owner_id JOIN core_owner_v1 w ON w.id = o.owner_id
    WHERE o.id = $1 AND o.owner_id = $2
"""


async def _process_rows(rows: Sequence[ClaimedRow]) -> None:
    for row in rows:
        await process_dispatch(row.owner_id, row.id)


async def process_dispatch(owner_id: int, order_id: int) -> None:
    """Offer an order to the next driver if its dispatch is due, in a transaction of its own."""
    async with sql.transaction():
        order = await delivery_status.lock_delivery(owner_id, order_id)
        dispatch = await sql.fetch_one(SELECT_DISPATCH, order_id, owner_id)
        moment = clock.now()
        # Another process may have been faster.
        if dispatch is None or dispatch["due_at"] is None or dispatch["due_at"] > moment:
            return
        terms = await delivery_terms.get_terms(owner_id, order.store_id)
        if not _is_still_dispatched(order, terms):
            await dispatch_queue.stop_dispatch(order)
            return
        if dispatch["is_paused"]:
            # No driver could accept an offer. The rounds go on where they were once one can.
            await sql.execute(POSTPONE_DISPATCH, order_id, owner_id, moment + DISPATCH_PAUSE)
            return
        still_open = await sql.fetch_value(SELECT_OPEN_OFFER_EXPIRY, order_id, owner_id)
        if still_open is not None and still_open > moment:
            await sql.execute(POSTPONE_DISPATCH, order_id, owner_id, still_open)
            return
        await sql.execute(EXPIRE_OPEN_OFFER, order_id, owner_id, moment)
        await _offer_to_next_driver(order, terms, dispatch, moment)


def _is_still_dispatched(order: PlacedOrder, terms: DeliveryTerms) -> bool:
    return (
        order.delivery_status is DeliveryStatus.PENDING
        and order.status not in dispatch_queue.CLOSED_STATUSES
        and terms.dispatch_mode is DispatchMode.OFFER
    )


async def _offer_to_next_driver(order: PlacedOrder, terms: DeliveryTerms, dispatch: sql.Row, moment: datetime) -> None:
    round_number, since = dispatch["round"], dispatch["started_at"]
    driver = await _lock_candidate(order, terms, round_number, since)
    if driver is not None:
        await sql.execute(UPDATE_DISPATCH, order.id, order.owner_id, round_number, moment + OFFER_LIFETIME)
        await _create_offer(order, driver, round_number, moment)
    elif round_number < MAX_ROUNDS:
        # A round without any candidate lasts as long as an offer: drivers may start their shift meanwhile.
        had_offers = await sql.fetch_value(SELECT_HAS_OFFERS_IN_ROUND, order.id, order.owner_id, round_number, since)
        await sql.execute(
            UPDATE_DISPATCH,
            order.id,
            order.owner_id,
            round_number + 1,
            moment if had_offers else moment + OFFER_LIFETIME,
        )
    else:
        await dispatch_queue.stop_dispatch(order)
        await _notify_owner(order, since)


async def _lock_candidate(
    order: PlacedOrder, terms: DeliveryTerms, round_number: int, since: datetime
) -> LockedDriver | None:
    values = (order.owner_id, order.store_id, order.id, round_number, since, terms.max_active)
    while (driver_id := await sql.fetch_value(SELECT_CANDIDATE, *values, None)) is not None:
        driver = await drivers.lock_driver(order.owner_id, driver_id)
        # Before the row was locked the driver may have ended the shift, or got another offer.
        if await sql.fetch_value(SELECT_CANDIDATE, *values, driver_id) is not None:
            return driver
    return None


async def _create_offer(order: PlacedOrder, driver: LockedDriver, round_number: int, moment: datetime) -> None:
    expires_at = moment + OFFER_LIFETIME
    values = (order.owner_id, order.id, driver.id, round_number, moment, expires_at)
    offer_id = await sql.fetch_value(INSERT_OFFER, *values)
    order_row = await sql.one(SELECT_MESSAGE_VALUES, order.id, order.owner_id)
    await push_template(
        DELIVERY_OFFERED.name,
        "driver",
        [driver.id],
        {"offer_id": offer_id, "order_id": order.id, "expires_at": expires_at.isoformat()},
        values={
            "number": order_row["number"],
            "store": order_row["title"],
            "seconds": int(OFFER_LIFETIME.total_seconds()),
        },
        owner_id=order.owner_id,
        store_id=order.store_id,
        once=f"offer:{offer_id}",
        expires_at=expires_at,
    )


async def _notify_owner(order: PlacedOrder, since: datetime) -> None:
    order_row = await sql.one(SELECT_MESSAGE_VALUES, order.id, order.owner_id)
    try:
        await send_template(
            DELIVERY_UNCLAIMED.name,
            to=order_row["email"],
            channel="email",
            values={"name": order_row["name"], "number": order_row["number"], "store": order_row["title"]},
            owner_id=order.owner_id,
            store_id=order.store_id,
            once=f"unclaimed:{order.id}:{since.isoformat()}",
        )
    except (RateLimited, ValidationFailed) as error:
        log.warning("owner_not_notified", owner_id=order.owner_id, order_id=order.id, error=str(error))


QUEUE: Final = LeasedQueue(
    dispatch_queue.CHANNEL,
    DISPATCHES,
    QueueWork(_process_rows, QueueLimits(max_in_flight=MAX_IN_FLIGHT, max_per_share=1), retries=RETRIES),
)
