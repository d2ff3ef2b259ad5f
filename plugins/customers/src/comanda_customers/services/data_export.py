"""Export of all data that a store has about a customer."""

from typing import Any

import orjson
from comanda import clock
from comanda.contracts.callers import Caller
from comanda.db import sql
from comanda.orders.queries import ORDER_LINES
from comanda.orders.records import ORDER_COLUMNS, to_order_record

from comanda_customers.caller_kinds import CUSTOMER
from comanda_customers.models import Address, Customer
from comanda_customers.services import contacts, profiles
from comanda_customers.services.addresses import to_record as address_record

SELECT_ORDERS = f"""
    SELECT {ORDER_COLUMNS}, {ORDER_LINES} FROM core_order o
    WHERE o.customer_id = $1 AND o.owner_id = $2 AND o.store_id = $3 ORDER BY o.id DESC
"""
SELECT_DEVICES = """
    SELECT name, created_at, last_used_at, revoked_at FROM core_access_token
    WHERE owner_id = $1 AND kind = $2 AND subject_id = $3 ORDER BY id DESC
"""
# The guest records of the account and of the phone number that the customer has proven.
SELECT_GUEST_NOTES = """
    SELECT coalesce(own_name, name) AS name, phone, email, tags, visits, orders, first_seen_at, last_seen_at
    FROM customers_guest WHERE store_id = $1 AND owner_id = $2 AND identity = ANY($3::text[]) ORDER BY id
"""


async def export_own_data(caller: Caller) -> dict[str, Any]:
    """Return all data about the token's customer. Raises ``NotFound``."""
    return await _export_data(await profiles.get_own_customer(caller))


async def export_customer(caller: Caller, store_id: int, customer_id: int) -> dict[str, Any]:
    """Return all data about a customer of the owner's store. Raises ``NotFound``."""
    return await _export_data(await contacts.get_customer(caller, store_id, customer_id))


async def _export_data(customer: Customer) -> dict[str, Any]:
    owner_id, store_id = customer.owner_id, customer.store_id
    addresses = await Address.filter(owner_id=owner_id, customer_id=customer.id).order_by("-id")
    identities = [f"customer:{customer.id}", *([customer.login_phone] if customer.login_phone else [])]
    orders = await sql.fetch(SELECT_ORDERS, customer.id, owner_id, store_id)
    return {
        "exported_at": clock.now(),
        "profile": await profiles.to_profile(customer),
        "addresses": [address_record(address) for address in addresses],
        "devices": [dict(row) for row in await sql.fetch(SELECT_DEVICES, owner_id, CUSTOMER.code, customer.id)],
        "guest": [dict(row) for row in await sql.fetch(SELECT_GUEST_NOTES, store_id, owner_id, identities)],
        "orders": [to_order_record(row, orjson.loads(row["lines"]), orjson.loads(row["timeline"])) for row in orders],
    }
