"""Counted stock: taken and returned in the order's transaction, and never negative without backorders.

Rows are locked in the order of ``comanda.menu.changes.locks``: items by id, variants by id, the store's, then the
tally's.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from comanda.basics import clock
from comanda.contracts.orders.participants import DraftLine
from comanda.platform.db import sql

StockKey = tuple[str, int]


@dataclass(frozen=True, slots=True)
class StockMove:
    """The result of a stock move: the keys with too little stock, and the changed rows."""

    short: list[StockKey]
    rows: list[sql.Row]


def _build_move_statement(table: str, item_id: str, variant_id: str, may_backorder: str) -> str:
    return f"""
        WITH wanted AS (SELECT * FROM unnest($1::bigint[], $2::int[]) AS w (id, quantity)),
        locked AS (SELECT id FROM {table} WHERE id = ANY($1) AND owner_id = $3 ORDER BY id FOR UPDATE),
        moved AS (
            UPDATE {table} t SET stock = t.stock - w.quantity FROM wanted w, locked l
            WHERE t.id = w.id AND l.id = t.id AND t.owner_id = $3 AND t.store_id = $4
              AND (t.stock IS NULL OR w.quantity < 0 OR t.stock >= w.quantity OR {may_backorder})
            RETURNING t.id, t.stock, w.quantity, {item_id} AS item_id, {variant_id} AS variant_id)
        SELECT id, stock, quantity, item_id, variant_id FROM moved
    """


# An item's setting for backorders also applies to its variants.
MOVE_STOCK = {
    "item": _build_move_statement("core_menu_item", "t.id", "NULL::bigint", "t.allow_backorder"),
    "variant": _build_move_statement(
        "core_variant",
        "t.item_id",
        "t.id",
        "(SELECT i.allow_backorder FROM core_menu_item i WHERE i.id = t.item_id AND i.owner_id = t.owner_id)",
    ),
}
# The menu's version grows only if something sells out or becomes available again; the public menu also shows the stock,
# which has its own version.
BUMP_VERSIONS = """
    UPDATE core_store SET stock_version = stock_version + 1, menu_version = menu_version + $3
    WHERE id = $1 AND owner_id = $2
"""
INSERT_STOCK_CHANGES = """
    INSERT INTO core_stock_change (owner_id, store_id, item_id, variant_id, delta, reason, order_id, changed_at)
    SELECT $1, $2, m.item_id, m.variant_id, m.delta, $6, $7, $8
    FROM unnest($3::bigint[], $4::bigint[], $5::int[]) AS m (item_id, variant_id, delta)
"""


# A line took from the variant's stock, or from its item's if the variant has no stock of its own.
SELECT_STOCKED_LINES = """
    SELECT l.id, l.quantity, l.item_id,
        CASE WHEN v.id IS NULL OR v.stock IS NOT NULL THEN l.variant_id END AS variant_id
    FROM core_order_line l LEFT JOIN core_variant v ON v.id = l.variant_id AND v.owner_id = l.owner_id
    WHERE l.order_id = $1 AND l.owner_id = $2 AND l.takes_stock ORDER BY l.position
"""
# Stock that refunds have returned is neither returned nor taken again.
SELECT_REFUNDED_STOCK = """
    SELECT item_id, variant_id, sum(delta) AS quantity FROM core_stock_change
    WHERE owner_id = $1 AND store_id = $2 AND order_id = $3 AND reason = 'refund' GROUP BY item_id, variant_id
"""


@dataclass(frozen=True, slots=True)
class StockedLine:
    """A line of an order that took counted stock, and how much."""

    id: int
    key: StockKey
    quantity: int


def sum_quantities(lines: Sequence[DraftLine]) -> dict[StockKey, int]:
    """Return the total quantity of each counted stock, so that several lines of one item are checked together."""
    total: defaultdict[StockKey, int] = defaultdict(int)
    for line in lines:
        if line.stock_key is not None:
            total[line.stock_key] += line.quantity
    return dict(total)


async def list_stocked_lines(owner_id: int, order_id: int) -> list[StockedLine]:
    """List the lines of an order that took counted stock."""
    rows = await sql.fetch(SELECT_STOCKED_LINES, order_id, owner_id)
    return [StockedLine(row["id"], _to_key(row), row["quantity"]) for row in rows]


async def sum_held(owner_id: int, store_id: int, order_id: int, lines: Sequence[StockedLine]) -> dict[StockKey, int]:
    """Return how much of each counted stock the lines of an order still hold: less what its refunds have returned."""
    held: defaultdict[StockKey, int] = defaultdict(int)
    for line in lines:
        held[line.key] += line.quantity
    for row in await sql.fetch(SELECT_REFUNDED_STOCK, owner_id, store_id, order_id):
        held[_to_key(row)] -= row["quantity"]
    return {key: quantity for key, quantity in held.items() if quantity > 0}


async def move_stock(owner_id: int, store_id: int, quantities: Mapping[StockKey, int]) -> StockMove:
    """Take ``quantities`` from stock, or return negative ones.

    Runs in the open transaction, which the caller must roll back if ``short`` is not empty.
    """
    short: list[StockKey] = []
    counted: list[sql.Row] = []
    for kind, statement in MOVE_STOCK.items():
        ids = sorted(row_id for key_kind, row_id in quantities if key_kind == kind)
        if not ids:
            continue
        amounts = [quantities[kind, row_id] for row_id in ids]
        rows = await sql.fetch(statement, ids, amounts, owner_id, store_id)
        moved = {row["id"] for row in rows}
        short += [(kind, row_id) for row_id in ids if row_id not in moved]
        counted += [row for row in rows if row["stock"] is not None]
    if counted and not short:
        turned = any((row["stock"] <= 0) != (row["stock"] + row["quantity"] <= 0) for row in counted)
        await sql.execute(BUMP_VERSIONS, store_id, owner_id, int(turned))
    return StockMove(short, counted)


async def record_changes(owner_id: int, store_id: int, moved: StockMove, reason: str, order_id: int | None) -> None:
    """Record a stock move in the history, with the order that it was for, if any."""
    if not moved.rows:
        return
    items = [row["item_id"] for row in moved.rows]
    variants = [row["variant_id"] for row in moved.rows]
    deltas = [-row["quantity"] for row in moved.rows]
    await sql.execute(INSERT_STOCK_CHANGES, owner_id, store_id, items, variants, deltas, reason, order_id, clock.now())


def _to_key(row: sql.Row) -> StockKey:
    return ("item", row["item_id"]) if row["variant_id"] is None else ("variant", row["variant_id"])
