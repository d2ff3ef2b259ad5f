"""Batches of a pharmacy: received, counted and listed; each change of packs moves the item's stock with them."""

from dataclasses import dataclass
from datetime import date
from typing import Final

from comanda.basics import Sentence, ValidationFailed, clock
from comanda.contracts import Caller, PageRequest, RecordPage
from comanda.orders import stock
from comanda.platform.db import sql

from comanda_pharmacy.records import Batch, BatchItem
from comanda_pharmacy.schemas import BatchChange, BatchItemQuery, BatchQuery, ReceiptBody
from comanda_pharmacy.services.pharmacies import get_today, require_pharmacy

SELECT_BATCHES: Final = """
    SELECT b.id, b.item_id, i.name AS item, b.variant_id AS variation_id, v.name AS variation, b.number,
        b.best_before, b.quantity, b.best_before < $3 AS is_expired, b.received_at
    FROM pharmacy_batch b JOIN core_menu_item_v1 i ON i.id = b.item_id AND i.owner_id = b.owner_id
    LEFT JOIN core_variant_v1 v ON v.id = b.variant_id AND v.owner_id = b.owner_id
    WHERE b.store_id = $1 AND b.owner_id = $2
"""
FILTER: Final = """
    AND ($4::bigint IS NULL OR b.item_id = $4) AND ($5::text IS NULL OR b.number ILIKE $5)
    AND CASE $6 WHEN 'left' THEN b.quantity > 0 WHEN 'expired' THEN b.quantity > 0 AND b.best_before < $3 ELSE true END
"""
SELECT_PAGE: Final = f"{SELECT_BATCHES} {FILTER} ORDER BY b.best_before, b.id LIMIT $7 OFFSET $8"
COUNT_BATCHES: Final = f"""
    SELECT count(*) FROM pharmacy_batch b WHERE b.store_id = $1 AND b.owner_id = $2 {FILTER}
"""
SELECT_ONE: Final = f"{SELECT_BATCHES} AND b.id = $4"
SELECT_ITEM: Final = """
    SELECT i.name, v.id AS variant_id,
        coalesce((i.attributes ->> 'is_sold_by_batch')::boolean, false) AS is_sold_by_batch
    FROM core_menu_item_v1 i
    LEFT JOIN core_variant_v1 v ON v.id = $4 AND v.item_id = i.id AND v.owner_id = i.owner_id
    WHERE i.id = $1 AND i.owner_id = $2 AND i.store_id = $3
"""
SUM_BATCHES: Final = """
    SELECT coalesce(sum(quantity), 0)::bigint FROM pharmacy_batch
    WHERE item_id = $1 AND owner_id = $2 AND variant_id IS NOT DISTINCT FROM $3
"""
# An item, or each of its variations that have a stock of their own. Codes are compared without leading zeros.
FROM_ITEMS: Final = """
    FROM core_menu_item_v1 i
    LEFT JOIN core_variant_v1 v ON v.item_id = i.id AND v.owner_id = i.owner_id AND v.stock IS NOT NULL
    WHERE i.store_id = $1 AND i.owner_id = $2 AND (i.attributes ->> 'is_sold_by_batch')::boolean
      AND ($3::text IS NULL OR i.name ILIKE $3 OR EXISTS (
        SELECT FROM core_variant_v1 c WHERE c.item_id = i.id AND c.owner_id = i.owner_id
          AND ltrim(c.barcode, '0') = ltrim($4, '0') AND (v.id IS NULL OR v.id = c.id)))
"""
SELECT_ITEMS: Final = f"""
    SELECT i.id AS item_id, i.name AS item, v.id AS variation_id, v.name AS variation,
        coalesce(v.stock, i.stock) AS stock, (
            SELECT coalesce(sum(b.quantity), 0)::int FROM pharmacy_batch b
            WHERE b.item_id = i.id AND b.owner_id = i.owner_id AND b.variant_id IS NOT DISTINCT FROM v.id) AS in_batches
    {FROM_ITEMS} ORDER BY i.name, i.id, v.position, v.id LIMIT $5 OFFSET $6
"""
COUNT_ITEMS: Final = f"SELECT count(*) {FROM_ITEMS}"
RECEIVE: Final = """
    INSERT INTO pharmacy_batch AS b
        (owner_id, store_id, item_id, variant_id, number, best_before, quantity, received_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
    ON CONFLICT (item_id, owner_id, variant_id, number) DO UPDATE
    SET quantity = b.quantity + excluded.quantity, received_at = excluded.received_at
    WHERE b.best_before = excluded.best_before AND b.quantity + excluded.quantity <= 1000000
    RETURNING id
"""
SELECT_KEY: Final = "SELECT item_id, variant_id FROM pharmacy_batch WHERE id = $1 AND owner_id = $2 AND store_id = $3"
LOCK_QUANTITY: Final = "SELECT quantity FROM pharmacy_batch WHERE id = $1 AND owner_id = $2 FOR UPDATE"
UPDATE_BATCH: Final = """
    UPDATE pharmacy_batch SET quantity = $3, best_before = coalesce($4, best_before) WHERE id = $1 AND owner_id = $2
"""
# What the column of the stock holds.
MAX_STOCK: Final = 2**31 - 1
RECEIPT, COUNT, EXPIRED = "batch_received", "batch_counted", "batch_expired"


