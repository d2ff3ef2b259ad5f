"""How long a new party waits, by a rule that staff can check: from the parties ahead and how long guests sit."""

import math
from datetime import timedelta
from typing import Final

from comanda.basics import clock
from comanda.contracts import Caller
from comanda.platform.db import sql

from comanda_reservations.records import WaitQuote
from comanda_reservations.services import reservation_rules, table_assignments, waiting_parties
from comanda_reservations.services.reservation_rules import ReservationRules

# Fewer parties than these say nothing about how long guests sit.
MIN_RECENT_PARTIES: Final = 5
MAX_RECENT_PARTIES: Final = 20
RECENT: Final = timedelta(days=14)
ROUNDED_TO_MINUTES: Final = 5
MAX_QUOTED_MINUTES: Final = 720

# A reservation that is completed is not changed any more as a rule. What was never completed in time says nothing.
SELECT_RECENT_MINUTES: Final = """
    SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY minutes) AS minutes, count(*) AS parties
    FROM (
        SELECT extract(epoch FROM updated_at - starts_at)::float / 60 AS minutes FROM reservations_reservation
        WHERE store_id = $1 AND owner_id = $2 AND kind = 'table' AND status = 'completed'
            AND starts_at > $3 AND starts_at < $4 AND updated_at BETWEEN starts_at + interval '10 minutes'
            AND starts_at + interval '6 hours'
        ORDER BY starts_at DESC LIMIT $5
    ) AS recent
"""


async def get_quote(caller: Caller, store_id: int, party_size: int) -> WaitQuote:
    """Return the wait of a party that would join now. Raises ``NotFound``."""
    await reservation_rules.require_table_service(caller, store_id, "reservations")
    rules = await reservation_rules.get_reservation_rules(caller.owner_id, store_id)
    return await estimate_wait(caller.owner_id, store_id, rules, party_size)


async def estimate_wait(owner_id: int, store_id: int, rules: ReservationRules, party_size: int) -> WaitQuote:
    """Return the wait of a party that would join now.

    The parties ahead and this one each wait for a table of its size to become free: the time that guests sit, divided
    by the number of such tables, and rounded up to 5 minutes. Nobody waits if nobody is ahead and tables are free.
    """
    ahead = await waiting_parties.count_line(owner_id, store_id)
    span = rules.get_time_span(clock.now())
    plan = await table_assignments.load_table_plan(owner_id, store_id, rules, span)
    if not plan.has_tables:
        return WaitQuote(party_size, ahead, None)
    if ahead == 0 and plan.has_room(span, party_size):
        return WaitQuote(party_size, ahead, 0)
    tables = sum(table.seats >= party_size for table in plan.tables) or 1
    minutes = (ahead + 1) * await _get_usual_minutes(owner_id, store_id, rules) / tables
    rounded = math.ceil(minutes / ROUNDED_TO_MINUTES) * ROUNDED_TO_MINUTES
    return WaitQuote(party_size, ahead, min(rounded, MAX_QUOTED_MINUTES))


async def _get_usual_minutes(owner_id: int, store_id: int, rules: ReservationRules) -> float:
    """Return how long guests sit: the median of recent parties, or the store's ``turn_minutes``."""
    now = clock.now()
    row = await sql.one(SELECT_RECENT_MINUTES, store_id, owner_id, now - RECENT, now, MAX_RECENT_PARTIES)
    if row["parties"] < MIN_RECENT_PARTIES:
        return rules.turn.total_seconds() / 60
    return float(row["minutes"])
