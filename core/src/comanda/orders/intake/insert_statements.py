"""Statements that insert orders: an order, its lines, number, tally, event and audit entry; or several of one store."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, Final

import orjson

from comanda.orders.events import OrderCreated
from comanda.orders.records import (
    LINE_FIELDS,
    LINE_TYPES,
    ORDER_FIELDS,
    Order,
    PlacementColumns,
    get_column_types,
    list_columns,
)
from comanda.platform.audit_log import entries

# The tally numbers the order, and PostgreSQL identifies it; everything else is a parameter.
ASSIGNED_VALUES: Final = {"number": "last_number", "business_date": "business_date"}
ORDER_PARAMETERS: Final = tuple(name for name in ORDER_FIELDS if name not in {"id", "number"})
PLACEMENT_PARAMETERS: Final = list_columns(PlacementColumns)
COLUMNS: Final = (*ORDER_PARAMETERS, *PLACEMENT_PARAMETERS)
INSERTED_COLUMNS: Final = ("number", *COLUMNS)
LINE_COLUMNS: Final = tuple(name for name in LINE_FIELDS if name != "id")
# The statement's parameters: the order's columns, the lines, the event's data, the menu's version, the audit entry.
PARAMETERS: Final = {
    name: f"${number}" for number, name in enumerate((*COLUMNS, "lines", "event", "menu_version", "entry"), start=1)
}
# What orders that are inserted together have in common; the others are columns of each.
COMMON_COLUMNS: Final = frozenset({"owner_id", "store_id", "business_date"})
COLUMN_TYPES: Final = get_column_types(Order) | get_column_types(PlacementColumns)
OWN_COLUMNS: Final = tuple(name for name in COLUMNS if name not in COMMON_COLUMNS)
OWN_TYPES: Final = ", ".join(f"{name} {COLUMN_TYPES[name]}" for name in OWN_COLUMNS)
# Columns whose parameters are JSON already.
JSON_COLUMNS: Final = frozenset(name for name in OWN_COLUMNS if COLUMN_TYPES[name] == "jsonb")


@dataclass(frozen=True, slots=True)
class OrderRows:
    """What is inserted for one order: the values of ``COLUMNS``, and its lines, event and audit entry as JSON.

    ``menu_version`` is the version that the store's menu must still have, or None.
    """

    owner_id: int
    store_id: int
    business_date: date
    values: Sequence[Any]
    lines: str
    line_count: int
    event: str
    menu_version: int | None
    entry: str | None

    def to_parameters(self) -> list[Any]:
        """Return the parameters of ``INSERT_ORDER``."""
        return [*self.values, self.lines, self.event, self.menu_version, self.entry]

    def to_json(self) -> bytes:
        """Return the order as one of those in the parameter of ``INSERT_ORDERS``."""
        values = dict(zip(COLUMNS, self.values, strict=True))
        for name in COMMON_COLUMNS:
            del values[name]
        for name in JSON_COLUMNS:
            if values[name] is not None:
                values[name] = orjson.Fragment(values[name])
        values["lines"], values["event"] = orjson.Fragment(self.lines), orjson.Fragment(self.event)
        values["entry"] = None if self.entry is None else orjson.Fragment(self.entry)
        return orjson.dumps(values, default=_encode_bytes)


@dataclass(frozen=True, slots=True)
class InsertedOrder:
    """What the database has assigned to an order."""

    id: int
    number: int
    business_date: date
    line_ids: Sequence[int] | None
    audit_entry_id: int | None


def to_common_parameters(orders: Sequence[OrderRows]) -> list[Any]:
    """Return the parameters of ``INSERT_ORDERS`` for orders of one store, menu version and business date."""
    first = orders[0]
    given = b",".join([order.to_json() for order in orders])
    return [first.owner_id, first.store_id, first.menu_version, first.business_date, len(orders), f"[{given.decode()}]"]


def _encode_bytes(value: object) -> str:
    if not isinstance(value, bytes):
        raise TypeError(f"{type(value).__name__} is no column of an order.")
    return f"\\x{value.hex()}"


def _build_insert_order() -> str:
    """Return the statement that inserts an order.

    Nothing is inserted unless the menu still has the version that the order was priced from; null skips the check. The
    tally's row is locked last, so that it is held only until the commit. Its business date never goes back: an order
    priced before the day changed that waits for one priced after it would otherwise restart the numbers.
    """
    of = PARAMETERS
    values = ", ".join(ASSIGNED_VALUES.get(name) or of[name] for name in INSERTED_COLUMNS)
    return f"""
    WITH store AS (
        SELECT id FROM core_store
        WHERE id = {of["store_id"]} AND owner_id = {of["owner_id"]}
          AND ({of["menu_version"]}::bigint IS NULL OR menu_version = {of["menu_version"]})),
    tally AS (
        INSERT INTO core_order_tally AS t (store_id, owner_id, business_date, last_number, new)
        SELECT id, {of["owner_id"]}, {of["business_date"]}, 1, 1 FROM store
        ON CONFLICT (store_id, owner_id) DO UPDATE SET
            last_number = CASE WHEN t.business_date >= EXCLUDED.business_date THEN t.last_number + 1 ELSE 1 END,
            business_date = greatest(t.business_date, EXCLUDED.business_date), new = t.new + 1
        RETURNING last_number, business_date),
    placed AS (
        INSERT INTO core_order ({", ".join(INSERTED_COLUMNS)})
        SELECT {values} FROM tally
        RETURNING id, number, business_date),
    lines AS (
        INSERT INTO core_order_line (owner_id, order_id, {", ".join(LINE_COLUMNS)})
        SELECT {of["owner_id"]}, placed.id, {", ".join(f"l.{name}" for name in LINE_COLUMNS)}
        FROM placed, jsonb_to_recordset({of["lines"]}::jsonb) AS l ({LINE_TYPES})
        RETURNING id, position),
    event AS (
        INSERT INTO core_outbox (owner_id, store_id, name, data, occurred_at, due_at)
        SELECT {of["owner_id"]}, {of["store_id"]}, '{OrderCreated.name}',
            jsonb_build_object('order_id', placed.id, 'number', placed.number) || {of["event"]}::jsonb,
            {of["created_at"]}, now()
        FROM placed),
    entry AS (
        INSERT INTO core_audit_entry (owner_id, occurred_at, store_id, after_ids, outcome, {entries.COLUMNS})
        SELECT {of["owner_id"]}, {of["created_at"]}, {of["store_id"]},
            e.before_ids || jsonb_build_object('restaurant_id', {of["store_id"]}::bigint, 'id', placed.id),
            '{entries.OUTCOME_OK}', {entries.COLUMNS}
        FROM placed, jsonb_to_record({of["entry"]}::jsonb) AS e {entries.RECORD_TYPE}
        WHERE {of["entry"]}::jsonb IS NOT NULL
        RETURNING id)
    SELECT placed.id, placed.number, placed.business_date,
        (SELECT array_agg(id ORDER BY position) FROM lines) AS line_ids, (SELECT id FROM entry) AS audit_entry_id
    FROM placed