@dataclass(frozen=True, slots=True)
class BatchPlace:
    """Whose stock the packs of a batch are: an item's or a variation's of a store."""

    owner_id: int
    store_id: int
    item_id: int
    variant_id: int | None

    @property
    def key(self) -> stock.StockKey:
        """The counted stock."""
        return ("item", self.item_id) if self.variant_id is None else ("variant", self.variant_id)


async def list_batches(caller: Caller, store_id: int, query: BatchQuery, page: PageRequest) -> RecordPage[Batch]:
    """List a store's batches, those that expire first at the top, 20 per page. Raises ``NotFound``."""
    today = get_today(await require_pharmacy(caller, store_id))
    filters = (store_id, caller.owner_id, today, query.item_id, _to_pattern(query.search), query.show)
    rows = await sql.fetch(SELECT_PAGE, *filters, page.size(), page.offset())
    return page.of([Batch(**row) for row in rows], await sql.fetch_value(COUNT_BATCHES, *filters))


async def list_items(caller: Caller, store_id: int, query: BatchItemQuery, page: PageRequest) -> RecordPage[BatchItem]:
    """List the items that are sold by batch, with their stock and what of it is in batches. Raises ``NotFound``."""
    await require_pharmacy(caller, store_id)
    filters = (store_id, caller.owner_id, _to_pattern(query.search), query.search)
    rows = await sql.fetch(SELECT_ITEMS, *filters, page.size(), page.offset())
    return page.of([BatchItem(**row) for row in rows], await sql.fetch_value(COUNT_ITEMS, *filters))


async def get_batch(caller: Caller, store_id: int, batch_id: int) -> Batch:
    """Return a batch. Raises ``NotFound``."""
    today = get_today(await require_pharmacy(caller, store_id))
    return await _get_batch(caller, store_id, batch_id, today)


async def receive(caller: Caller, store_id: int, body: ReceiptBody) -> Batch:
    """Enter packs of a batch that have come in, or that are in the stock already, and return the batch.

    Packs of a batch that the store has already are added to it. Raises ``NotFound``; ``ValidationFailed`` for an item
    that is not sold by batch or whose stock is not counted, another best-before date of the batch, and more packs of
    the stock than have no batch.
    """
    today = get_today(await require_pharmacy(caller, store_id))
    place = await _find_place(caller, store_id, body)
    async with sql.transaction():
        if body.is_in_stock:
            await _require_unbatched(place, body.quantity)
        else:
            await _move_stock(place, body.quantity, RECEIPT)
        values = (body.number, body.best_before, body.quantity, clock.now())
        batch_id = await sql.fetch_value(
            RECEIVE, place.owner_id, place.store_id, place.item_id, place.variant_id, *values
        )
        if batch_id is None:
            raise ValidationFailed(best_before=[Sentence("This batch has another date, or too many packs.")])
        return await _get_batch(caller, store_id, batch_id, today)


