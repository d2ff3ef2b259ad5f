"""Helpers for personal data erasers: a person's rows, the fields that plugins add to orders, and stored events.

Code that copies personal data in the background, such as from an event to its own row, calls ``lock_for_copying``
before it reads. So an erasure happens either before the copy, which then finds nothing, or after it, and erases both.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

import orjson

from comanda.basics.phones import normalize_phone
from comanda.contracts.background.events import Event, StoredEvent
from comanda.contracts.erasure import DELETED_CUSTOMER, EventRedaction, Person, PersonalDataEraser
from comanda.contracts.orders.status import Status
from comanda.orders.lists.search_grams import GRAMS
from comanda.platform import runtime
from comanda.platform.db import sql
from comanda.platform.plugin_calls import call_plugin

# Shared by copiers, exclusive for erasure.
ERASURE_LOCK_KEY: Final = 7_203_615_448_190_211
# The last digits are the same in every notation of a number; false matches are excluded afterwards.
PHONE_ENDING_LENGTH: Final = 6

# Names and numbers could be guessed from the hash of the body.
ANONYMIZE_ORDERS: Final = f"""
    UPDATE core_order
    SET customer_name = '{DELETED_CUSTOMER}', phone = NULL, address = NULL, note = NULL, body_hash = NULL
    WHERE owner_id = $1 AND id = ANY($2::bigint[])
"""
CLEAR_LINE_NOTES: Final = "UPDATE core_order_line SET note = NULL WHERE owner_id = $1 AND order_id = ANY($2::bigint[])"
CLEAR_CHANGE_NOTES: Final = (
    "UPDATE core_order_change SET note = NULL WHERE owner_id = $1 AND order_id = ANY($2::bigint[])"
)
SELECT_COUNTRY: Final = "SELECT country FROM core_store WHERE id = $1 AND owner_id = $2"
# SQL conditions by column; the parameter is the person's value.
COLUMN_CONDITIONS: Final = {
    "customer_id": "customer_id = {0}::bigint",
    "email": "lower(email) = ANY({0}::text[])",
    "phone": "phone IS NOT NULL AND EXISTS (SELECT FROM unnest({0}::text[]) AS e (ending) "
    "WHERE strpos(regexp_replace(phone, '\\D', '', 'g'), e.ending) > 0)",
}
REPLACE_GRAMS: Final = f"""
    UPDATE core_order_search s SET grams = {GRAMS} FROM core_order o
    WHERE s.owner_id = $1 AND s.order_id = ANY($2::bigint[]) AND o.id = s.order_id AND o.owner_id = s.owner_id
"""
DELETE_ORDER_FIELDS: Final = """
    UPDATE core_order SET attributes = nullif(attributes - $3::text[], '{}'::jsonb)
    WHERE owner_id = $1 AND id = ANY($2::bigint[]) AND attributes ?| $3::text[]
"""
ANONYMIZE_EVENTS: Final = """
    WITH redacted AS (
        UPDATE core_outbox SET data = data || $5::jsonb
        WHERE owner_id = $1 AND name = $2 AND data ->> $3 = ANY($4::text[]) RETURNING id)
    UPDATE core_event_lane l SET last_error = NULL FROM redacted WHERE l.event_id = redacted.id AND l.owner_id = $1
"""
SELECT_EVENTS: Final = """
    SELECT o.id, o.data FROM unnest($1::bigint[], $2::bigint[]) AS requested (id, owner_id)
    JOIN core_outbox o ON o.id = requested.id AND o.owner_id = requested.owner_id
