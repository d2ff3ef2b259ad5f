"""Which orders look for a driver by offers, as rows: begun, woken, stopped. Who is asked next is for ``asking``.

A row of ``drivers_dispatch`` is written in the transaction in which an order is placed or loses its driver, and goes in
the one in which somebody has it. So wherever a process dies the order is offered again, or it is in the pool.
"""

from collections.abc import Sequence
from dataclasses import replace
from enum import StrEnum
from functools import partial
from typing import Final

from comanda import clock
from comanda.contracts.order_participants import PlacedOrder
from comanda.contracts.order_status import DeliveryStatus, Status
from comanda.db import sql
from comanda.tasks.notifier import notify

from comanda_drivers import terms
from comanda_drivers.fees import DispatchMode, OfferAt, StoreTerms

CHANNEL: Final = "drivers_offers"
# Nobody fetches these any more.
OVER: Final = frozenset({Status.CANCELLED, Status.COMPLETED})
# How far the kitchen is, and how far it must be.
REACHED: Final = {Status.NEW: 0, Status.PREPARING: 1, Status.READY: 2, Status.DELIVERED: 2}
NEEDED: Final = {OfferAt.CREATED: 0, OfferAt.PREPARING: 1, OfferAt.READY: 2}

BEGIN: Final = """
    INSERT INTO drivers_dispatch (order_id, owner_id, due_at, started_at) VALUES ($1, $2, $3, $4)
    ON CONFLICT (order_id, owner_id) DO NOTHING
"""
WAKE: Final = "UPDATE drivers_dispatch SET due_at = $3 WHERE order_id = $1 AND owner_id = $2 AND due_at IS NULL"
STOP: Final = """
    WITH stopped AS (DELETE FROM drivers_dispatch WHERE order_id = $1 AND owner_id = $2)
    UPDATE drivers_offer
    SET state = CASE WHEN driver_id = $3::bigint THEN 'accepted' ELSE 'withdrawn' END, ended_at = $4
    WHERE order_id = $1 AND owner_id = $2 AND state = 'open'
"""
HAND_BACK: Final = """
    UPDATE drivers_offer SET expires_at = $3
    WHERE driver_id = $1 AND owner_id = $2 AND state = 'open' AND expires_at > $3
    RETURNING order_id
"""
GO_ON: Final = """
    UPDATE drivers_dispatch SET due_at = $3
    WHERE order_id = ANY($1::bigint[]) AND owner_id = $2 AND due_at IS NOT NULL
"""
LOOKING: Final = """
    SELECT NOT EXISTS (SELECT FROM drivers_offer f WHERE f.order_id = d.order_id AND f.owner_id = d.owner_id
        AND f.driver_id = $3 AND f.state = 'open')
    FROM drivers_dispatch d WHERE d.order_id = $1 AND d.owner_id = $2
"""


class OfferState(StrEnum):
    """What became of an offer."""

    OPEN = "open"
    ACCEPTED = "accepted"
    REJECTED = "rejected"
    EXPIRED = "expired"
    WITHDRAWN = "withdrawn"


async def begin(owner_id: int, store_id: int, order_id: int, status: Status) -> None:
    """Let an order that nobody has look for a driver, where its store makes offers; in the open transaction."""
    rules = await terms.of_store(owner_id, store_id)
    if rules.dispatch_mode is DispatchMode.OFFER and status not in OVER:
        moment = clock.now()
        await sql.execute(BEGIN, order_id, owner_id, moment if _is_time(rules, status) else None, moment)
        ring_later()


async def stop(order: PlacedOrder, driver_id: int | None = None) -> None:
    """Let an order look no further, in the open transaction, because a driver has it, or because nobody needs to."""
    await sql.execute(STOP, order.id, order.owner_id, driver_id, clock.now())


async def follow(order: PlacedOrder, status: Status) -> None:
    """Go along with the kitchen: what reached the store's ``offer_at`` is offered, what is over is not any more."""
    if order.delivery_status is not DeliveryStatus.PENDING:
        return
    after = replace(order, status=status)
    if status in OVER:
        await stop(after)
    elif order.status in OVER:
        await begin(order.owner_id, order.store_id, order.id, status)
    elif _is_time(await terms.of_store(order.owner_id, order.store_id), status):
        await sql.execute(WAKE, order.id, order.owner_id, clock.now())
        ring_later()


async def hand_back(owner_id: int, driver_id: int) -> None:
    """Let what is offered to a driver who went off shift be offered to the next.

    Each statement on its own, after the shift has ended: neither waits for anything with something locked. Where the
    process dies between them the offers are over a little later.
    """
    moment = clock.now()
    rows = await sql.fetch(HAND_BACK, driver_id, owner_id, moment)
    if rows:
        await go_on(owner_id, [row["order_id"] for row in rows])


async def go_on(owner_id: int, order_ids: Sequence[int]) -> None:
    """Ask the next driver for these orders, once the open transaction has committed."""
    await sql.execute(GO_ON, list(order_ids), owner_id, clock.now())
    ring_later()


async def is_kept_from(order: PlacedOrder, driver_id: int) -> bool:
    """Tell whether an order is looking for a driver, and is not offered to this one now."""
    return bool(await sql.fetch_value(LOOKING, order.id, order.owner_id, driver_id))


def ring_later() -> None:
    """Wake those who make offers, once the open transaction has committed."""
    sql.after_commit(_RING)


def _is_time(rules: StoreTerms, status: Status) -> bool:
    return rules.dispatch_mode is DispatchMode.OFFER and REACHED[status] >= NEEDED[rules.offer_at]


# One object, for what is asked for twice in a transaction is done once.
_RING: Final = partial(notify, CHANNEL)
