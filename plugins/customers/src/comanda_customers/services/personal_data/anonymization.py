"""Anonymization of a customer's orders and guest records in core, this plugin and all others; amounts are kept."""

from collections.abc import Collection
from dataclasses import replace

from comanda.contracts import Person
from comanda.orders import anonymize_events, anonymize_orders, lock_orders_of
from comanda.platform import call_plugin, runtime
from comanda.platform.db import sql

from comanda_customers.events import CustomerCreated
from comanda_customers.services.stores import CustomerStore

# Finds orders placed before the store's country was set, whose phone number is stored in another form.
SELECT_ORDER_IDS_OF_GUESTS = """
    SELECT k.order_id FROM customers_guest g
    JOIN customers_guest_order k ON k.guest_id = g.id AND k.owner_id = g.owner_id
    WHERE g.store_id = $1 AND g.owner_id = $2 AND g.identity = ANY($3::text[])
"""
# A phone number as identity is replaced too; the next order with it creates a new guest.
ANONYMIZE_GUESTS = """
    UPDATE customers_guest SET name = NULL, own_name = NULL, search = '', phone = NULL, email = NULL, tags = '{}',
        identity = CASE WHEN identity LIKE 'customer:%' THEN identity ELSE 'erased:' || id END
    WHERE store_id = $1 AND owner_id = $2 AND identity = ANY($3::text[])
"""


async def anonymize_customer(
    store: CustomerStore, customer_id: int, phones: Collection[str] = (), emails: Collection[str] = ()
) -> None:
    """Anonymize the data of a customer, and of these phones and e-mails, in the open transaction.

    The customer's own rows, such as the account, are left to the caller.
    """
    person = Person(store.owner_id, store.id, customer_id, frozenset(phones), frozenset(emails), frozenset())
    identities = [f"customer:{customer_id}", *sorted(person.phones)]
    person = replace(person, order_ids=await _list_order_ids(person, identities))
    await anonymize_orders(store.owner_id, person.order_ids)
    await sql.execute(ANONYMIZE_GUESTS, store.id, store.owner_id, identities)
    await anonymize_events(person, CustomerCreated, "id", [customer_id])
    for eraser in runtime.registry().erasers:
        if eraser.erase is not None:
            await call_plugin(eraser, "erase", eraser.erase, person)


async def _list_order_ids(person: Person, identities: Collection[str]) -> frozenset[int]:
    ids = set(await lock_orders_of(person))
    noted = await sql.fetch(SELECT_ORDER_IDS_OF_GUESTS, person.store_id, person.owner_id, list(identities))
    return frozenset(ids | {row["order_id"] for row in noted})