"""

COUNT_OPEN_ORDERS: Final = "SELECT count(*) FROM core_order WHERE owner_id = $1 AND status = ANY($2::text[])"


async def lock_for_erasure() -> None:
    """Block copies of personal data until the open transaction ends. Call it before any rows are locked."""
    await sql.execute("SELECT pg_advisory_xact_lock($1)", ERASURE_LOCK_KEY)


async def lock_for_copying() -> None:
    """Block erasures until the open transaction ends. Call it before the data to copy is read."""
    await sql.execute("SELECT pg_advisory_xact_lock_shared($1)", ERASURE_LOCK_KEY)


async def lock_rows_of(
    person: Person, table: str, by: Collection[str] = ("customer_id", "phone", "email")
) -> list[int]:
    """Lock a person's rows in a plugin's table and return their ids.

    The table has ``id``, ``owner_id``, ``store_id`` and the columns of ``by``; one matching column is enough.
    """
    return [row["id"] for row in await _select_rows_of(person, table, by, (), "FOR NO KEY UPDATE")]


async def find_rows_of(
    person: Person, table: str, columns: Sequence[str], by: Collection[str] = ("customer_id", "phone", "email")
) -> list[Mapping[str, Any]]:
    """Return these columns of the rows that ``lock_rows_of`` would lock, without locking them."""
    rows = await _select_rows_of(person, table, by, columns)
    return [{name: row[name] for name in columns} for row in rows]


async def _select_rows_of(
    person: Person, table: str, by: Collection[str], columns: Sequence[str], lock: str = ""
) -> list[sql.Row]:
    values = {
        "customer_id": person.customer_id,
        "email": list(person.emails),
        "phone": [phone[-PHONE_ENDING_LENGTH:].lstrip("+") for phone in person.phones],
    }
    matching = " OR ".join(f"({COLUMN_CONDITIONS[column].format(f'${number}')})" for number, column in enumerate(by, 3))
    rows = await sql.fetch(
        f"SELECT {', '.join(dict.fromkeys(['id', *by, *columns]))} FROM {table} "
        f"WHERE owner_id = $1 AND store_id = $2 AND ({matching}) ORDER BY id {lock}",
        person.owner_id,
        person.store_id,
        *(values[column] for column in by),
    )
    country = await sql.fetch_value(SELECT_COUNTRY, person.store_id, person.owner_id)
    return [row for row in rows if _belongs_to(person, row, by, country)]


async def lock_orders_of(person: Person) -> list[int]:
    """Lock a person's orders and return their ids."""
    return await lock_rows_of(person, "core_order", by=("customer_id", "phone"))


async def anonymize_orders(owner_id: int, order_ids: Collection[int]) -> None:
    """Remove names, addresses and notes from orders and their lines; amounts are kept."""
    for statement in (ANONYMIZE_ORDERS, REPLACE_GRAMS, CLEAR_LINE_NOTES, CLEAR_CHANGE_NOTES):
        await sql.execute(statement, owner_id, sorted(order_ids))


async def delete_order_fields(person: Person, *fields: str) -> None:
    """Delete fields added by modes or participants from a person's orders."""
    await sql.execute(DELETE_ORDER_FIELDS, person.owner_id, sorted(person.order_ids), list(fields))


async def anonymize_events(person: Person, event: type[Event], key: str, ids: Collection[int]) -> None:
    """Remove the ``personal`` fields of stored events of one type whose payload has one of ``ids`` under ``key``.

    Plugins' copies of the events are included. Later deliveries contain null instead.
    """
    if not ids:
        return
    redaction = EventRedaction(person.owner_id, event.name, key, frozenset(ids), event.personal)
    nulls = orjson.dumps(dict.fromkeys(redaction.fields)).decode()
    await sql.execute(
        ANONYMIZE_EVENTS, redaction.owner_id, redaction.event, key, [str(id) for id in redaction.ids], nulls
    )
    for eraser in runtime.registry().erasers:
        if eraser.anonymize_events is not None:
            await call_plugin(eraser, "anonymize_events", eraser.anonymize_events, redaction)


async def reload_events(events: Sequence[StoredEvent]) -> list[StoredEvent]:
    """Return events as they are stored now, or as given if deleted. Call ``lock_for_copying`` first."""
    rows = await sql.fetch(SELECT_EVENTS, [event.id for event in events], [event.owner_id for event in events])
    data = {row["id"]: orjson.loads(row["data"]) for row in rows}
    return [replace(event, data=data.get(event.id, event.data)) for event in events]


def _belongs_to(person: Person, row: sql.Row, by: Collection[str], country: str | None) -> bool:
    return (
        ("customer_id" in by and row["customer_id"] == person.customer_id)
        or ("email" in by and (row["email"] or "").lower() in person.emails)
        or ("phone" in by and normalize_phone(row["phone"] or "", country) in person.phones)
    )


async def _list_obstacles(owner_id: int) -> Sequence[str]:
    count = await sql.fetch_value(COUNT_OPEN_ORDERS, owner_id, [status for status in Status if status.is_open])
    return [f"Open orders: {count}. Complete or cancel them."] if count else []


ERASER: Final = PersonalDataEraser("orders", list_obstacles=_list_obstacles)
