"""Takes whose they were from orders and guests, and lets every plugin forget the same person; the sums stay."""

from collections.abc import Collection
from dataclasses import replace

from comanda import runtime
from comanda.contracts.erasure import DELETED_CUSTOMER, Person
from comanda.db import sql
from comanda.orders.erasure import anonymize_events, lock_rows_of

from comanda_customers.events import CustomerCreated
from comanda_customers.services.shops import Shop

# What was ordered by a number before the store's country was known: the guest tells whose it is.
BY_GUEST = """
    SELECT k.order_id FROM customers_guest g
    JOIN customers_guest_order k ON k.guest_id = g.id AND k.owner_id = g.owner_id
    WHERE g.store_id = $1 AND g.owner_id = $2 AND g.identity = ANY($3::text[])
"""
# The hash of the body could be tried out on names and numbers.
SCRUB_ORDERS = f"""
    UPDATE core_order SET customer_name = '{DELETED_CUSTOMER}', phone = NULL, address = NULL, note = NULL, body_hash = NULL
    WHERE owner_id = $1 AND id = ANY($2::bigint[])
"""
SCRUB_LINES = "UPDATE core_order_line SET note = NULL WHERE owner_id = $1 AND order_id = ANY($2::bigint[])"
SCRUB_CHANGES = "UPDATE core_order_change SET note = NULL WHERE owner_id = $1 AND order_id = ANY($2::bigint[])"
# A phone number is not kept as an identity either: its next order makes a new guest.
SCRUB_GUESTS = """
    UPDATE customers_guest SET name = NULL, own_name = NULL, search = '', phone = NULL, email = NULL, tags = '{}',
        identity = CASE WHEN identity LIKE 'customer:%' THEN identity ELSE 'erased:' || id END
    WHERE store_id = $1 AND owner_id = $2 AND identity = ANY($3::text[])
"""


async def forget(shop: Shop, customer_id: int, phones: Collection[str] = (), emails: Collection[str] = ()) -> None:
    """Forget a customer in the open transaction, and whatever else was ordered or kept by these numbers and addresses.

    What is the customer's own, such as the account, is left to the caller.
    """
    person = Person(shop.owner_id, shop.id, customer_id, frozenset(phones), frozenset(emails), frozenset())
    identities = [f"customer:{customer_id}", *sorted(person.phones)]
    person = replace(person, order_ids=await _orders(person, identities))
    order_ids = sorted(person.order_ids)
    for statement in (SCRUB_ORDERS, SCRUB_LINES, SCRUB_CHANGES):
        await sql.execute(statement, shop.owner_id, order_ids)
    await sql.execute(SCRUB_GUESTS, shop.id, shop.owner_id, identities)
    await anonymize_events(person, CustomerCreated, "id", [customer_id])
    for eraser in runtime.registry().erasers:
        await eraser.erase(person)


async def _orders(person: Person, identities: Collection[str]) -> frozenset[int]:
    ids = set(await lock_rows_of(person, "core_order", by=("customer_id", "phone")))
    noted = await sql.fetch(BY_GUEST, person.store_id, person.owner_id, list(identities))
    return frozenset(ids | {row["order_id"] for row in noted})
