"""Who a customer is at the store, for all plugins that keep something about them."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from comanda.contracts import Person
from comanda.orders import find_rows_of, lock_orders_of
from comanda.platform.db import sql

from comanda_customers.models import Customer
from comanda_customers.services.guest_list.identities import Identity, IdentityKind

# Finds orders placed before the store's country was set, whose phone number is stored in another form.
SELECT_ORDER_IDS_OF_GUESTS = """
    SELECT k.order_id FROM customers_guest g
    JOIN customers_guest_order k ON k.guest_id = g.id AND k.owner_id = g.owner_id
    WHERE g.store_id = $1 AND g.owner_id = $2 AND g.identity = ANY($3::text[])
"""


def list_identities(customer: Customer) -> list[Identity]:
    """List everything that a customer gave, proven or not."""
    emails, phones = {customer.login_email, customer.email}, {customer.login_phone, customer.phone}
    found: list[Any] = [Identity(IdentityKind.EMAIL, one) for one in emails if one]
    return found + [Identity(IdentityKind.PHONE, one) for one in phones if one]


def list_proven_identities(customer: Customer) -> list[Identity]:
    """List the proven identities; by any other, a customer could read or erase somebody else's records."""
    email = customer.login_email if customer.email_proven_at else None
    found = [Identity(IdentityKind.EMAIL, email)] if email else []
    return found + ([Identity(IdentityKind.PHONE, customer.login_phone)] if customer.login_phone else [])


async def find_person(customer: Customer, known: Iterable[Identity], *, locks: bool) -> Person:
    """Return a customer with all orders that are theirs or of these identities, locked in the open transaction if so.

    With ``locks`` the orders are locked until the open transaction ends.
    """
    by_kind = {kind: frozenset(one.value for one in known if one.kind is kind) for kind in IdentityKind}
    phones, emails = by_kind[IdentityKind.PHONE], by_kind[IdentityKind.EMAIL]
    person = Person(customer.owner_id, customer.store_id, customer.id, phones, emails, frozenset())
    if locks:
        ids = await lock_orders_of(person)
    else:
        ids = [row["id"] for row in await find_rows_of(person, "core_order_v1", ("id",), by=("customer_id", "phone"))]
    noted = await sql.fetch(SELECT_ORDER_IDS_OF_GUESTS, person.store_id, person.owner_id, list_guests_of(person))
    return replace(person, order_ids=frozenset(ids) | {row["order_id"] for row in noted})


def list_guests_of(person: Person) -> list[str]:
    """List under which identities the store's guest records of a person stand."""
    return [f"customer:{person.customer_id}", *sorted(person.phones)]
