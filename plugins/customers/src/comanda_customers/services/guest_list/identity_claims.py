"""Ownership of e-mail addresses and phone numbers.

An identity that was entered without proof belongs to a customer until somebody else proves it. Proving it claims the
whole customer record, unless that has another verified identity, because then another person logs in to it. A claimed
record loses its password and its other devices, which may belong to the person who entered the identity first.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from comanda.accounts import services as accounts
from comanda.accounts import web_sessions
from comanda.basics import clock
from comanda.platform.db import sql

from comanda_customers.caller_kinds import CUSTOMER
from comanda_customers.models import Customer
from comanda_customers.services.guest_list.identities import Identity, IdentityKind
from comanda_customers.services.stores import CustomerStore

LOCK_IDENTITY = "SELECT pg_advisory_xact_lock(hashtextextended($1, 0))"


@dataclass(frozen=True, slots=True)
class IdentityClaim:
    """The customer that a verified identity belongs to."""

    customer: Customer
    is_new: bool


async def lock_identities(store: CustomerStore, identities: Sequence[Identity]) -> None:
    """Lock these identities against concurrent assignment until the open transaction ends.

    Taken before all row locks but those of codes; no unique index spans login and contact columns.
    """
    for key in sorted(f"customers {store.id} {one.kind} {one.value}" for one in identities):
        await sql.execute(LOCK_IDENTITY, key)


async def lock_customers_with_identity(store: CustomerStore, identity: Identity) -> list[Customer]:
    """List and lock the customers with an identity: by login first, then by contact; at most two."""
    contact, login = identity.kind.value, f"login_{identity.kind}"
    mine = Customer.filter(owner_id=store.owner_id, store_id=store.id)
    by_login = await mine.filter(**{login: identity.value}).select_for_update(no_key=True)
    by_contact = await mine.filter(**{contact: identity.value}).select_for_update(no_key=True)
    return [*by_login, *(one for one in by_contact if one.id not in {other.id for other in by_login})]


async def claim_identity(store: CustomerStore, identity: Identity) -> IdentityClaim:
    """Return the customer for an identity that was just verified, creating one if needed; its lock is held.

    A new customer is saved with this identity only; the caller publishes ``CustomerCreated``.
    """
    for customer in await lock_customers_with_identity(store, identity):
        if is_verified(customer, identity):
            return IdentityClaim(customer, is_new=False)
        if not has_other_verified_identity(customer, identity):
            return IdentityClaim(await _transfer_customer(customer, identity), is_new=False)
        await detach_identity(customer, identity)
    customer = Customer(owner_id=store.owner_id, store_id=store.id, created_at=clock.now())
    attach_identity(customer, identity)
    await customer.save()
    return IdentityClaim(customer, is_new=True)


def attach_identity(customer: Customer, identity: Identity) -> None:
    """Set an identity that the customer has verified as login and contact. Does not save."""
    if identity.kind is IdentityKind.PHONE:
        customer.phone = customer.login_phone = identity.value
        return
    customer.email = customer.login_email = identity.value
    customer.email_proven_at = clock.now()


async def detach_identity(customer: Customer, identity: Identity) -> None:
    """Remove an identity that somebody else has verified, and save the customer."""
    if identity.kind is IdentityKind.PHONE:
        customer.phone = customer.login_phone if customer.login_phone != identity.value else None
        customer.login_phone = None if customer.login_phone == identity.value else customer.login_phone
    else:
        if customer.login_email == identity.value:
            customer.login_email = customer.password_hash = customer.email_proven_at = None
        customer.email = customer.login_email
    await customer.save()


def is_verified(customer: Customer, identity: Identity) -> bool:
    """Return whether the customer has verified the identity and logs in by it."""
    if identity.kind is IdentityKind.PHONE:
        return customer.login_phone == identity.value
    return customer.login_email == identity.value and customer.email_proven_at is not None


def has_other_verified_identity(customer: Customer, identity: Identity) -> bool:
    """Return whether the customer logs in by another identity that they have verified."""
    verified_email = customer.login_email if customer.email_proven_at is not None else None
    others = {(IdentityKind.PHONE, customer.login_phone), (IdentityKind.EMAIL, verified_email)}
    return any(value is not None and (kind, value) != (identity.kind, identity.value) for kind, value in others)


async def _transfer_customer(customer: Customer, identity: Identity) -> Customer:
    customer.password_hash = None
    if customer.email_proven_at is None:
        customer.login_email = None
    attach_identity(customer, identity)
    await customer.save()
    await revoke_tokens(customer)
    return customer


async def revoke_tokens(customer: Customer) -> None:
    """Revoke all tokens of a customer, and sign them out of the store's page in every browser."""
    await accounts.revoke_tokens(customer.owner_id, CUSTOMER.code, customer.id)
    await web_sessions.end_sessions_of(customer.owner_id, CUSTOMER.code, customer.id)
