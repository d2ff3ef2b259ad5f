"""Erases a customer: the orders and the sums stay, whose they were does not.

All of it happens in one transaction, with what other plugins keep of the customer. Outside of Comanda the receivers of
webhooks erase theirs when they hear ``CustomerErased``.
"""

from typing import Any

import structlog
from comanda import clock
from comanda.accounts import passwords
from comanda.contracts.callers import Caller
from comanda.db import sql
from comanda.errors import Unauthenticated, ValidationFailed
from comanda.events.outbox import publish
from comanda.orders.erasure import lock_for_erasure

from comanda_customers.events import CustomerErased
from comanda_customers.identities import Identity, Kind
from comanda_customers.models import Address, Customer, Purpose
from comanda_customers.schemas.accounts import ErasureBody
from comanda_customers.services import claiming, codes, contacts, profiles, scrubbing, tries
from comanda_customers.services.shops import Shop
from comanda_customers.tokens import CUSTOMER

log = structlog.get_logger(__name__)

NULLED = ("name", "email", "phone", "login_email", "login_phone", "email_proven_at", "password_hash", "birthday",
          "locale")  # fmt: skip
SCRUB_TOKENS = "UPDATE core_access_token SET name = '' WHERE owner_id = $1 AND kind = $2 AND subject_id = $3"


async def erase_self(caller: Caller, body: ErasureBody, *, source: str = "") -> None:
    """Erase the customer of a token, who proves to be at the device by password or by a fresh code.

    Emits ``CustomerErased``. Raises ``Unauthenticated`` for a wrong password, ``ValidationFailed`` for a wrong code.
    """
    shop, customer = await profiles.own_shop(caller), await profiles.own(caller)
    if body.code is None:
        await _must_know_password(shop, customer, body.password)
    async with sql.transaction():
        mine = _identities(customer)
        proof = await codes.redeem(shop, mine, Purpose.PROOF, body.code, source) if body.code else None
        if proof is None or proof.identity is not None:
            await _erase(shop, customer.id, with_contact=False)
    if proof is not None and proof.identity is None:
        raise proof.to_error()


async def erase(caller: Caller, store_id: int, customer_id: int) -> None:
    """Erase a customer of the owner's. Emits ``CustomerErased``. Raises ``NotFound``."""
    customer = await contacts.own(caller, store_id, customer_id)
    shop = Shop(store_id, caller.owner_id, "", await _country(customer))
    async with sql.transaction():
        await _erase(shop, customer_id, with_contact=True)


async def _must_know_password(shop: Shop, customer: Customer, password: str | None) -> None:
    if password is None:
        raise ValidationFailed(password=["Give your password, or a code of the purpose proof."])
    await tries.count(shop, Identity(Kind.EMAIL, customer.login_email or ""))
    if not (await passwords.verify_password(password, customer.password_hash)).is_right:
        raise Unauthenticated("The password is wrong.", extras={"reason": "invalid_credentials"})


async def _erase(shop: Shop, customer_id: int, *, with_contact: bool) -> None:
    """Erase in the open transaction. ``with_contact`` also what is kept by a number or address that nobody proved."""
    await lock_for_erasure()
    held = Customer.select_for_update().filter(owner_id=shop.owner_id, store_id=shop.id, erased_at=None)
    customer = await held.get_or_none(id=customer_id)
    if customer is None:
        return
    known = _identities(customer) if with_contact else _proven(customer)
    by_kind = {kind: {one.value for one in known if one.kind is kind} for kind in Kind}
    await scrubbing.forget(shop, customer_id, by_kind[Kind.PHONE], by_kind[Kind.EMAIL])
    await _forget_logins(shop, customer)
    await Address.filter(owner_id=shop.owner_id, customer_id=customer.id).delete()
    for column in NULLED:
        setattr(customer, column, None)
    customer.search, customer.consents, customer.erased_at = "", {}, clock.now()
    await customer.save()
    event = CustomerErased(id=customer_id, restaurant_id=shop.id)
    await publish(event, owner_id=shop.owner_id, store_id=shop.id)
    log.info("customer_erased", owner_id=shop.owner_id, store_id=shop.id, customer_id=customer_id)


async def _forget_logins(shop: Shop, customer: Customer) -> None:
    await claiming.revoke_tokens(customer)
    await sql.execute(SCRUB_TOKENS, shop.owner_id, CUSTOMER.code, customer.id)
    await codes.forget(shop, _identities(customer))
    await tries.forget(shop, _identities(customer))


def _identities(customer: Customer) -> list[Identity]:
    emails, phones = {customer.login_email, customer.email}, {customer.login_phone, customer.phone}
    found: list[Any] = [Identity(Kind.EMAIL, one) for one in emails if one]
    return found + [Identity(Kind.PHONE, one) for one in phones if one]


def _proven(customer: Customer) -> list[Identity]:
    """List what is theirs for certain: by anything else somebody could have others' records erased."""
    email = customer.login_email if customer.email_proven_at else None
    found = [Identity(Kind.EMAIL, email)] if email else []
    return found + ([Identity(Kind.PHONE, customer.login_phone)] if customer.login_phone else [])


async def _country(customer: Customer) -> str | None:
    found: str | None = await sql.fetch_value(
        "SELECT country FROM core_store WHERE id = $1 AND owner_id = $2", customer.store_id, customer.owner_id
    )
    return found
