"""Queries of orders, each in one statement."""

from comanda.basics import clock
from comanda.basics.errors import NotFound
from comanda.contracts.orders.status import Status
from comanda.contracts.requests.callers import Caller
from comanda.orders import sections
from comanda.orders.records import (
    ORDER_COLUMNS,
    Order,
    build_lines_column,
    build_voided_column,
    decode_voided,
    to_order,
    to_state,
)
from comanda.orders.track_tokens import TrackKey, find_track_key
from comanda.platform.db import sql

# The tracking page of an order is available for this long after the order ended.
TRACKED_DAYS = 30

SELECT_ORDER = f"""
    SELECT {ORDER_COLUMNS}, {build_lines_column("$2")}, {build_voided_column("$2")} FROM core_order o
    WHERE o.id = $1 AND o.owner_id = $2 AND o.store_id = $3
"""
SELECT_TRACKED_ORDER = f"""
    SELECT {ORDER_COLUMNS}, {build_lines_column("$1")}
    FROM core_order o JOIN core_owner w ON w.id = o.owner_id
    WHERE o.owner_id = $1 AND o.track_hash = $2 AND NOT w.is_suspended
"""


class TrackingExpired(NotFound):
    """The order ended ``TRACKED_DAYS`` ago. Who has its token may still know which store it was from."""

    def __init__(self, owner_id: int, store_id: int) -> None:
        super().__init__()
        self.owner_id, self.store_id = owner_id, store_id


async def get_order(owner_id: int, store_id: int, order_id: int) -> Order:
    """Return an order with its sections. Raises ``NotFound``."""
    row = await sql.require_one(SELECT_ORDER, order_id, owner_id, store_id)
    found = await sections.load_sections(owner_id, order_id, to_state(row))
    return to_order(row, found, decode_voided(row["voided"]))


async def find_order(caller: Caller, store_id: int, order_id: int) -> Order:
    """Return an order of the caller. Raises ``NotFound``."""
    if not caller.reaches(store_id):
        raise NotFound
    return await get_order(caller.owner_id, store_id, order_id)


async def get_body_hash(owner_id: int, order_id: int) -> bytes | None:
    """Return the hash of the body that placed an order."""
    found: bytes | None = await sql.fetch_value(
        "SELECT body_hash FROM core_order WHERE id = $1 AND owner_id = $2", order_id, owner_id
    )
    return found


async def get_tracking(track_token: str) -> Order:
    """Return an order by its track token, with the sections of its public status.

    Raises ``NotFound``, and ``TrackingExpired`` if it ended ``TRACKED_DAYS`` ago.
    """
    return await get_tracked(await find_track_key(track_token))


async def get_tracked(key: TrackKey) -> Order:
    """Return an order by the key of its track token. Raises as ``get_tracking`` does."""
    row = await sql.require_one(SELECT_TRACKED_ORDER, key.owner_id, key.track_hash)
    if not Status(row["status"]).is_open and (clock.now() - row["updated_at"]).days >= TRACKED_DAYS:
        raise TrackingExpired(row["owner_id"], row["store_id"])
    return to_order(row, await sections.load_tracking_sections(row["owner_id"], row["id"], to_state(row)))
