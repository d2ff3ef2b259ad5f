"""Takes people who are erased out of the bodies that told of them, sent or not, and out of what receivers answered."""

from typing import Final

import orjson
from comanda.contracts.erasure import EventRedaction, Person, PersonalDataEraser
from comanda.db import sql

# A body goes on beginning with {"id":"…", as a redelivery expects.
FORGET: Final = """
    WITH told AS (
        UPDATE webhooks_delivery d
        SET body = '{"id":"' || d.message_id || '",' || substr(
            (jsonb_set(d.body::jsonb - 'id', '{data}', (d.body::jsonb -> 'data') || $5::jsonb))::text, 2)
        WHERE d.owner_id = $1 AND d.event = $2 AND d.body IS NOT NULL
            AND d.body::jsonb -> 'data' ->> $3 = ANY($4::text[])
        RETURNING d.id, d.owner_id)
    UPDATE webhooks_attempt a SET response_snippet = '' FROM told
    WHERE a.delivery_id = told.id AND a.owner_id = told.owner_id
"""


async def erase(person: Person) -> None:
    """Do nothing: bodies are copies of events, and forgotten with them."""


async def anonymize_events(telling: EventRedaction) -> None:
    """Take what is personal from the bodies of events."""
    nulls = orjson.dumps(dict.fromkeys(telling.fields)).decode()
    ids = [str(id) for id in telling.ids]
    await sql.execute(FORGET, telling.owner_id, telling.event, telling.key, ids, nulls)


ERASER: Final = PersonalDataEraser("webhooks", erase, anonymize_events)
