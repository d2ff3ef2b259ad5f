"""Forgets a customer: the orders and the sums stay, whose they were does not.

All of it happens in one transaction. What other plugins keep of the customer, they erase when they hear
``CustomerErased``, and so do the receivers of webhooks.
"""

from collections.abc import Collection
from typing import Any

import structlog
from comanda import clock
from comanda.accounts.kinds import Caller
from comanda.db import sql
from comanda.errors import Unauthenticated, ValidationFailed
from comanda.events.outbox import publish
from comanda_notifications.api import forget

from comanda_customers import passwords
from comanda_customers.events import CustomerCreated, CustomerErased
from comanda_customers.feed import hold_still
from comanda_customers.hashing import Hasher
from comanda_customers.identities import Identity, Kind
from comanda_customers.models import Address, Customer, Purpose
from comanda_customers.phones import normalise
from comanda_customers.schemas.accounts import ErasureBody
from comanda_customers.services import claiming, codes, contacts, profiles, tries
from comanda_customers.services.shops import Shop
from comanda_customers.tokens import CUSTOMER

log = structlog.get_logger(__name__)

DELETED = "deleted customer"
BY_PHONE = """
    SELECT id, phone FROM core_order
    WHERE store_id = $1 AND owner_id = $2 AND phone IS NOT NULL
        AND strpos(regexp_replace(phone, '\\D', '', 'g'), $3) > 0
"""
BY_GUEST = """
    SELECT k.order_id FROM customers_guest g
    JOIN customers_guest_order k ON k.guest_id = g.id AND k.owner_id = g.owner_id
    WHERE g.store_id = $1 AND g.owner_id = $2 AND g.identity = ANY($3::text[])
"""
SCRUB_ORDERS = f"""
    UPDATE core_order SET customer_name = '{DELETED}', phone = NULL, address = NULL, note = NULL
    WHERE owner_id = $1 AND store_id = $2 AND (customer_id = $3 OR id = ANY($4::bigint[])) RETURNING id
"""
SCRUB_LINES = "UPDATE core_order_line SET note = NULL WHERE owner_id = $1 AND order_id = ANY($2::bigint[])"
SCRUB_CHANGES = "UPDATE core_order_change SET note = NULL WHERE owner_id = $1 AND order_id = ANY($2::bigint[])"
# A phone number is not kept as an identity either: its next order makes a new guest.
SCRUB_GUESTS = """
    UPDATE customers_guest SET name = NULL, own_name = NULL, search = '', phone = NULL, email = NULL, tags = '{}',
        identity = CASE WHEN identity LIKE 'customer:%' THEN identity ELSE 'erased:' || id END
    WHERE store_id = $1 AND owner_id = $2 AND identity = ANY($3::text[])
"""
SCRUB_TOKENS = "UPDATE core_access_token SET name = '' WHERE owner_id = $1 AND kind = $2 AND subject_id = $3"
SCRUB_EVENTS = f"""
    UPDATE core_outbox SET data = data || '{{"name": null, "email": null, "phone": null}}'
    WHERE owner_id = $1 AND store_id = $2 AND name = '{CustomerCreated.name}' AND data ->> 'id' = $3
"""
FORGET_CODES = "DELETE FROM customers_code WHERE store_id = $1 AND owner_id = $2 AND identity_hash = ANY($3::bytea[])"
FORGET_TRIES = """
    DELETE FROM customers_login_tries WHERE store_id = $1 AND owner_id = $2 AND identity_hash = ANY($3::bytea[])
"""


async def erase_self(caller: Caller, body: ErasureBody) -> None:
    """Erase the customer of a token, who proves to be at the device by password or by a fresh code.

    Emits ``CustomerErased``. Raises ``Unauthenticated`` for a wrong password, ``ValidationFailed`` for a wrong code.
    """
    shop, customer = await profiles.own_shop(caller), await profiles.own(caller)
    if body.code is None:
        await _must_know_password(shop, customer, body.password)
    async with sql.transaction():
        mine = _identities(customer)
        proof = await codes.redeem(shop, mine, Purpose.PROOF, body.code) if body.code else None
        if proof is None or proof.identity is not None:
            await _erase(shop, customer.id, with_contact=False)
    if proof is not None and proof.identity is None:
        raise proof.refusal()


