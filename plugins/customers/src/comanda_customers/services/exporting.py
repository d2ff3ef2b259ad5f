"""All that a store has of one customer, as one document."""

from typing import Any

import orjson
from comanda import clock
from comanda.contracts.callers import Caller
from comanda.db import sql
from comanda.orders.queries import ORDER_LINES
from comanda.orders.records import ORDER_COLUMNS, to_order_record

from comanda_customers.models import Address, Customer
from comanda_customers.services import contacts, profiles, records
from comanda_customers.services.addresses import record as address_record
from comanda_customers.tokens import CUSTOMER

ORDERS = f"""
    SELECT {ORDER_COLUMNS}, {ORDER_LINES} FROM core_order o
    WHERE o.customer_id = $1 AND o.owner_id = $2 AND o.store_id = $3 ORDER BY o.id DESC
"""
DEVICES = """
    SELECT name, created_at, last_used_at, revoked_at FROM core_access_token
    WHERE owner_id = $1 AND kind = $2 AND subject_id = $3 ORDER BY id DESC
"""
# The owner's notes on whoever ordered by the account, or by the phone number that the customer has proven.
NOTES = """
    SELECT coalesce(own_name, name) AS name, phone, email, tags, visits, orders, first_seen_at, last_seen_at
    FROM customers_guest WHERE store_id = $1 AND owner_id = $2 AND identity = ANY($3::text[]) ORDER BY id
"""


async def of_self(caller: Caller) -> dict[str, Any]:
    """Export the customer of a token. Raises ``NotFound``."""
    return await _export(await profiles.own(caller))


async def of_customer(caller: Caller, store_id: int, customer_id: int) -> dict[str, Any]:
    """Export a customer of the owner's. Raises ``NotFound``."""
    return await _export(await contacts.own(caller, store_id, customer_id))


async def _export(customer: Customer) -> dict[str, Any]:
    owner_id, store_id = customer.owner_id, customer.store_id
    addresses = await Address.filter(owner_id=owner_id, customer_id=customer.id).order_by("-id")
    identities = [f"customer:{customer.id}", *([customer.login_phone] if customer.login_phone else [])]
    orders = await sql.fetch(ORDERS, customer.id, owner_id, store_id)
    return {
        "exported_at": clock.now(),
        "profile": await records.profile(customer),
        "addresses": [address_record(address) for address in addresses],
        "devices": [dict(row) for row in await sql.fetch(DEVICES, owner_id, CUSTOMER.code, customer.id)],
        "guest": [dict(row) for row in await sql.fetch(NOTES, store_id, owner_id, identities)],
        "orders": [to_order_record(row, orjson.loads(row["lines"]), orjson.loads(row["timeline"])) for row in orders],
    }
