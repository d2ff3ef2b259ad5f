"""The queue of orders that search for a driver by offers, processed by ``auto_dispatch``.

A row of ``drivers_dispatch`` is written in the transaction that places an order or releases its driver, and deleted in
the one that assigns it. So wherever a process dies, the order is offered again or is in the pool.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Final

from comanda.basics import clock
from comanda.contracts import DeliveryStatus, PlacedOrder, Status
from comanda.platform.db import sql
from comanda.platform.tasks import notify

from comanda_drivers.models import DispatchMode, OfferAt
from comanda_drivers.services.terms import delivery_terms
from comanda_drivers.services.terms.delivery_fees import DeliveryTerms

CHANNEL: Final = "drivers_offers"
# Orders in these statuses are no longer delivered.
CLOSED_STATUSES: Final = frozenset({Status.CANCELLED, Status.COMPLETED})
# The progress of the kitchen, and the progress from which an order is offered.
KITCHEN_PROGRESS: Final = {Status.NEW: 0, Status.PREPARING: 1, Status.READY: 2, Status.DELIVERED: 2}
REQUIRED_PROGRESS: Final = {OfferAt.CREATED: 0, OfferAt.PREPARING: 1, OfferAt.READY: 2}

INSERT_DISPATCH: Final = """
    INSERT INTO drivers_dispatch (order_id, owner_id, due_at, started_at) VALUES ($1, $2, $3, $4)
    ON CONFLICT (order_id, owner_id) DO NOTHING
"""
SCHEDULE_WAITING_DISPATCH: Final = (
    "UPDATE drivers_dispatch SET due_at = $3 WHERE order_id = $1 AND owner_id = $2 AND due_at IS NULL"
)
DELETE_DISPATCH: Final = """
    WITH stopped AS (DELETE FROM drivers_dispatch WHERE order_id = $1 AND owner_id = $2)
    UPDATE drivers_offer
    SET state = CASE WHEN driver_id = $3::bigint THEN 'accepted' ELSE 'withdrawn' END, ended_at = $4
    WHERE order_id = $1 AND owner_id = $2 AND state = 'open'
"""
EXPIRE_OFFERS_OF_DRIVER: Final = """
    UPDATE drivers_offer SET expires_at = $3
    WHERE driver_id = $1 AND owner_id = $2 AND state = 'open' AND expires_at > $3
    RETURNING order_id
"""
RESCHEDULE_DISPATCHES: Final = """
    UPDATE drivers_dispatch SET due_at = $3
    WHERE order_id = ANY($1::bigint[]) AND owner_id = $2 AND due_at IS NOT NULL
"""
SELECT_IS_WITHHELD: Final = """
    SELECT NOT EXISTS (SELECT FROM drivers_offer f WHERE f.order_id = d.order_id AND f.owner_id = d.owner_id
        AND f.driver_id = $3 AND f.state = 'open')
    FROM drivers_dispatch d WHERE d.order_id = $1 AND d.owner_id = $2
"""


async def start_dispatch(owner_id: int, store_id: int, order_id: int, status: Status) -> None:
    """Queue an unassigned order if its store makes offers, in the open transaction."""
    terms = await delivery_terms.get_terms(owner_id, store_id)
    if terms.dispatch_mode is DispatchMode.OFFER and status not in CLOSED_STATUSES:
        moment = clock.now()
        await sql.execute(
            INSERT_DISPATCH, order_id, owner_id, moment if _is_ready_to_offer(terms, status) else None, moment
        )
        notify_worker_after_commit()


async def stop_dispatch(order: PlacedOrder, driver_id: int | None = None) -> None:
    """End an order's dispatch and its open offer, in the open transaction; ``driver_id`` is its new driver, if any."""
    await sql.execute(DELETE_DISPATCH, order.id, order.owner_id, driver_id, clock.now())


async def update_dispatch(order: PlacedOrder, status: Status) -> None:
    """Update an order's dispatch to its new status: offer it from the store's ``offer_at`` on, end it once closed."""
    if order.delivery_status is not DeliveryStatus.PENDING:
        return
    after = replace(order, status=status)
    if status in CLOSED_STATUSES:
        await stop_dispatch(after)
    elif order.status in CLOSED_STATUSES:
        await start_dispatch(order.owner_id, order.store_id, order.id, status)
    elif _is_ready_to_offer(await delivery_terms.get_terms(order.owner_id, order.store_id), status):
        await sql.execute(SCHEDULE_WAITING_DISPATCH, order.id, order.owner_id, clock.now())
        notify_worker_after_commit()


async def expire_driver_offers(owner_id: int, driver_id: int) -> None:
    """Expire the offers of a driver whose shift ended, so that the next driver gets them.

    Each statement runs on its own after the shift has ended, so that neither waits while holding a lock. If the process
    dies between them, the offers expire a little later.
    """
    moment = clock.now()
    rows = await sql.fetch(EXPIRE_OFFERS_OF_DRIVER, driver_id, owner_id, moment)
    if rows:
        await reschedule_dispatches(owner_id, [row["order_id"] for row in rows])


async def reschedule_dispatches(owner_id: int, order_ids: Sequence[int]) -> None:
    """Schedule the next step of these orders for now, and notify the worker after the commit."""
    await sql.execute(RESCHEDULE_DISPATCHES, list(order_ids), owner_id, clock.now())
    notify_worker_after_commit()


async def is_withheld_from(order: PlacedOrder, driver_id: int) -> bool:
    """Return whether an order is being dispatched and has no open offer to this driver."""
    return bool(await sql.fetch_value(SELECT_IS_WITHHELD, order.id, order.owner_id, driver_id))


def notify_worker_after_commit() -> None:
    """Notify the dispatch worker once the open transaction has committed."""
    sql.after_commit(_NOTIFY_WORKER)


def _is_ready_to_offer(terms: DeliveryTerms, status: Status) -> bool:
    return terms.dispatch_mode is DispatchMode.OFFER and KITCHEN_PROGRESS[status] >= REQUIRED_PROGRESS[terms.offer_at]


# One object, as a callback that is registered twice in a transaction runs once.
_NOTIFY_WORKER: Final = partial(notify, CHANNEL)
