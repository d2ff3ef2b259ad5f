"""Boards that are watched: what tells that one has changed, and what is sent then."""

import hashlib
from collections.abc import Mapping
from typing import Final

from comanda import clock
from comanda.db import sql
from comanda.http.live_updates import LiveMessage, Watch

from comanda_kds import board
from comanda_kds.members import Post
from comanda_kds.settings import current
from comanda_kds.states import ItemState

MAX_SCREENS: Final = 50

# Which orders are there in which status, which lines have which state, and since when; how many tickets are soon late
# and late; which version the configuration has: of several kitchens at once, each from the ranges of index that its
# board is read from.
STATES: Final = f"""
    SELECT s.id, c.version, orders.*, items.*
    FROM core_store s
    LEFT JOIN kds_settings c ON c.store_id = s.id AND c.owner_id = s.owner_id
    CROSS JOIN LATERAL (
        SELECT coalesce(c.lead_minutes, $4::int) * interval '1 minute' AS lead,
            coalesce(c.late_minutes, greatest($6::int, c.soon_minutes)) AS late_minutes) known
    CROSS JOIN LATERAL (
        SELECT $2::timestamptz - known.late_minutes * interval '1 minute' AS late,
            $2 - coalesce(c.soon_minutes, least($5::int, known.late_minutes)) * interval '1 minute' AS soon) before
    CROSS JOIN LATERAL (
        SELECT count(*) AS orders, bit_xor(hashtextextended(o.id || o.status, 0)) AS statuses,
            max(o.updated_at) AS orders_changed_at,
            count(*) FILTER (WHERE greatest(o.created_at, o.scheduled_for - known.lead) <= before.soon) AS soon,
            count(*) FILTER (WHERE greatest(o.created_at, o.scheduled_for - known.lead) <= before.late) AS late
        FROM core_order o
        WHERE o.store_id = s.id AND o.owner_id = s.owner_id AND o.status IN ('new', 'preparing', 'ready')
            AND coalesce(o.scheduled_for, o.created_at) BETWEEN $3 AND $2 + known.lead) orders
    CROSS JOIN LATERAL (
        SELECT count(*) AS items, bit_xor(hashtextextended(b.order_line_id || b.state, 0)) AS states,
            max(b.updated_at) AS items_changed_at
        FROM kds_item b
        WHERE b.store_id = s.id AND b.owner_id = s.owner_id AND b.state <> '{ItemState.SERVED}'
            AND b.updated_at >= $3) items
    WHERE s.id = ANY($1)
"""


async def _states(store_ids: list[int]) -> Mapping[int, object]:
    now, known = clock.now(), current()
    rows = await sql.fetch(
        STATES, store_ids, now, board.earliest(now), known.lead_minutes, known.soon_minutes, known.late_minutes
    )
    return {row["id"]: tuple(row) for row in rows}


# Cooks look up when the bell rings at the door: an order is on the screen well within a second.
watch: Final = Watch("kitchen", _states, max_watchers_of_one=MAX_SCREENS, pause_seconds=0.4)


async def snapshot(post: Post) -> LiveMessage:
    """Tell a whole board; how old its tickets are follows from their ``since``.

    A board that became another and the same again has another ``version``, and is told again: a screen shows what was
    tapped on it at once, and has to learn that it was undone.
    """
    states = await _states([post.store_id])
    version = hashlib.blake2b(repr(states.get(post.store_id)).encode(), digest_size=9).hexdigest()
    known, tickets = await board.read(post)
    for ticket in tickets:
        del ticket["age_seconds"]
    limits = {"soon_seconds": known.soon_minutes * 60, "late_seconds": known.late_minutes * 60}
    return LiveMessage("board", {"version": version, **limits, "tickets": tickets})