"""


INSERT_ORDER: Final = _build_insert_order()


def build_insert_orders(ids: Mapping[str, str] | None = None) -> str:
    """Return the statement that inserts several orders of one store, priced from one menu on one business date.

    Like ``INSERT_ORDER``, with as many numbers from the tally as there are orders, which get them in their order.
    ``ids`` are expressions of the new rows' ids by table: of an order ``o``, or of a line ``l`` of it. Without them
    the database identifies the rows.
    """
    column = "id, " if ids else ""
    row_id = defaultdict(str, {table: f"{value}, " for table, value in (ids or {}).items()})
    common = {"owner_id": "$1", "store_id": "$2", **ASSIGNED_VALUES, "number": "last_number - $5::int + o.ordinal::int"}
    values = ", ".join(common.get(name) or f"o.{name}" for name in INSERTED_COLUMNS)
    parts = ("lines", "event", "entry")
    types = ", ".join([OWN_TYPES, *(f"{part} jsonb" for part in parts)])
    audited = ", ".join(f"e.{name}" for name in entries.COLUMNS.split(", "))
    return f"""
    WITH store AS (
        SELECT id FROM core_store
        WHERE id = $2 AND owner_id = $1 AND ($3::bigint IS NULL OR menu_version = $3)),
    tally AS (
        INSERT INTO core_order_tally AS t (store_id, owner_id, business_date, last_number, new)
        SELECT id, $1, $4::date, $5::int, $5::int FROM store
        ON CONFLICT (store_id, owner_id) DO UPDATE SET
            last_number = CASE WHEN t.business_date >= EXCLUDED.business_date THEN t.last_number ELSE 0 END + $5::int,
            business_date = greatest(t.business_date, EXCLUDED.business_date), new = t.new + $5::int
        RETURNING last_number, business_date),
    given AS MATERIALIZED (
        SELECT o.* FROM ROWS FROM (jsonb_to_recordset($6::jsonb) AS ({types})) WITH ORDINALITY
            AS o ({", ".join([*OWN_COLUMNS, *parts])}, ordinal)),
    inserted AS (
        INSERT INTO core_order ({column}{", ".join(INSERTED_COLUMNS)})
        SELECT {row_id["core_order"]}{values} FROM tally CROSS JOIN given o ORDER BY o.ordinal
        RETURNING id, number, business_date),
    placed AS (
        SELECT i.id, i.number, i.business_date, o.ordinal, o.created_at, o.lines, o.event, o.entry
        FROM tally CROSS JOIN given o JOIN inserted i ON i.number = last_number - $5::int + o.ordinal),
    lines AS (
        INSERT INTO core_order_line ({column}owner_id, order_id, {", ".join(LINE_COLUMNS)})
        SELECT {row_id["core_order_line"]}$1, o.id, {", ".join(f"l.{name}" for name in LINE_COLUMNS)}
        FROM placed o, jsonb_to_recordset(o.lines) AS l ({LINE_TYPES})
        RETURNING id, order_id, position),
    event AS (
        INSERT INTO core_outbox ({column}owner_id, store_id, name, data, occurred_at, due_at)
        SELECT {row_id["core_outbox"]}$1, $2, '{OrderCreated.name}',
            jsonb_build_object('order_id', o.id, 'number', o.number) || o.event, o.created_at, now()
        FROM placed o ORDER BY o.ordinal),
    entry AS (
        INSERT INTO core_audit_entry ({column}owner_id, occurred_at, store_id, after_ids, outcome, {entries.COLUMNS})
        SELECT {row_id["core_audit_entry"]}$1, o.created_at, $2,
            e.before_ids || jsonb_build_object('restaurant_id', $2::bigint, 'id', o.id),
            '{entries.OUTCOME_OK}', {audited}
        FROM placed o, jsonb_to_record(o.entry) AS e {entries.RECORD_TYPE}
        WHERE o.entry IS NOT NULL
        RETURNING id, after_ids)
    SELECT placed.id, placed.number, placed.business_date, own.line_ids, entry.id AS audit_entry_id
    FROM placed
        JOIN (SELECT order_id, array_agg(id ORDER BY position) AS line_ids FROM lines GROUP BY order_id) AS own
            ON own.order_id = placed.id
        LEFT JOIN entry ON (entry.after_ids ->> 'id')::bigint = placed.id
    ORDER BY placed.ordinal
"""


INSERT_ORDERS: Final = build_insert_orders()
