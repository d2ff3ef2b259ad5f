"""Offers orders to drivers, one after the other: the nearest on shift first, three rounds, then the pool.

Each step is one transaction on a locked order, and says in ``due_at`` when the next is due.
"""

from datetime import datetime, timedelta
from typing import Final

import structlog
from comanda import clock
from comanda.contracts.order_participants import PlacedOrder
from comanda.contracts.order_status import DeliveryStatus
from comanda.contracts.tasks import WakeEvent
from comanda.db import sql
from comanda.errors import RateLimited, ValidationFailed
from comanda.orders import delivery_status
from comanda_notifications.api import push_template, send_template

from comanda_drivers import terms
from comanda_drivers.fees import DispatchMode, StoreTerms
from comanda_drivers.messages import OFFER, UNCLAIMED
from comanda_drivers.places import distance_sql
from comanda_drivers.services import offers, people
from comanda_drivers.services.people import LockedDriver

log = structlog.get_logger(__name__)

OFFER_LASTS: Final = timedelta(seconds=60)
ROUNDS: Final = 3
POLL_SECONDS: Final = 1.0
BATCH: Final = 50
# What went wrong for one order waits, and the others go on.
RETRY: Final = timedelta(seconds=30)

DUE: Final = "SELECT order_id, owner_id FROM drivers_dispatch WHERE due_at <= $1 ORDER BY due_at LIMIT $2"
FIND: Final = "SELECT round, due_at, started_at FROM drivers_dispatch WHERE order_id = $1 AND owner_id = $2"
NEXT: Final = "UPDATE drivers_dispatch SET round = $3, due_at = $4 WHERE order_id = $1 AND owner_id = $2"
POSTPONE: Final = "UPDATE drivers_dispatch SET due_at = $3 WHERE order_id = $1 AND owner_id = $2"
EXPIRE: Final = """
    UPDATE drivers_offer SET state = 'expired', ended_at = $3 WHERE order_id = $1 AND owner_id = $2 AND state = 'open'
"""
STILL_OPEN: Final = "SELECT expires_at FROM drivers_offer WHERE order_id = $1 AND owner_id = $2 AND state = 'open'"
OFFER_IT: Final = """
    WITH made AS (
        INSERT INTO drivers_offer (owner_id, order_id, driver_id, state, round, created_at, expires_at)
        VALUES ($1, $2, $3, 'open', $4, $5, $6) RETURNING id)
    SELECT id FROM made
"""
ASKED: Final = """
    SELECT EXISTS (SELECT FROM drivers_offer WHERE order_id = $1 AND owner_id = $2 AND round = $3 AND created_at >= $4)
"""
# Who has room, was not asked in this round and has not said no: the nearest, then whoever has waited longest.
CANDIDATE: Final = f"""
    SELECT d.id FROM drivers_driver d
    LEFT JOIN drivers_terms t ON t.store_id = $2 AND t.owner_id = d.owner_id
    WHERE d.owner_id = $1 AND d.deleted_at IS NULL AND d.is_active AND d.is_on_shift
      AND (d.store_id IS NULL OR d.store_id = $2) AND ($7::bigint IS NULL OR d.id = $7)
      AND {people.ACTIVE} + (SELECT count(*) FROM drivers_offer f
        WHERE f.driver_id = d.id AND f.owner_id = d.owner_id AND f.state = 'open') < $6
      AND NOT EXISTS (SELECT FROM drivers_offer f
        WHERE f.order_id = $3 AND f.owner_id = d.owner_id AND f.driver_id = d.id AND f.created_at >= $5
          AND (f.round = $4 OR f.state = 'rejected'))
    ORDER BY {distance_sql("d.lat", "d.lng", "t.lat", "t.lng")} NULLS LAST, coalesce(
        (SELECT max(coalesce(a.ended_at, a.assigned_at)) FROM drivers_assignment a
         WHERE a.driver_id = d.id AND a.owner_id = d.owner_id), d.shift_changed_at) NULLS FIRST, d.id
    LIMIT 1
"""
ABOUT: Final = """
    SELECT o.number, s.title, w.name, w.email FROM core_order o
    JOIN core_store s ON s.id = o.store_id AND s.owner_id = o.owner_id JOIN core_owner w ON w.id = o.owner_id
    WHERE o.id = $1 AND o.owner_id = $2
"""


async def run(wake: WakeEvent) -> None:
    """Make offers for as long as the process lives."""
    while True:
        await work_off()
        await wake.wait(POLL_SECONDS)


