"""A customer's own profile."""

from collections.abc import Sequence
from typing import Any

from comanda import clock
from comanda.accounts.kinds import Caller
from comanda.db import sql
from comanda.errors import NotFound, ValidationFailed

from comanda_customers.models import Customer, Purpose
from comanda_customers.schemas import consents
from comanda_customers.schemas.accounts import ProfileChange
from comanda_customers.services import identity_claims, records, verification_codes
from comanda_customers.services.identities import Identity, parse_identities
from comanda_customers.services.search import normalize_text
from comanda_customers.services.stores import CustomerStore
from comanda_customers.services.verification_codes import IdentityProof

STORE = "SELECT id, owner_id, title, country FROM core_store WHERE id = $1 AND owner_id = $2"


async def get_profile(caller: Caller) -> dict[str, Any]:
    """Show the customer of a token. Raises ``NotFound`` for a token of nobody's."""
    return await records.profile(await get_own_customer(caller))


async def get_own_customer(caller: Caller, *, locked: bool = False) -> Customer:
    """Return the customer of a token. Raises ``NotFound`` for a token of nobody's."""
    mine = Customer.select_for_update(no_key=True) if locked else Customer.all()
    found = await mine.get_or_none(
        owner_id=caller.owner_id, store_id=caller.store_id, id=caller.subject_id, erased_at=None
    )
    if found is None:
        raise NotFound
    return found


async def get_customer_store(caller: Caller) -> CustomerStore:
    """Return the store of a customer's token, published or not. Raises ``NotFound``."""
    row = await sql.fetch_one(STORE, caller.store_id, caller.owner_id)
    if row is None:
        raise NotFound
    return CustomerStore(row["id"], row["owner_id"], row["title"], row["country"])


async def update_profile(caller: Caller, body: ProfileChange, *, source: str = "") -> dict[str, Any]:
    """Change what is given.

    Raises ``ValidationFailed`` for an e-mail or phone that is somebody else's, for a code that proves nothing, and for
    a change that would leave neither e-mail nor phone.
    """
    store = await get_customer_store(caller)
    identities = parse_identities(body.email, body.phone, store.country)
    async with sql.transaction():
        proof = (
            await verification_codes.redeem_code(store, identities, Purpose.PROOF, body.code, source)
            if body.code
            else IdentityProof()
        )
        if proof.identity is not None or not body.code:
            await identity_claims.lock_identities(store, identities)
            customer = await get_own_customer(caller, locked=True)
            for identity in identities:
                await _release_identity(store, customer, identity, is_proven=identity == proof.identity)
            _apply_change(customer, body, identities)
            if proof.identity is not None:
                identity_claims.attach_identity(customer, proof.identity)
            _check_reachable(customer)
            await customer.save()
    if proof.identity is None and body.code:
        raise proof.refusal()
    return await records.profile(customer)


async def _release_identity(store: CustomerStore, customer: Customer, identity: Identity, *, is_proven: bool) -> None:
    """See to it that nobody else has an identity: who only wrote it down lets go of it for proof."""
    for other in await identity_claims.list_holders(store, identity):
        if other.id == customer.id:
            continue
        if (
            not is_proven
            or identity_claims.is_proven(other, identity)
            or not identity_claims.has_other_proven_identity(other, identity)
        ):
            raise ValidationFailed({identity.kind.value: [f"This {identity.kind} belongs to another account."]})
        await identity_claims.detach_identity(other, identity)


def _apply_change(customer: Customer, body: ProfileChange, identities: Sequence[Identity]) -> None:
    given = body.model_fields_set
    for field in given & {"name", "birthday", "locale"}:
        setattr(customer, field, getattr(body, field))
    for field in given & {"email", "phone"}:
        setattr(customer, field, next((one.value for one in identities if one.kind == field), None))
    customer.search = normalize_text(customer.name or "")
    customer.consents = consents.changed(customer.consents, body.consents, clock.now())


def _check_reachable(customer: Customer) -> None:
    if not (customer.email or customer.phone or customer.login_email or customer.login_phone):
        raise ValidationFailed(email=["Keep an e-mail or a phone number."])
