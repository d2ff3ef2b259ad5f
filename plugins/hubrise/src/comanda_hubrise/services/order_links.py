"""Orders of HubRise as rows that wait for a worker: woken by callbacks, checks and what happens to the order here."""

from collections.abc import Collection
from typing import Final

from comanda.basics import clock
from comanda.contracts import Caller, PageRequest, RecordPage
from comanda.platform import runtime
from comanda.platform.db import sql
from comanda.platform.tasks import notifier
from comanda.stores import require_store
from comanda_foreign_orders.api import LinkState

from comanda_hubrise.records import HubRiseOrder, KnownConnection, KnownLink
from comanda_hubrise.schemas import HubRiseOrderQuery

ORDERS: Final = "hubrise_orders"
"""The name of the queue."""
# A row that a worker holds keeps its attempt, or the worker could not save its result.
WAKE: Final = """wakes = o.wakes + 1, next_attempt_at = least(o.next_attempt_at, $3), dead_at = NULL,
    attempts = CASE WHEN o.leased_until > $3 THEN o.attempts ELSE 0 END"""
UPSERT_LINKS: Final = f"""
    INSERT INTO hubrise_order AS o
        (owner_id, store_id, connection_id, hubrise_id, state, wakes, next_attempt_at, created_at)
    SELECT $1, $4, $2, given.id, '{LinkState.WAITING}', 1, $3, $3 FROM unnest($5::text[]) AS given (id)
    ON CONFLICT (connection_id, hubrise_id, owner_id) DO UPDATE SET {WAKE}
"""
# What a check lists is known, unless its callback was lost: an order that was dealt with is left alone.
INSERT_MISSING: Final = f"""
    INSERT INTO hubrise_order AS o
        (owner_id, store_id, connection_id, hubrise_id, state, wakes, next_attempt_at, created_at)
    SELECT $1, $4, $2, given.id, '{LinkState.WAITING}', 1, $3, $3 FROM unnest($5::text[]) AS given (id)
    ON CONFLICT (connection_id, hubrise_id, owner_id) DO NOTHING
"""
WAKE_SEEN_OTHERWISE: Final = f"""
    UPDATE hubrise_order o SET {WAKE} WHERE owner_id = $1 AND connection_id = $2 AND hubrise_id = ANY($5::text[])
        AND store_id = $4 AND seen_status IS DISTINCT FROM $6 AND next_attempt_at IS NULL
"""
WAKE_ORDERS: Final = f"""
    UPDATE hubrise_order o SET {WAKE} FROM unnest($1::bigint[], $2::bigint[]) AS given (owner_id, order_id)
    WHERE o.owner_id = given.owner_id AND o.order_id = given.order_id
"""
SELECT_LINK: Final = """
    SELECT l.id, l.owner_id, l.store_id, l.connection_id, l.hubrise_id, l.state, l.order_id, l.total, l.reason,
        l.sent_status, o.status, o.delivery_status, o.type
    FROM hubrise_order l LEFT JOIN core_order_v1 o ON o.id = l.order_id AND o.owner_id = l.owner_id
    WHERE l.owner_id = $1 AND l.id = $2
"""
LISTED: Final = "FROM hubrise_order WHERE owner_id = $1 AND store_id = $2 AND ($3::text IS NULL OR state = $3)"
SELECT_ORDERS: Final = f"""
    SELECT id, store_id, hubrise_id, order_id, state, channel, ref, total, reason, sent_status AS status,
        error AS failure, created_at {LISTED} ORDER BY id DESC LIMIT $4 OFFSET $5
"""
COUNT_ORDERS: Final = f"SELECT count(*) {LISTED}"


async def wake_or_create(connection: KnownConnection, hubrise_ids: Collection[str]) -> None:
    """Queue orders of HubRise that were reported."""
    values = (connection.owner_id, connection.id, clock.now(), connection.store_id, list(hubrise_ids))
    await sql.execute(UPSERT_LINKS, *values)
    notifier.notify(ORDERS)


async def create_missing(connection: KnownConnection, hubrise_ids: Collection[str]) -> None:
    """Queue those orders of HubRise that were never reported."""
    values = (connection.owner_id, connection.id, clock.now(), connection.store_id, list(hubrise_ids))
    if await sql.execute(INSERT_MISSING, *values):
        notifier.notify(ORDERS)


async def wake_changed(connection: KnownConnection, hubrise_ids: Collection[str], status: str) -> None:
    """Queue those of these known orders that had another status when they were read last."""
    values = (connection.owner_id, connection.id, clock.now(), connection.store_id, list(hubrise_ids), status)
    if await sql.execute(WAKE_SEEN_OTHERWISE, *values):
        notifier.notify(ORDERS)


async def wake_orders(orders: Collection[tuple[int, int]]) -> None:
    """Queue a report to HubRise on those of these orders, as owners and ids, that came from there."""
    owner_ids, order_ids = [owner_id for owner_id, _ in orders], [order_id for _, order_id in orders]
    if await sql.execute(WAKE_ORDERS, owner_ids, order_ids, clock.now()):
        notifier.notify(ORDERS)


async def find_link(owner_id: int, link_id: int) -> KnownLink | None:
    """Return an order of HubRise with the statuses of the order here, or None."""
    row = await sql.fetch_one(SELECT_LINK, owner_id, link_id)
    if row is None:
        return None
    values = dict(row)
    mode = runtime.registry().fulfillment_modes.get(values.pop("type") or "")
    values["state"] = LinkState(row["state"])
    return KnownLink(**values, is_delivery=mode is not None and mode.is_delivery)


async def list_orders(
    caller: Caller, store_id: int, query: HubRiseOrderQuery, page: PageRequest
) -> RecordPage[HubRiseOrder]:
    """List a store's orders of HubRise, newest first. Raises ``NotFound``."""
    await require_store(caller, store_id)
    given = (caller.owner_id, store_id, query.state)

    async def count() -> int:
        return int(await sql.fetch_value(COUNT_ORDERS, *given))

    rows = await sql.fetch(SELECT_ORDERS, *given, page.size(), page.offset())
    records = [HubRiseOrder(**{**dict(row), "state": LinkState(row["state"])}) for row in rows]
    return page.of(records, await page.get_total(rows, count))
