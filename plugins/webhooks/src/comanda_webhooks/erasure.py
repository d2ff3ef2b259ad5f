"""Erasure of personal data from delivery bodies, sent or not, and from the responses of receivers."""

from typing import Final

import orjson
from comanda.contracts import EventRedaction, PersonalDataEraser
from comanda.platform.db import sql

# The body must still begin with {"id":"…", as a redelivery expects.
ANONYMIZE_DELIVERIES: Final = """
    WITH anonymized AS (
        UPDATE webhooks_delivery d
        SET body = '{"id":"' || d.message_id || '",' || substr(
            (jsonb_set(d.body::jsonb - 'id', '{data}', (d.body::jsonb -> 'data') || $5::jsonb))::text, 2)
        WHERE d.owner_id = $1 AND d.event = $2 AND d.body IS NOT NULL
            AND d.body::jsonb -> 'data' ->> $3 = ANY($4::text[])
        RETURNING d.id, d.owner_id)
    UPDATE webhooks_attempt a SET response_snippet = '' FROM anonymized
    WHERE a.delivery_id = anonymized.id AND a.owner_id = anonymized.owner_id
"""


async def anonymize_deliveries(telling: EventRedaction) -> None:
    """Set the personal fields in the bodies of events to null."""
    nulls = orjson.dumps(dict.fromkeys(telling.fields)).decode()
    ids = [str(id) for id in telling.ids]
    await sql.execute(ANONYMIZE_DELIVERIES, telling.owner_id, telling.event, telling.key, ids, nulls)


ERASER: Final = PersonalDataEraser("webhooks", anonymize_events=anonymize_deliveries)
