"""Packs of batches: taken for orders, first those that expire first, and given back.

The stock of an item is locked before its batches, as orders, receipts and counts all do, so that both stay equal and
nobody waits in a circle.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final

from comanda.platform.db import sql

# An item without variations, or whose variations share its stock, has no variation here.
BatchKey = tuple[int, int | None]

SELECT_FRESH: Final = """
    SELECT id, item_id, variant_id, quantity FROM pharmacy_batch
    WHERE store_id = $1 AND owner_id = $2 AND item_id = ANY($3::bigint[]) AND quantity > 0 AND best_before >= $4
    ORDER BY best_before, id FOR UPDATE
"""
TAKE: Final = """
    WITH used AS (SELECT * FROM unnest($3::bigint[], $4::bigint[], $5::int[]) AS u (line_id, batch_id, quantity)),
    noted AS (
        INSERT INTO pharmacy_batch_use (owner_id, order_id, line_id, batch_id, quantity)
        SELECT $1, $2, line_id, batch_id, quantity FROM used)
    UPDATE pharmacy_batch b SET quantity = b.quantity - t.quantity
    FROM (SELECT batch_id, sum(quantity)::int AS quantity FROM used GROUP BY batch_id) t
    WHERE b.id = t.batch_id AND b.owner_id = $1
"""
SELECT_USES_OF_LINES: Final = """
    SELECT u.id, u.line_id, u.batch_id, u.quantity FROM pharmacy_batch_use u
    JOIN pharmacy_batch b ON b.id = u.batch_id AND b.owner_id = u.owner_id
    WHERE u.owner_id = $1 AND u.line_id = ANY($2::bigint[]) AND NOT u.is_returned
    ORDER BY b.best_before DESC, b.id DESC FOR UPDATE OF u
"""
REDUCE_USES: Final = """
    WITH less AS (SELECT * FROM unnest($2::bigint[], $3::int[]) AS l (id, quantity)),
    gone AS (
        DELETE FROM pharmacy_batch_use u USING less l
        WHERE u.id = l.id AND u.owner_id = $1 AND u.quantity = l.quantity)
    UPDATE pharmacy_batch_use u SET quantity = u.quantity - l.quantity
    FROM less l WHERE u.id = l.id AND u.owner_id = $1 AND u.quantity > l.quantity
"""
GIVE_BACK: Final = """
    UPDATE pharmacy_batch b SET quantity = b.quantity + l.quantity
    FROM unnest($2::bigint[], $3::int[]) AS l (id, quantity) WHERE b.id = l.id AND b.owner_id = $1
"""
RETURN_ORDER: Final = """
    WITH returned AS (
        UPDATE pharmacy_batch_use SET is_returned = true
        WHERE order_id = $1 AND owner_id = $2 AND NOT is_returned RETURNING batch_id, quantity)
    UPDATE pharmacy_batch b SET quantity = b.quantity + r.quantity
    FROM (SELECT batch_id, sum(quantity)::int AS quantity FROM returned GROUP BY batch_id) r
    WHERE b.id = r.batch_id AND b.owner_id = $2
"""
REMOVE_RETURNED: Final = """
    WITH removed AS (
        DELETE FROM pharmacy_batch_use WHERE order_id = $1 AND owner_id = $2 AND is_returned
        RETURNING line_id, batch_id, quantity)
    SELECT r.line_id, b.item_id, b.variant_id, sum(r.quantity)::int AS quantity
    FROM removed r JOIN pharmacy_batch b ON b.id = r.batch_id AND b.owner_id = $2
    GROUP BY r.line_id, b.item_id, b.variant_id ORDER BY r.line_id
"""
MOVE_USES: Final = "UPDATE pharmacy_batch_use SET order_id = $3 WHERE order_id = $1 AND owner_id = $2"


@dataclass(frozen=True, slots=True)
class Wanted:
    """The packs that a line of an order needs."""

    line_id: int
    key: BatchKey
    quantity: int


async def take_packs(
    owner_id: int, store_id: int, order_id: int, wanted: Sequence[Wanted], today: date
) -> set[BatchKey]:
    """Take packs that have not expired for lines of an order, earliest date first, in the open transaction.

    Return the keys of which there are too few, of which the caller must make the transaction fail.
    """
    if not wanted:
        return set()
    item_ids = sorted({each.key[0] for each in wanted})
    rows = await sql.fetch(SELECT_FRESH, store_id, owner_id, item_ids, today)
    left = {row["id"]: row["quantity"] for row in rows}
    uses: list[tuple[int, int, int]] = []
    short: set[BatchKey] = set()
    for each in wanted:
        missing = each.quantity
        for row in rows:
            if missing and (row["item_id"], row["variant_id"]) == each.key and left[row["id"]]:
                taken = min(missing, left[row["id"]])
                left[row["id"]] -= taken
                missing -= taken
                uses.append((each.line_id, row["id"], taken))
        if missing:
            short.add(each.key)
    if not short:
        await sql.execute(TAKE, owner_id, order_id, *(list(column) for column in zip(*uses, strict=True)))
    return short


async def release_packs(owner_id: int, released: dict[int, int], *, kept: dict[int, int]) -> None:
    """Take packs off lines, in the open transaction: ``released`` by line go back to their batch, ``kept`` are lost.

    Those with the latest date come off first.
    """
    rows = await sql.fetch(SELECT_USES_OF_LINES, owner_id, sorted({*released, *kept}))
    less: list[tuple[int, int]] = []
    back: dict[int, int] = {}
    for row in rows:
        line_id, quantity = row["line_id"], row["quantity"]
        returned = min(quantity, released.get(line_id, 0))
        lost = min(quantity - returned, kept.get(line_id, 0))
        if returned:
            released[line_id] -= returned
            back[row["batch_id"]] = back.get(row["batch_id"], 0) + returned
        if lost:
            kept[line_id] -= lost
        if returned or lost:
            less.append((row["id"], returned + lost))
    if less:
        await sql.execute(REDUCE_USES, owner_id, *(list(column) for column in zip(*less, strict=True)))
    if back:
        await sql.execute(GIVE_BACK, owner_id, list(back), list(back.values()))


async def return_order(owner_id: int, order_id: int) -> None:
    """Give back all packs of an order, in the open transaction."""
    await sql.execute(RETURN_ORDER, order_id, owner_id)


async def take_again(owner_id: int, store_id: int, order_id: int, today: date) -> set[BatchKey]:
    """Take packs for an order that had given them back, like ``take_packs``."""
    rows = await sql.fetch(REMOVE_RETURNED, order_id, owner_id)
    wanted = [Wanted(row["line_id"], (row["item_id"], row["variant_id"]), row["quantity"]) for row in rows]
    return await take_packs(owner_id, store_id, order_id, wanted, today)


async def move_uses(owner_id: int, order_id: int, into: int) -> None:
    """Move the packs of an order to another one, which takes its lines over."""
    await sql.execute(MOVE_USES, order_id, owner_id, into)
