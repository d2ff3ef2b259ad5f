"""Anonymization of a customer's orders and guest records in core, this plugin and all others; amounts are kept."""

from comanda.contracts import Person
from comanda.orders import anonymize_events, anonymize_orders
from comanda.platform import call_plugin, runtime
from comanda.platform.db import sql

from comanda_customers.events import CustomerCreated
from comanda_customers.services.personal_data.persons import list_guests_of

# A phone number as identity is replaced too; the next order with it creates a new guest.
ANONYMIZE_GUESTS = """
    UPDATE customers_guest SET name = NULL, own_name = NULL, search = '', phone = NULL, email = NULL, tags = '{}',
        identity = CASE WHEN identity LIKE 'customer:%' THEN identity ELSE 'erased:' || id END
    WHERE store_id = $1 AND owner_id = $2 AND identity = ANY($3::text[])
"""


async def anonymize_person(person: Person) -> None:
    """Anonymize what is kept of a person whose orders are locked, in the open transaction.

    The customer's own rows, such as the account, are left to the caller.
    """
    await anonymize_orders(person.owner_id, person.order_ids)
    await sql.execute(ANONYMIZE_GUESTS, person.store_id, person.owner_id, list_guests_of(person))
    await anonymize_events(person, CustomerCreated, "id", [person.customer_id])
    for eraser in runtime.registry().erasers:
        if eraser.erase is not None:
            await call_plugin(eraser, "erase", eraser.erase, person)
