"""Forgets messages: to somebody who is erased, about their orders, and to the devices that they were logged in on."""

from collections.abc import Collection
from typing import Final

from comanda.contracts.erasure import Person, PersonalDataEraser
from comanda.contracts.messaging import CHANNELS
from comanda.db import sql

# The kind of the tokens of customers, who are the plugin customers'.
CUSTOMER: Final = "customer"

# The index holds the beginnings of addresses.
FORGET: Final = """
    DELETE FROM notifications_message
    WHERE owner_id = $1 AND channel = ANY($3::text[]) AND left(address, 320) = ANY($2::text[]) AND purpose = $4
"""
# Messages about an order are stored once under ``order:<id>:…``, also those to an address that nobody has proven.
# What another store of the owner's sent is that store's; a message of no store may be this one's.
FORGET_PERSON: Final = """
    DELETE FROM notifications_message WHERE owner_id = $1 AND (store_id = $2 OR store_id IS NULL)
        AND (channel = 'sms' AND address = ANY($3::text[])
             OR channel = 'email' AND lower(address) = ANY($4::text[])
             OR data ->> 'order_id' = ANY($5::text[])
             OR once_key LIKE 'order:%' AND split_part(once_key, ':', 2) = ANY($5::text[])
             OR channel = 'push' AND address IN (
                 SELECT token FROM notifications_device WHERE owner_id = $1 AND kind = $6 AND subject_id = $7))
"""
FORGET_DEVICES: Final = "DELETE FROM notifications_device WHERE owner_id = $1 AND kind = $2 AND subject_id = $3"


async def forget(addresses: Collection[str], *, owner_id: int, purpose: str) -> None:
    """Delete an owner's messages of one purpose to these addresses, with their attempts."""
    await sql.execute(FORGET, owner_id, [address[:320] for address in addresses], list(CHANNELS), purpose)


async def erase(person: Person) -> None:
    """Delete the messages to a person and about their orders, waiting or sent, and the devices of the account."""
    who = (CUSTOMER, person.customer_id)
    order_ids = [str(id) for id in person.order_ids]
    phones, emails = list(person.phones), list(person.emails)
    await sql.execute(FORGET_PERSON, person.owner_id, person.store_id, phones, emails, order_ids, *who)
    await sql.execute(FORGET_DEVICES, person.owner_id, *who)


ERASER: Final = PersonalDataEraser("notifications", erase)
