"""Expired batches: their packs leave the stock on the day after their best-before date, so that nobody orders them."""

from datetime import timedelta
from typing import Final

from comanda.basics import clock
from comanda.platform.db import sql

from comanda_pharmacy.services.batches import write_off

BATCH_SIZE: Final = 500
# The day begins first in the far east, so that the index leaves few rows to look at.
SELECT_EXPIRED: Final = """
    SELECT b.id, b.owner_id, b.store_id FROM pharmacy_batch b
    JOIN core_store_v1 s ON s.id = b.store_id AND s.owner_id = b.owner_id
    WHERE b.quantity > 0 AND b.best_before < $1::date
      AND b.best_before < ($2::timestamptz AT TIME ZONE s.timezone)::date
    ORDER BY b.best_before, b.id LIMIT $3
"""


async def write_off_expired() -> int:
    """Take the packs of expired batches out of the stock, each batch in a transaction, and return how many batches."""
    total = 0
    while True:
        moment = clock.now()
        rows = await sql.fetch(SELECT_EXPIRED, (moment + timedelta(days=1)).date(), moment, BATCH_SIZE)
        for row in rows:
            await write_off(row["owner_id"], row["store_id"], row["id"])
        total += len(rows)
        if len(rows) < BATCH_SIZE:
            return total