async def erase(caller: Caller, store_id: int, customer_id: int) -> None:
    """Erase a customer of the owner's. Emits ``CustomerErased``. Raises ``NotFound``."""
    customer = await contacts.own(caller, store_id, customer_id)
    shop = Shop(store_id, caller.owner_id, "", await _country(customer))
    async with sql.transaction():
        await _erase(shop, customer_id, with_contact=True)


async def _must_know_password(shop: Shop, customer: Customer, password: str | None) -> None:
    if password is None:
        raise ValidationFailed(password=["Give your password, or a code of the purpose proof."])
    email = Identity(Kind.EMAIL, customer.login_email or "")
    identity_hash = (await Hasher.of(shop.id)).identity(email)
    await tries.count(shop, identity_hash)
    if not (await passwords.verify(password, customer.password_hash)).is_right:
        raise Unauthenticated("The password is wrong.", extras={"reason": "invalid_credentials"})


async def _erase(shop: Shop, customer_id: int, *, with_contact: bool) -> None:
    """Erase in the open transaction. ``with_contact`` also what was ordered by a number that nobody has proven."""
    await hold_still()
    held = Customer.select_for_update().filter(owner_id=shop.owner_id, store_id=shop.id, erased_at=None)
    customer = await held.get_or_none(id=customer_id)
    if customer is None:
        return
    phones = {customer.login_phone, customer.phone if with_contact else None} - {None}
    await scrub_orders(shop, customer_id, [str(phone) for phone in phones])
    await _forget_logins(shop, customer)
    addresses = {customer.email, customer.phone, customer.login_email, customer.login_phone} - {None}
    await forget([str(address) for address in addresses], owner_id=shop.owner_id)
    await sql.execute(SCRUB_EVENTS, shop.owner_id, shop.id, str(customer_id))
    await Address.filter(owner_id=shop.owner_id, customer_id=customer_id).delete()
    for field in ("name", "email", "phone", "login_email", "login_phone", "email_proven_at", "password_hash"):
        setattr(customer, field, None)
    customer.birthday = customer.locale = None
    customer.search, customer.consents, customer.erased_at = "", {}, clock.now()
    await customer.save()
    event = CustomerErased(id=customer_id, restaurant_id=shop.id)
    await publish(event, owner_id=shop.owner_id, store_id=shop.id)
    log.info("customer_erased", owner_id=shop.owner_id, store_id=shop.id, customer_id=customer_id)


async def scrub_orders(shop: Shop, customer_id: int, phones: Collection[str] = ()) -> None:
    """Take whose they are from a customer's orders, those that were ordered by these numbers, and what is noted."""
    identities = [f"customer:{customer_id}", *phones]
    ids = {row["order_id"] for row in await sql.fetch(BY_GUEST, shop.id, shop.owner_id, identities)}
    for phone in phones:
        rows = await sql.fetch(BY_PHONE, shop.id, shop.owner_id, phone[-6:].lstrip("+"))
        ids |= {row["id"] for row in rows if normalise(row["phone"], shop.country) == phone}
    scrubbed = await sql.fetch(SCRUB_ORDERS, shop.owner_id, shop.id, customer_id, sorted(ids))
    order_ids = [row["id"] for row in scrubbed]
    await sql.execute(SCRUB_LINES, shop.owner_id, order_ids)
    await sql.execute(SCRUB_CHANGES, shop.owner_id, order_ids)
    await sql.execute(SCRUB_GUESTS, shop.id, shop.owner_id, identities)


async def _forget_logins(shop: Shop, customer: Customer) -> None:
    await claiming.revoke_tokens(customer)
    await sql.execute(SCRUB_TOKENS, shop.owner_id, CUSTOMER.code, customer.id)
    hasher = await Hasher.of(shop.id)
    hashes = [hasher.identity(identity) for identity in _identities(customer)]
    await sql.execute(FORGET_CODES, shop.id, shop.owner_id, hashes)
    await sql.execute(FORGET_TRIES, shop.id, shop.owner_id, hashes)


def _identities(customer: Customer) -> list[Identity]:
    emails, phones = {customer.login_email, customer.email}, {customer.login_phone, customer.phone}
    found: list[Any] = [Identity(Kind.EMAIL, one) for one in emails if one]
    return found + [Identity(Kind.PHONE, one) for one in phones if one]


async def _country(customer: Customer) -> str | None:
    found: str | None = await sql.fetch_value(
        "SELECT country FROM core_store WHERE id = $1 AND owner_id = $2", customer.store_id, customer.owner_id
    )
    return found
