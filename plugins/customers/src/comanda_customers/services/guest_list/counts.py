"""Upkeep of the counts of guests, to which a trigger appends."""

from typing import Final

from comanda.platform.db import sql

MAX_RANGES: Final = 10_000

# A row that is appended meanwhile is kept for the next time, and whoever sums up reads either all rows or their total.
SUM_UP_COUNTS: Final = f"""
    WITH changed AS (
        SELECT DISTINCT owner_id, store_id, spending_range
        FROM (SELECT owner_id, store_id, spending_range FROM customers_guest_count
              WHERE NOT is_total ORDER BY id LIMIT {MAX_RANGES}) AS appended),
    deleted AS (
        DELETE FROM customers_guest_count c USING changed
        WHERE c.owner_id = changed.owner_id AND c.store_id = changed.store_id
            AND c.spending_range = changed.spending_range
        RETURNING c.owner_id, c.store_id, c.spending_range, c.guests)
    INSERT INTO customers_guest_count (owner_id, store_id, spending_range, guests, is_total)
    SELECT owner_id, store_id, spending_range, sum(guests), true FROM deleted
    GROUP BY owner_id, store_id, spending_range HAVING sum(guests) <> 0
"""


async def sum_up_counts() -> int:
    """Replace the rows of each range that has changed by one with their sum; return how many were written."""
    return await sql.execute(SUM_UP_COUNTS)