async def work_off() -> None:
    """Do whatever is due."""
    while due := await sql.fetch(DUE, clock.now(), BATCH):
        for row in due:
            await _one(row["owner_id"], row["order_id"])


async def step(owner_id: int, order_id: int) -> None:
    """Offer an order to the next driver if that is due, in a transaction of its own."""
    async with sql.transaction():
        order = await delivery_status.lock_delivery(owner_id, order_id)
        found = await sql.fetch_one(FIND, order_id, owner_id)
        moment = clock.now()
        # Another process may have been here first.
        if found is None or found["due_at"] is None or found["due_at"] > moment:
            return
        rules = await terms.of_store(owner_id, order.store_id)
        if not _is_offered(order, rules):
            await offers.stop(order)
            return
        still_open = await sql.fetch_value(STILL_OPEN, order_id, owner_id)
        if still_open is not None and still_open > moment:
            await sql.execute(POSTPONE, order_id, owner_id, still_open)
            return
        await sql.execute(EXPIRE, order_id, owner_id, moment)
        await _ask_next(order, rules, found, moment)


def _is_offered(order: PlacedOrder, rules: StoreTerms) -> bool:
    return (
        order.delivery_status is DeliveryStatus.PENDING
        and order.status not in offers.OVER
        and rules.dispatch_mode is DispatchMode.OFFER
    )


async def _one(owner_id: int, order_id: int) -> None:
    try:
        await step(owner_id, order_id)
    except Exception:
        log.exception("offer_failed", owner_id=owner_id, order_id=order_id)
        await sql.execute(POSTPONE, order_id, owner_id, clock.now() + RETRY)


async def _ask_next(order: PlacedOrder, rules: StoreTerms, found: sql.Row, moment: datetime) -> None:
    number, since = found["round"], found["started_at"]
    driver = await _candidate(order, rules, number, since)
    if driver is not None:
        await sql.execute(NEXT, order.id, order.owner_id, number, moment + OFFER_LASTS)
        await _offer(order, driver, number, moment)
    elif number < ROUNDS:
        # A round in which there was nobody to ask lasts as long as an offer: somebody may come back meanwhile.
        was_asked = await sql.fetch_value(ASKED, order.id, order.owner_id, number, since)
        await sql.execute(NEXT, order.id, order.owner_id, number + 1, moment if was_asked else moment + OFFER_LASTS)
    else:
        await offers.stop(order)
        await _tell_owner(order, since)


async def _candidate(order: PlacedOrder, rules: StoreTerms, number: int, since: datetime) -> LockedDriver | None:
    values = (order.owner_id, order.store_id, order.id, number, since, rules.max_active)
    while (driver_id := await sql.fetch_value(CANDIDATE, *values, None)) is not None:
        driver = await people.lock(order.owner_id, driver_id)
        # Before the row was locked the driver may have gone off shift, or have been offered another order.
        if await sql.fetch_value(CANDIDATE, *values, driver_id) is not None:
            return driver
    return None


async def _offer(order: PlacedOrder, driver: LockedDriver, number: int, moment: datetime) -> None:
    expires_at = moment + OFFER_LASTS
    values = (order.owner_id, order.id, driver.id, number, moment, expires_at)
    offer_id = await sql.fetch_value(OFFER_IT, *values)
    about = await sql.fetch_one(ABOUT, order.id, order.owner_id)
    assert about is not None  # noqa: S101 - the order is locked
    await push_template(
        OFFER.name,
        "driver",
        [driver.id],
        {"offer_id": offer_id, "order_id": order.id, "expires_at": expires_at.isoformat()},
        values={"number": about["number"], "store": about["title"], "seconds": int(OFFER_LASTS.total_seconds())},
        owner_id=order.owner_id,
        store_id=order.store_id,
        once=f"offer:{offer_id}",
        expires_at=expires_at,
    )


async def _tell_owner(order: PlacedOrder, since: datetime) -> None:
    about = await sql.fetch_one(ABOUT, order.id, order.owner_id)
    assert about is not None  # noqa: S101 - the order is locked
    try:
        await send_template(
            UNCLAIMED.name,
            to=about["email"],
            channel="email",
            values={"name": about["name"], "number": about["number"], "store": about["title"]},
            owner_id=order.owner_id,
            store_id=order.store_id,
            once=f"unclaimed:{order.id}:{since.isoformat()}",
        )
    except (RateLimited, ValidationFailed) as error:
        log.warning("owner_not_told", owner_id=order.owner_id, order_id=order.id, error=str(error))
