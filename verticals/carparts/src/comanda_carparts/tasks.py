"""What happens by the clock: vehicles that no item names any more are forgotten."""

from comanda.db import sql

CHUNK = 1000

# One that an item is about to join is locked by it, and stays.
UNNAMED = """
    SELECT f.id, f.owner_id FROM carparts_fitment f
    WHERE f.id > $1 AND NOT EXISTS (
        SELECT FROM carparts_fitment_item l WHERE l.fitment_id = f.id AND l.owner_id = f.owner_id)
    ORDER BY f.id LIMIT $2 FOR UPDATE SKIP LOCKED
"""
# Asked again now that they are locked, for an item may have joined one just before.
FORGET = """
    DELETE FROM carparts_fitment f USING unnest($1::bigint[], $2::bigint[]) AS gone (id, owner_id)
    WHERE f.id = gone.id AND f.owner_id = gone.owner_id AND NOT EXISTS (
        SELECT FROM carparts_fitment_item l WHERE l.fitment_id = f.id AND l.owner_id = f.owner_id)
"""


async def prune() -> int:
    """Delete fitments without items, a chunk per transaction, and return how many went."""
    count, last = 0, 0
    while True:
        async with sql.transaction():
            rows = await sql.fetch(UNNAMED, last, CHUNK)
            if not rows:
                return count
            last = rows[-1]["id"]
            count += await sql.execute(FORGET, [row["id"] for row in rows], [row["owner_id"] for row in rows])
