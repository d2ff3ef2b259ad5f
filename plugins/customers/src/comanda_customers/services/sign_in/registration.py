"""Registration: a new account, or an existing record of the store claimed with a code."""

from collections.abc import Sequence

from comanda.accounts import passwords
from comanda.basics import Sentence, ValidationFailed, clock
from comanda.platform.db import sql
from comanda.platform.events import publish

from comanda_customers.events import CustomerCreated
from comanda_customers.models import Customer, Purpose
from comanda_customers.records.customers import CustomerSession
from comanda_customers.schemas.accounts import RegisterBody
from comanda_customers.services import profiles
from comanda_customers.services.guest_list import identity_claims
from comanda_customers.services.guest_list.identities import Identity, IdentityKind, parse_identities
from comanda_customers.services.guest_list.search import normalize_text
from comanda_customers.services.personal_data import consents
from comanda_customers.services.sign_in import verification_codes
from comanda_customers.services.sign_in.tokens import issue_token
from comanda_customers.services.sign_in.verification_codes import IdentityProof
from comanda_customers.services.stores import CustomerStore

DEFAULT_DEVICE_NAME = "Unnamed device"


async def register_customer(store: CustomerStore, body: RegisterBody, *, source: str = "") -> CustomerSession:
    """Create an account and log in to it.

    An e-mail or phone that the store already has is refused unless ``code`` proves it; then the existing account or
    contact is claimed. Emits ``CustomerCreated``, but not for an existing record. Raises ``ValidationFailed``.
    """
    identities = parse_identities(body.email, body.phone, store.country)
    password_hash = await _hash_password(body, identities)
    refused: IdentityProof | None = None
    async with sql.transaction():
        proof = (
            await verification_codes.redeem_code(store, identities, Purpose.PROOF, body.code, source)
            if body.code
            else IdentityProof()
        )
        if body.code and proof.identity is None:
            refused = proof
        else:
            await identity_claims.lock_identities(store, identities)
            customer, is_new = await _get_or_create_customer(store, identities, proof.identity)
            await _complete_account(customer, body, identities, password_hash)
            if is_new:
                await publish_customer_created(customer, "register")
            token = await issue_token(store.owner_id, store.id, customer.id, body.device or DEFAULT_DEVICE_NAME)
    if refused is not None:
        raise refused.to_error()
    return CustomerSession(token.secret, await profiles.load_profile(customer), is_new)


async def publish_customer_created(customer: Customer, source: str) -> None:
    """Publish ``CustomerCreated``."""
    event = CustomerCreated(
        id=customer.id,
        restaurant_id=customer.store_id,
        name_=customer.name,
        email=customer.email,
        phone=customer.phone,
        source=source,
    )
    await publish(event, owner_id=customer.owner_id, store_id=customer.store_id)


async def _hash_password(body: RegisterBody, identities: Sequence[Identity]) -> str | None:
    email = next((one.value for one in identities if one.kind is IdentityKind.EMAIL), None)
    if not identities:
        raise ValidationFailed(email=[Sentence("An e-mail or a phone number is required.")])
    if email is not None and body.password is None:
        raise ValidationFailed(password=[Sentence("This is required with an e-mail.")])
    if body.password is None:
        return None
    if email is None:
        raise ValidationFailed(email=[Sentence("This is required with a password.")])
    passwords.check_password(body.password, email)
    return await passwords.hash_password(body.password)


async def _get_or_create_customer(
    store: CustomerStore, identities: Sequence[Identity], proven: Identity | None
) -> tuple[Customer, bool]:
    """Return the customer of the proven identity, or a new one; no other identity may belong to anybody else."""
    found = await identity_claims.claim_identity(store, proven) if proven is not None else None
    errors = {}
    for identity in identities:
        others = await identity_claims.lock_customers_with_identity(store, identity)
        if any(found is None or other.id != found.customer.id for other in others):
            errors[identity.kind.value] = [f"This {identity.kind} is already registered. Log in, or send a code."]
    if errors:
        raise ValidationFailed(errors)
    if found is not None:
        return found.customer, found.is_new
    return Customer(owner_id=store.owner_id, store_id=store.id, created_at=clock.now()), True


async def _complete_account(
    customer: Customer, body: RegisterBody, identities: Sequence[Identity], password_hash: str | None
) -> None:
    customer.name, customer.search = body.name, normalize_text(body.name)
    for identity in identities:
        setattr(customer, identity.kind.value, identity.value)
        if identity.kind is IdentityKind.EMAIL:
            if customer.login_email != identity.value:
                customer.login_email, customer.email_proven_at = identity.value, None
            customer.password_hash = password_hash
    customer.birthday = body.birthday or customer.birthday
    customer.locale = body.locale or customer.locale
    customer.consents = consents.update_consents(customer.consents or {}, body.consents, clock.now())
    await customer.save()
