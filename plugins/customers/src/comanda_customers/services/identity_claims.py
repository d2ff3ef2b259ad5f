"""Whose an e-mail address or phone number is.

What somebody only wrote down is theirs until somebody else proves it. Whoever proves it takes it: together with the
account, unless that has another proven identity, for then somebody else logs in there. With the account they take
neither its password nor its other devices, which may be those of whoever wrote the address down first.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from comanda import clock
from comanda.accounts import services as accounts
from comanda.db import sql

from comanda_customers.models import Customer
from comanda_customers.services.identities import Identity, Kind
from comanda_customers.services.stores import Shop
from comanda_customers.services.tokens import CUSTOMER

LOCK = "SELECT pg_advisory_xact_lock(hashtextextended($1, 0))"


@dataclass(frozen=True, slots=True)
class Claimed:
    """The customer who an identity belongs to now."""

    customer: Customer
    is_new: bool


async def lock(shop: Shop, identities: Sequence[Identity]) -> None:
    """Let nobody else give these identities to anybody until the open transaction ends.

    Comes before all rows but codes, since no index can compare what customers log in by with where they are reached.
    """
    for key in sorted(f"customers {shop.id} {one.kind} {one.value}" for one in identities):
        await sql.execute(LOCK, key)


async def holders(shop: Shop, identity: Identity) -> list[Customer]:
    """List who logs in by an identity, first, or is reached at it; two at the most. Locks their rows."""
    contact, login = identity.kind.value, f"login_{identity.kind}"
    mine = Customer.filter(owner_id=shop.owner_id, store_id=shop.id)
    by_login = await mine.filter(**{login: identity.value}).select_for_update(no_key=True)
    by_contact = await mine.filter(**{contact: identity.value}).select_for_update(no_key=True)
    return [*by_login, *(one for one in by_contact if one.id not in {other.id for other in by_login})]


async def prove(shop: Shop, identity: Identity) -> Claimed:
    """Find or make the customer of somebody who has just proven an identity; its lock is held.

    A new customer is saved with this identity and nothing else; who makes it announces it.
    """
    for holder in await holders(shop, identity):
        if is_proven(holder, identity):
            return Claimed(holder, is_new=False)
        if not has_other_proof(holder, identity):
            return Claimed(await _hand_over(holder, identity), is_new=False)
        await take_away(holder, identity)
    customer = Customer(owner_id=shop.owner_id, store_id=shop.id, created_at=clock.now())
    attach(customer, identity)
    await customer.save()
    return Claimed(customer, is_new=True)


def attach(customer: Customer, identity: Identity) -> None:
    """Let a customer log in by an identity that they have proven, and be reached at it. Does not save."""
    if identity.kind is Kind.PHONE:
        customer.phone = customer.login_phone = identity.value
        return
    customer.email = customer.login_email = identity.value
    customer.email_proven_at = clock.now()


async def take_away(customer: Customer, identity: Identity) -> None:
    """Let a customer be no longer known by an identity that somebody else has proven."""
    if identity.kind is Kind.PHONE:
        customer.phone = customer.login_phone if customer.login_phone != identity.value else None
        customer.login_phone = None if customer.login_phone == identity.value else customer.login_phone
    else:
        if customer.login_email == identity.value:
            customer.login_email = customer.password_hash = customer.email_proven_at = None
        customer.email = customer.login_email
    await customer.save()


def is_proven(customer: Customer, identity: Identity) -> bool:
    """Tell whether the customer has proven the identity and logs in by it."""
    if identity.kind is Kind.PHONE:
        return customer.login_phone == identity.value
    return customer.login_email == identity.value and customer.email_proven_at is not None


def has_other_proof(customer: Customer, identity: Identity) -> bool:
    """Tell whether the customer logs in by another identity that they have proven."""
    proven_email = customer.login_email if customer.email_proven_at is not None else None
    others = {(Kind.PHONE, customer.login_phone), (Kind.EMAIL, proven_email)}
    return any(value is not None and (kind, value) != (identity.kind, identity.value) for kind, value in others)


async def _hand_over(customer: Customer, identity: Identity) -> Customer:
    customer.password_hash = None
    if customer.email_proven_at is None:
        customer.login_email = None
    attach(customer, identity)
    await customer.save()
    await revoke_tokens(customer)
    return customer


async def revoke_tokens(customer: Customer) -> None:
    """Log a customer out on every device."""
    await accounts.revoke_tokens(customer.owner_id, CUSTOMER.code, customer.id)