async def count(caller: Caller, store_id: int, batch_id: int, body: BatchChange) -> Batch:
    """Set how many packs of a batch there are, and its date; the item's stock changes with them.

    Raises ``NotFound``, and ``ValidationFailed`` if the stock has less than is taken off.
    """
    today = get_today(await require_pharmacy(caller, store_id))
    async with sql.transaction():
        row = await sql.require_one(SELECT_KEY, batch_id, caller.owner_id, store_id)
        place = BatchPlace(caller.owner_id, store_id, row["item_id"], row["variant_id"])
        # The stock is locked before the batch, as orders do.
        await _lock_stock(place)
        before = await sql.fetch_value(LOCK_QUANTITY, batch_id, caller.owner_id)
        if body.quantity != before:
            await _move_stock(place, body.quantity - before, COUNT)
        await sql.execute(UPDATE_BATCH, batch_id, caller.owner_id, body.quantity, body.best_before)
        return await _get_batch(caller, store_id, batch_id, today)


async def write_off(owner_id: int, store_id: int, batch_id: int) -> None:
    """Take an expired batch out of the stock, as far as the stock has its packs. One that is gone is left alone."""
    async with sql.transaction():
        row = await sql.fetch_one(SELECT_KEY, batch_id, owner_id, store_id)
        if row is None:
            return
        place = BatchPlace(owner_id, store_id, row["item_id"], row["variant_id"])
        counted = (await stock.move_stock(owner_id, store_id, {place.key: 0})).rows
        quantity = await sql.fetch_value(LOCK_QUANTITY, batch_id, owner_id)
        lost = min(quantity, counted[0]["stock"]) if counted else 0
        if lost > 0:
            await _move_stock(place, -lost, EXPIRED)
        await sql.execute(UPDATE_BATCH, batch_id, owner_id, 0, None)


async def _get_batch(caller: Caller, store_id: int, batch_id: int, today: date) -> Batch:
    row = await sql.require_one(SELECT_ONE, store_id, caller.owner_id, today, batch_id)
    return Batch(**row)


async def _find_place(caller: Caller, store_id: int, body: ReceiptBody) -> BatchPlace:
    row = await sql.fetch_one(SELECT_ITEM, body.item_id, caller.owner_id, store_id, body.variation)
    if row is None:
        raise ValidationFailed(item_id=[Sentence("This store has no item %(id)s.", id=body.item_id)])
    if body.variation is not None and row["variant_id"] is None:
        raise ValidationFailed(
            variation=[Sentence("%(item)s has no variation %(id)s.", item=row["name"], id=body.variation)]
        )
    if not row["is_sold_by_batch"]:
        raise ValidationFailed(item_id=[Sentence("%(item)s is not sold by batch.", item=row["name"])])
    return BatchPlace(caller.owner_id, store_id, body.item_id, body.variation)


async def _require_unbatched(place: BatchPlace, quantity: int) -> None:
    counted = await _lock_stock(place)
    known = await sql.fetch_value(SUM_BATCHES, place.item_id, place.owner_id, place.variant_id)
    if counted - known < quantity:
        text = Sentence("Only %(number)s of the stock have no batch.", number=max(counted - known, 0))
        raise ValidationFailed(quantity=[text])


async def _lock_stock(place: BatchPlace) -> int:
    """Lock a counted stock and return it. Raises ``ValidationFailed`` if it is not counted."""
    moved = await stock.move_stock(place.owner_id, place.store_id, {place.key: 0})
    return _get_counted(moved)


async def _move_stock(place: BatchPlace, added: int, reason: str) -> None:
    if await _lock_stock(place) + added > MAX_STOCK:
        raise ValidationFailed(quantity=[Sentence("The stock cannot have so many.")])
    moved = await stock.move_stock(place.owner_id, place.store_id, {place.key: -added})
    if moved.short:
        raise ValidationFailed(quantity=[Sentence("The stock has less than this would take off.")])
    await stock.record_changes(place.owner_id, place.store_id, moved, reason, None)


def _get_counted(moved: stock.StockMove) -> int:
    if not moved.rows:
        raise ValidationFailed(item_id=[Sentence("The stock of this item is not counted. Set its stock first.")])
    return int(moved.rows[0]["stock"])


def _to_pattern(search: str | None) -> str | None:
    if not search:
        return None
    escaped = search.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
    return f"%{escaped}%"
