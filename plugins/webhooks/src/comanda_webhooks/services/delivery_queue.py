"""The queue of deliveries that are due, and the notification of the senders."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from datetime import datetime
from operator import attrgetter
from typing import Final

import orjson
from comanda.basics import clock
from comanda.platform.db import sql
from comanda.platform.tasks import notifier

SENDER_CHANNEL: Final = "webhooks"

# A conflict means that an event is handled again after a crash and its delivery exists already. Deliveries of events
# do not wait for the disk: the later commit that marks the event as handled flushes them too, and a delivery that is
# lost before then, even after it was sent, is created again with the same id.
INSERT_DELIVERIES = """
    INSERT INTO webhooks_delivery
        (owner_id, endpoint_id, event_id, message_id, event, body, created_at, next_attempt_at)
    SELECT n.*, $7::timestamptz, $7::timestamptz
    FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::text[], $5::text[], $6::text[]) AS n
    CROSS JOIN (SELECT set_config('synchronous_commit', coalesce($8, current_setting('synchronous_commit')), true)) q
    ON CONFLICT DO NOTHING
"""


@dataclass(frozen=True, slots=True)
class NewDelivery:
    """A delivery to queue. ``event_id`` is None if there is no stored event."""

    owner_id: int
    endpoint_id: int
    event_id: int | None
    message_id: str
    event: str
    body: str


# ``astuple`` would copy each value.
_to_row = attrgetter(*(field.name for field in fields(NewDelivery)))


async def queue_deliveries(deliveries: Iterable[NewDelivery], synchronous_commit: str | None = None) -> None:
    """Create deliveries that are due at once, and notify the senders after the commit."""
    columns = list(zip(*map(_to_row, deliveries), strict=True))
    if columns:
        await sql.execute(INSERT_DELIVERIES, *map(list, columns), clock.now(), synchronous_commit)
        notify_senders()


def encode_body(
    message_id: str,
    event: str,
    created_at: datetime,
    data: Mapping[str, object] | orjson.Fragment,
    name_key: str = "event",
) -> str:
    """Return the JSON body that is stored, signed and sent. ``id`` comes first because a redelivery replaces it."""
    document = {"id": message_id, name_key: event, "created_at": created_at, "data": data}
    return orjson.dumps(document).decode()


def notify_senders() -> None:
    """Notify the senders after the open transaction has committed."""
    notifier.notify(SENDER_CHANNEL)
