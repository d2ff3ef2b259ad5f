"""Registering: an account made by its customer, or a record of the store's taken over with proof."""

from collections.abc import Sequence
from typing import Any

from comanda import clock
from comanda.accounts import passwords
from comanda.db import sql
from comanda.errors import ValidationFailed
from comanda.events.outbox import publish

from comanda_customers.events import CustomerCreated
from comanda_customers.identities import Identity, Kind, identities_of
from comanda_customers.models import Customer, Purpose
from comanda_customers.schemas import consents
from comanda_customers.schemas.accounts import RegisterBody
from comanda_customers.searching import fold
from comanda_customers.services import claiming, codes, records
from comanda_customers.services.codes import Proof
from comanda_customers.services.shops import Shop
from comanda_customers.tokens import issue_token

NAMELESS_DEVICE = "A device without a name"


async def register(shop: Shop, body: RegisterBody, *, source: str = "") -> dict[str, Any]:
    """Make an account and log it in.

    An e-mail or phone that the store knows is refused, unless ``code`` proves it: then the account, or what the owner
    wrote down, becomes the prover's. Emits ``CustomerCreated``, not for a record that was there. Raises
    ``ValidationFailed``.
    """
    identities = identities_of(body.email, body.phone, shop.country)
    password_hash = await _checked_password(body, identities)
    refused: Proof | None = None
    async with sql.transaction():
        proof = await codes.redeem(shop, identities, Purpose.PROOF, body.code, source) if body.code else Proof()
        if body.code and proof.identity is None:
            refused = proof
        else:
            await claiming.lock(shop, identities)
            customer, is_new = await _find_or_begin(shop, identities, proof.identity)
            await _complete(customer, body, identities, password_hash)
            if is_new:
                await announce(customer, "register")
            issued = await issue_token(shop.owner_id, shop.id, customer.id, body.device or NAMELESS_DEVICE)
    if refused is not None:
        raise refused.to_error()
    return {"token": issued.secret, "customer": await records.profile(customer)}


async def announce(customer: Customer, source: str) -> None:
    """Emit ``CustomerCreated``."""
    event = CustomerCreated(
        id=customer.id,
        restaurant_id=customer.store_id,
        name_=customer.name,
        email=customer.email,
        phone=customer.phone,
        source=source,
    )
    await publish(event, owner_id=customer.owner_id, store_id=customer.store_id)


async def _checked_password(body: RegisterBody, identities: Sequence[Identity]) -> str | None:
    email = next((one.value for one in identities if one.kind is Kind.EMAIL), None)
    if not identities:
        raise ValidationFailed(email=["Give an e-mail or a phone number."])
    if email is not None and body.password is None:
        raise ValidationFailed(password=["This is required with an e-mail."])
    if body.password is None:
        return None
    if email is None:
        raise ValidationFailed(email=["This is required with a password."])
    passwords.check_password(body.password, email)
    return await passwords.hash_password(body.password)


async def _find_or_begin(shop: Shop, identities: Sequence[Identity], proven: Identity | None) -> tuple[Customer, bool]:
    """Return whom the proof is of, or somebody new; nobody else may have what is not proven."""
    found = await claiming.prove(shop, proven) if proven is not None else None
    errors = {}
    for identity in identities:
        others = await claiming.holders(shop, identity)
        if any(found is None or other.id != found.customer.id for other in others):
            errors[identity.kind.value] = [f"This {identity.kind} is known here. Log in, or prove it with a code."]
    if errors:
        raise ValidationFailed(errors)
    if found is not None:
        return found.customer, found.is_new
    return Customer(owner_id=shop.owner_id, store_id=shop.id, created_at=clock.now()), True


async def _complete(
    customer: Customer, body: RegisterBody, identities: Sequence[Identity], password_hash: str | None
) -> None:
    customer.name, customer.search = body.name, fold(body.name)
    for identity in identities:
        setattr(customer, identity.kind.value, identity.value)
        if identity.kind is Kind.EMAIL:
            if customer.login_email != identity.value:
                customer.login_email, customer.email_proven_at = identity.value, None
            customer.password_hash = password_hash
    customer.birthday = body.birthday or customer.birthday
    customer.locale = body.locale or customer.locale
    customer.consents = consents.changed(customer.consents or {}, body.consents, clock.now())
    await customer.save()
