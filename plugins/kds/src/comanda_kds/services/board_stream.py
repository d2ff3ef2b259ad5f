"""The live board: detection of changes, and the snapshot that is sent."""

import hashlib
from collections.abc import AsyncGenerator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Final

from comanda.basics import clock
from comanda.contracts import to_wire
from comanda.platform.db import sql
from comanda.platform.http import LiveMessage, Watch

from comanda_kds.models import ItemState
from comanda_kds.schemas import BoardEvent
from comanda_kds.services import board
from comanda_kds.services.station_assignments import StationAssignment
from comanda_kds.settings import get_settings

MAX_SCREENS: Final = 50

# A fingerprint of each board: orders and their statuses, items and their states, the latest changes, the numbers of
# tickets that are soon late and late, what is voided and not seen, when courses will be fired, and the versions of the
# configuration. It reads the index ranges of the board.
SELECT_BOARD_STATES: Final = f"""
    SELECT s.id, s.menu_version, c.version, orders.*, items.*, starts.*, voids.*, times.*
    FROM unnest($1::bigint[], $7::bigint[]) AS watched (id, owner_id)
    JOIN core_store_v1 s ON s.id = watched.id AND s.owner_id = watched.owner_id
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
        FROM core_order_v1 o
        WHERE o.store_id = s.id AND o.owner_id = s.owner_id AND o.status IN ('new', 'preparing', 'ready')
            AND coalesce(o.scheduled_for, o.created_at) BETWEEN $3 AND $2 + known.lead) orders
    CROSS JOIN LATERAL (
        SELECT count(*) AS items, bit_xor(hashtextextended(b.order_line_id || b.state, 0)) AS states,
            max(b.updated_at) AS items_changed_at
        FROM kds_item b
        WHERE b.store_id = s.id AND b.owner_id = s.owner_id AND b.state <> '{ItemState.SERVED}'
            AND b.updated_at >= $3) items
    CROSS JOIN LATERAL (
        SELECT count(*) AS starts, max(at) AS started_last, count(*) FILTER (WHERE at <= before.soon) AS started_soon,
            count(*) FILTER (WHERE at <= before.late) AS started_late
        FROM (
            SELECT r.placed_at AS at FROM kds_round r
            WHERE r.store_id = s.id AND r.owner_id = s.owner_id AND r.placed_at >= $3
            UNION ALL
            SELECT f.fired_at FROM kds_course f
            WHERE f.store_id = s.id AND f.owner_id = s.owner_id AND f.fired_at >= $3) later) starts
    CROSS JOIN LATERAL (
        SELECT count(*) AS voids, bit_xor(hashtextextended(v.id::text, 0)) AS void_ids
        FROM kds_void v
        WHERE v.store_id = s.id AND v.owner_id = s.owner_id AND v.seen_at IS NULL AND v.voided_at >= $3) voids
    CROSS JOIN LATERAL (
        SELECT count(*) AS times, bit_xor(hashtextextended(f.id || f.fire_at::text, 0)) AS fire_times
        FROM kds_course f
        WHERE f.store_id = s.id AND f.owner_id = s.owner_id AND f.fire_at IS NOT NULL) times
"""


@dataclass(frozen=True, slots=True)
class BoardKey:
    """The store whose board is watched."""

    owner_id: int
    store_id: int


async def _load_states(keys: list[BoardKey]) -> Mapping[BoardKey, object]:
    now, defaults = clock.now(), get_settings()
    rows = await sql.fetch(
        SELECT_BOARD_STATES,
        [key.store_id for key in keys],
        now,
        board.get_earliest_time(now),
        defaults.lead_minutes,
        defaults.soon_minutes,
        defaults.late_minutes,
        [key.owner_id for key in keys],
    )
    states = {row["id"]: tuple(row) for row in rows}
    return {key: states[key.store_id] for key in keys if key.store_id in states}


board_watch: Final = Watch("kitchen", _load_states, max_watchers_of_one=MAX_SCREENS)


def stream_board(assignment: StationAssignment, last_event_id: str | None = None) -> AsyncGenerator[bytes, None]:
    """Stream the board as events; screens of the same stations share what is loaded. Raises ``Unavailable``."""
    key = BoardKey(assignment.owner_id, assignment.store_id)
    board_watch.check_room(key)
    render = partial(build_snapshot, assignment)
    return board_watch.stream(key, render, last_event_id, store_id=key.store_id, view=assignment)


async def build_snapshot(assignment: StationAssignment, state: object) -> LiveMessage:
    """Return the whole board as a message; the age of a ticket follows from its ``since``.

    A board that changed and changed back has another ``version`` and is sent again: a screen shows taps before they are
    confirmed, and has to notice that one was undone.
    """
    version = hashlib.blake2b(repr(state).encode(), digest_size=9).hexdigest()
    return LiveMessage("board", {"version": version, **to_wire(BoardEvent, await board.load_board(assignment))})
