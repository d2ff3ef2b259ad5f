"""Export and erasure of messages to a person, messages about their orders, and their push devices."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from comanda.contracts import Person, PersonalDataEraser
from comanda.platform.db import sql

from comanda_notifications.services.devices import CUSTOMER_KIND

# Messages about an order have the once key ``order:<id>:…``, also those to an unproven address. Messages of the owner's
# other stores are kept; a message without a store may be this store's.
OF_PERSON: Final = """
    owner_id = $1 AND (store_id = $2 OR store_id IS NULL)
        AND (channel = 'sms' AND address = ANY($3::text[])
             OR channel = 'email' AND lower(address) = ANY($4::text[])
             OR data ->> 'order_id' = ANY($5::text[])
             OR once_key LIKE 'order:%' AND split_part(once_key, ':', 2) = ANY($5::text[])
             OR channel = 'push' AND address IN (
                 SELECT token FROM notifications_device WHERE owner_id = $1 AND kind = $6 AND subject_id = $7))
"""
DELETE_MESSAGES_OF_PERSON: Final = f"DELETE FROM notifications_message WHERE {OF_PERSON}"
# The text of a code or a link that logs in is shown to nobody.
SELECT_MESSAGES_OF_PERSON: Final = f"""
    SELECT created_at, purpose, channel, CASE WHEN channel = 'push' THEN NULL ELSE address END AS address,
        CASE WHEN is_secret THEN NULL ELSE subject END AS subject, CASE WHEN is_secret THEN NULL ELSE text END AS text,
        status, finished_at
    FROM notifications_message WHERE {OF_PERSON} ORDER BY id
"""
DELETE_ORDER_DEVICES: Final = (
    "DELETE FROM notifications_order_device WHERE owner_id = $1 AND order_id = ANY($2::bigint[])"
)
DELETE_DEVICES: Final = "DELETE FROM notifications_device WHERE owner_id = $1 AND kind = $2 AND subject_id = $3"


async def export_messages(person: Person) -> Sequence[Mapping[str, Any]]:
    """Return the messages to a person and about their orders that are still kept."""
    return [dict(row) for row in await sql.fetch(SELECT_MESSAGES_OF_PERSON, *_list_values(person))]


async def erase_person(person: Person) -> None:
    """Delete the messages to a person and about their orders, pending or sent, and the devices of both."""
    await sql.execute(DELETE_MESSAGES_OF_PERSON, *_list_values(person))
    await sql.execute(DELETE_DEVICES, person.owner_id, CUSTOMER_KIND, person.customer_id)
    await sql.execute(DELETE_ORDER_DEVICES, person.owner_id, list(person.order_ids))


def _list_values(person: Person) -> list[object]:
    phones, emails = list(person.phones), list(person.emails)
    order_ids = [str(id) for id in person.order_ids]
    return [person.owner_id, person.store_id, phones, emails, order_ids, CUSTOMER_KIND, person.customer_id]


ERASER: Final = PersonalDataEraser("notifications", erase_person, export=export_messages)
