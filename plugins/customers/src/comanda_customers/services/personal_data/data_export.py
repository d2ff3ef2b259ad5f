"""Export of all data that a store has about a customer."""

from collections.abc import Mapping, Sequence
from typing import Any

from comanda.accounts import web_sessions
from comanda.basics import clock
from comanda.contracts import Caller, Person
from comanda.orders import ORDER_COLUMNS, ORDER_LINES, to_order
from comanda.platform import call_plugin, runtime
from comanda.platform.db import sql

from comanda_customers.caller_kinds import CUSTOMER
from comanda_customers.models import Address, Customer
from comanda_customers.records.data_exports import DataExport, Device, GuestNotes
from comanda_customers.services import profiles
from comanda_customers.services.addresses import to_saved_address
from comanda_customers.services.guest_list import contacts
from comanda_customers.services.guest_list.identities import Identity
from comanda_customers.services.ordering import saved_carts
from comanda_customers.services.personal_data import persons

SELECT_ORDERS = f"""
    SELECT {ORDER_COLUMNS}, {ORDER_LINES} FROM core_order_v1 o
    WHERE o.id = ANY($1::bigint[]) AND o.owner_id = $2 ORDER BY o.id DESC
"""
SELECT_DEVICES = """
    SELECT name, created_at, last_used_at, revoked_at FROM core_access_token_v1
    WHERE owner_id = $1 AND kind = $2 AND subject_id = $3 ORDER BY id DESC
"""
# The guest records of the account and of the customer's phone numbers.
SELECT_GUEST_NOTES = """
    SELECT coalesce(own_name, name) AS name, phone, email, tags, visits, orders, first_seen_at, last_seen_at
    FROM customers_guest WHERE store_id = $1 AND owner_id = $2 AND identity = ANY($3::text[]) ORDER BY id
"""


async def export_own_data(caller: Caller) -> DataExport:
    """Return all data about the token's customer. Raises ``NotFound``."""
    customer = await profiles.get_own_customer(caller)
    return await _export_data(customer, persons.list_proven_identities(customer))


async def export_customer(caller: Caller, store_id: int, customer_id: int) -> DataExport:
    """Return all data about a customer of the owner's store. Raises ``NotFound``."""
    customer = await contacts.get_customer(caller, store_id, customer_id)
    return await _export_data(customer, persons.list_identities(customer))


async def _export_data(customer: Customer, known: Sequence[Identity]) -> DataExport:
    owner_id, store_id = customer.owner_id, customer.store_id
    person = await persons.find_person(customer, known, locks=False)
    addresses = await Address.filter(owner_id=owner_id, customer_id=customer.id).order_by("-id")
    orders = await sql.fetch(SELECT_ORDERS, sorted(person.order_ids), owner_id)
    devices = await sql.fetch(SELECT_DEVICES, owner_id, CUSTOMER.code, customer.id)
    notes = await sql.fetch(SELECT_GUEST_NOTES, store_id, owner_id, persons.list_guests_of(person))
    return DataExport(
        exported_at=clock.now(),
        profile=await profiles.load_profile(customer),
        addresses=[to_saved_address(address) for address in addresses],
        devices=[sql.to_record(Device, row) for row in devices] + await _list_browsers(customer),
        guest=[sql.to_record(GuestNotes, row) for row in notes],
        cart=await saved_carts.get_cart_of(owner_id, customer.id),
        orders=[to_order(row) for row in orders],
        records=await _export_records(person),
    )


async def _export_records(person: Person) -> dict[str, Sequence[Mapping[str, Any]]]:
    """Return what plugins keep about a person, by the names of their erasers."""
    found = {
        eraser.name: await call_plugin(eraser, "export", eraser.export, person)
        for eraser in runtime.registry().erasers
        if eraser.export is not None
    }
    return {name: records for name, records in found.items() if records}


async def _list_browsers(customer: Customer) -> list[Device]:
    sessions = await web_sessions.list_sessions(customer.owner_id, CUSTOMER.code, customer.id)
    return [Device(one.name, one.created_at, one.last_used_at, None) for one in sessions]
