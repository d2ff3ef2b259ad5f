"""What erasers share: which rows are a person's, what orders keep for plugins, and the events that told of somebody.

Whoever copies what is known of people from one place to another in the background, from an event to a row of its own,
calls ``lock_for_copying`` first and reads afterwards. Then an erasure comes before the copy, which finds nothing any more, or
after it, and finds both.
"""

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Final

import orjson

from comanda import runtime
from comanda.contracts.erasure import EventRedaction, Person
from comanda.contracts.events import Event, StoredEvent
from comanda.db import sql
from comanda.phones import normalize_phone

# Held together by all who copy, and alone by whoever erases.
LOCK: Final = 7_203_615_448_190_211
# Of a number's digits so many are the same however it is written; what only looks like it is told apart afterwards.
ENDING: Final = 6

COUNTRY: Final = "SELECT country FROM core_store WHERE id = $1 AND owner_id = $2"
# By column; the parameter is what the person has of it.
FITS: Final = {
    "customer_id": "customer_id = {0}::bigint",
    "email": "lower(email) = ANY({0}::text[])",
    "phone": "phone IS NOT NULL AND EXISTS (SELECT FROM unnest({0}::text[]) AS e (ending) "
    "WHERE strpos(regexp_replace(phone, '\\D', '', 'g'), e.ending) > 0)",
}
DROP_FIELDS: Final = """
    UPDATE core_order SET attributes = nullif(attributes - $3::text[], '{}'::jsonb)
    WHERE owner_id = $1 AND id = ANY($2::bigint[]) AND attributes ?| $3::text[]
"""
FORGET_EVENTS: Final = """
    UPDATE core_outbox SET data = data || $5::jsonb, last_error = NULL
    WHERE owner_id = $1 AND name = $2 AND data ->> $3 = ANY($4::text[])
"""
AS_STORED: Final = """
    SELECT o.id, o.data FROM unnest($1::bigint[], $2::bigint[]) AS asked (id, owner_id)
    JOIN core_outbox o ON o.id = asked.id AND o.owner_id = asked.owner_id
"""


async def lock_for_erasure() -> None:
    """Let nobody copy what is known of people until the open transaction ends; comes before any rows are locked."""
    await sql.execute("SELECT pg_advisory_xact_lock($1)", LOCK)


async def lock_for_copying() -> None:
    """Let nobody be erased until the open transaction ends; comes before what is copied is read."""
    await sql.execute("SELECT pg_advisory_xact_lock_shared($1)", LOCK)


async def lock_rows_of(
    person: Person, table: str, by: Collection[str] = ("customer_id", "phone", "email")
) -> list[int]:
    """Lock those rows of one of a plugin's tables that are a person's, and return their ids.

    The table has ``id``, ``owner_id``, ``store_id`` and the columns of ``by``; each column that fits is enough.
    """
    has = {
        "customer_id": person.customer_id,
        "email": list(person.emails),
        "phone": [phone[-ENDING:].lstrip("+") for phone in person.phones],
    }
    fits = " OR ".join(f"({FITS[column].format(f'${number}')})" for number, column in enumerate(by, 3))
    rows = await sql.fetch(
        f"SELECT id, {', '.join(by)} FROM {table} WHERE owner_id = $1 AND store_id = $2 AND ({fits}) "
        "ORDER BY id FOR NO KEY UPDATE",
        person.owner_id,
        person.store_id,
        *(has[column] for column in by),
    )
    country = await sql.fetch_value(COUNTRY, person.store_id, person.owner_id)
    return [row["id"] for row in rows if _is_persons(person, row, by, country)]


async def delete_order_fields(person: Person, *fields: str) -> None:
    """Take fields that modes or participants have added from a person's orders."""
    await sql.execute(DROP_FIELDS, person.owner_id, sorted(person.order_ids), list(fields))


async def anonymize_events(person: Person, event: type[Event], key: str, ids: Collection[int]) -> None:
    """Take what is ``personal`` from events of one type whose payload has one of ``ids`` under ``key``, and of copies.

    Handlers that have not heard them yet hear null, and so do the receivers of what is sent again.
    """
    if not ids:
        return
    telling = EventRedaction(person.owner_id, event.name, key, frozenset(ids), event.personal)
    nulls = orjson.dumps(dict.fromkeys(telling.fields)).decode()
    await sql.execute(FORGET_EVENTS, telling.owner_id, telling.event, key, [str(id) for id in telling.ids], nulls)
    for eraser in runtime.registry().erasers:
        if eraser.anonymize_events is not None:
            await eraser.anonymize_events(telling)


async def reload_events(events: Sequence[StoredEvent]) -> list[StoredEvent]:
    """Return events as they are stored by now; comes after ``lock_for_copying``. Those that are stored no more stay as given."""
    rows = await sql.fetch(AS_STORED, [event.id for event in events], [event.owner_id for event in events])
    data = {row["id"]: orjson.loads(row["data"]) for row in rows}
    return [replace(event, data=data.get(event.id, event.data)) for event in events]


def _is_persons(person: Person, row: sql.Row, by: Collection[str], country: str | None) -> bool:
    return (
        ("customer_id" in by and row["customer_id"] == person.customer_id)
        or ("email" in by and (row["email"] or "").lower() in person.emails)
        or ("phone" in by and normalize_phone(row["phone"] or "", country) in person.phones)
    )
