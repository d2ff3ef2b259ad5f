"""Erasure of messages to a person, messages about their orders, and their push devices."""

from typing import Final

from comanda.contracts import Person, PersonalDataEraser
from comanda.platform.db import sql

from comanda_notifications.services.devices import CUSTOMER_KIND

# Messages about an order have the once key ``order:<id>:…``, also those to an unproven address. Messages of the owner's
# other stores are kept; a message without a store may be this store's.
DELETE_MESSAGES_OF_PERSON: Final = """
    DELETE FROM notifications_message WHERE owner_id = $1 AND (store_id = $2 OR store_id IS NULL)
        AND (channel = 'sms' AND address = ANY($3::text[])
             OR channel = 'email' AND lower(address) = ANY($4::text[])
             OR data ->> 'order_id' = ANY($5::text[])
             OR once_key LIKE 'order:%' AND split_part(once_key, ':', 2) = ANY($5::text[])
             OR channel = 'push' AND address IN (
                 SELECT token FROM notifications_device WHERE owner_id = $1 AND kind = $6 AND subject_id = $7))
"""
DELETE_ORDER_DEVICES: Final = (
    "DELETE FROM notifications_order_device WHERE owner_id = $1 AND order_id = ANY($2::bigint[])"
)
DELETE_DEVICES: Final = "DELETE FROM notifications_device WHERE owner_id = $1 AND kind = $2 AND subject_id = $3"


async def erase_person(person: Person) -> None:
    """Delete the messages to a person and about their orders, pending or sent, and the devices of both."""
    account = (CUSTOMER_KIND, person.customer_id)
    order_ids = [str(id) for id in person.order_ids]
    phones, emails = list(person.phones), list(person.emails)
    await sql.execute(DELETE_MESSAGES_OF_PERSON, person.owner_id, person.store_id, phones, emails, order_ids, *account)
    await sql.execute(DELETE_DEVICES, person.owner_id, *account)
    await sql.execute(DELETE_ORDER_DEVICES, person.owner_id, list(person.order_ids))


ERASER: Final = PersonalDataEraser("notifications", erase_person)
