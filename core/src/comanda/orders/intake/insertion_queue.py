"""The queue of insertions: orders of one store that wait at the same time are inserted by one statement.

The orders of a store take turns, because each locks the store's tally until its commit. So a process runs one insertion
of a store at a time; the orders that come meanwhile wait and are then inserted together, with one commit. An order that
finds no insertion is inserted in the next turn of the event loop, with those that arrived in the same turn, so that
waiting never costs more than the turns would have.

If one of them cannot be inserted, nothing of their statement is written, and each is inserted alone.
"""

import asyncio
import time
from collections import deque
from collections.abc import Sequence
from contextvars import Context, copy_context
from dataclasses import dataclass, field
from typing import Final

import asyncpg

from comanda.orders.intake.insert_statements import (
    INSERT_ORDER,
    INSERT_ORDERS,
    InsertedOrder,
    OrderRows,
    to_common_parameters,
)
from comanda.orders.intake.node_insertion import insert_on_node
from comanda.platform.db import sql
from comanda.platform.db.cluster.placements import is_distributed
from comanda.platform.db.lookups.wait_estimates import WaitEstimate
from comanda.platform.db.statistics import ANALYZE_TASK
from comanda.platform.tasks import notifier

# More would hold the lock of the tally longer than other processes should wait for it.
MAX_ORDERS: Final = 50
# After so many, but no sooner after the last time, statistics of tables that have grown are renewed at once.
GROWN_BY_ORDERS: Final = 100
MIN_SECONDS_BETWEEN_ANALYSES: Final = 5.0
# What one order alone may be the cause of. After any other error, such as a lost connection, nobody knows what was
# committed, or the next attempt would fail too.
REFUSAL_ERRORS: Final = (asyncpg.IntegrityConstraintViolationError, asyncpg.DataError)

StoreKey = tuple[int, int]


class MenuChanged(Exception):
    """The menu has changed since the order was priced; nothing was written."""


@dataclass(frozen=True, slots=True)
class _WaitingOrder:
    """An order that waits: its rows, the context of its request, and what it waits for."""

    rows: OrderRows
    inserted: asyncio.Future[InsertedOrder]
    context: Context = field(default_factory=copy_context)

    def shares_statement_with(self, other: "_WaitingOrder") -> bool:
        """Return whether both were priced from one version of the menu on one business date."""
        mine, theirs = self.rows, other.rows
        return mine.menu_version == theirs.menu_version and mine.business_date == theirs.business_date

    def resolve(self, inserted: InsertedOrder) -> None:
        """Return what was inserted to the request, unless it was cancelled."""
        if not self.inserted.done():
            self.inserted.set_result(inserted)

    def fail(self, error: Exception) -> None:
        """Raise an error in the request, unless it was cancelled."""
        if not self.inserted.done():
            self.inserted.set_exception(error)


@dataclass(slots=True)
class _Growth:
    """The orders that this process has inserted since it last asked for new statistics."""

    orders: int = 0
    asked_at: float = 0.0

    def add(self, orders: int) -> None:
        """Count inserted orders, and ask for new statistics once they are many."""
        self.orders += orders
        moment = time.monotonic()
        if self.orders >= GROWN_BY_ORDERS and moment >= self.asked_at + MIN_SECONDS_BETWEEN_ANALYSES:
            self.orders, self.asked_at = 0, moment
            notifier.notify(ANALYZE_TASK)


# The orders that wait, for each store of which an insertion is under way or about to begin.
_waiting: dict[StoreKey, deque[_WaitingOrder]] = {}
_tasks: set[asyncio.Task[None]] = set()
_estimate = WaitEstimate()
_growth = _Growth()


async def insert_rows(rows: OrderRows) -> InsertedOrder:
    """Insert an order: alone in an open transaction, else with the orders of its store that wait at the same time.

    Raises ``MenuChanged``, and what the statement raises.
    """
    if sql.is_in_transaction():
        return await _insert_alone(rows)
    loop = asyncio.get_running_loop()
    store = rows.owner_id, rows.store_id
    order = _WaitingOrder(rows, loop.create_future())
    if (waiting := _waiting.get(store)) is not None:
        waiting.append(order)
    else:
        _waiting[store] = deque([order])
        # Requests that have arrived in one turn of the event loop come to this point in one turn, too.
        loop.call_soon(_insert_next, store)
    return await _estimate.wait_for(order.inserted)


async def _insert_alone(rows: OrderRows) -> InsertedOrder:
    inserted = await _insert([rows])
    if not inserted:
        raise MenuChanged
    return InsertedOrder(**dict(inserted[0]))


async def _insert(orders: Sequence[OrderRows]) -> list[sql.Row]:
    """Insert orders that may share a statement, in the form of it that the database needs; return what it returns."""
    _growth.add(len(orders))
    if await is_distributed("core_order"):
        return await insert_on_node(orders)
    if len(orders) == 1:
        return await sql.fetch(INSERT_ORDER, *orders[0].to_parameters())
    return await sql.fetch(INSERT_ORDERS, *to_common_parameters(orders))


def _insert_next(store: StoreKey) -> None:
    """Insert the orders of a store that have waited longest in a task of their own, if any wait."""
    orders = _take_orders(_waiting[store])
    if not orders:
        del _waiting[store]
        return
    # In the context of the first of them, whose turn it is to get a connection. A request that is cancelled must not
    # cancel the others.
    task = asyncio.get_running_loop().create_task(_insert_waiting(store, orders), context=orders[0].context)
    _tasks.add(task)
    task.add_done_callback(_tasks.discard)


def _take_orders(waiting: deque[_WaitingOrder]) -> list[_WaitingOrder]:
    """Take the first orders that can share a statement, without those whose request was cancelled."""
    orders: list[_WaitingOrder] = []
    while waiting and len(orders) < MAX_ORDERS:
        if waiting[0].inserted.done():
            waiting.popleft()
        elif not orders or waiting[0].shares_statement_with(orders[0]):
            orders.append(waiting.popleft())
        else:
            break
    return orders


async def _insert_waiting(store: StoreKey, orders: list[_WaitingOrder]) -> None:
    try:
        if len(orders) > 1:
            await _insert_together(orders)
        else:
            await _insert_one_by_one(orders)
    finally:
        _insert_next(store)
        for order in orders:
            order.inserted.cancel()  # does nothing once it is done


async def _insert_together(orders: list[_WaitingOrder]) -> None:
    """Insert orders with one statement; if it is refused, each alone."""
    try:
        rows = await _insert([order.rows for order in orders])
    except REFUSAL_ERRORS:
        await _insert_one_by_one(orders)
    except Exception as error:
        for order in orders:
            order.fail(error)
    else:
        for position, order in enumerate(orders):
            if rows:
                order.resolve(InsertedOrder(**dict(rows[position])))
            else:
                order.fail(MenuChanged())


async def _insert_one_by_one(orders: list[_WaitingOrder]) -> None:
    for order in orders:
        if order.inserted.done():
            continue
        try:
            order.resolve(await _insert_alone(order.rows))
        except Exception as error:
            order.fail(error)
