"""The profile of the logged-in customer."""

from collections.abc import Sequence

from comanda.basics import Forbidden, Sentence, ValidationFailed, clock, require_found
from comanda.contracts import Caller
from comanda.platform.db import sql

from comanda_customers.models import Customer, Purpose
from comanda_customers.records.customers import Profile
from comanda_customers.schemas.accounts import ProfileChange
from comanda_customers.services import stores
from comanda_customers.services.guest_list import identity_claims
from comanda_customers.services.guest_list.identities import Identity, parse_identities
from comanda_customers.services.guest_list.search import normalize_text
from comanda_customers.services.personal_data import consents
from comanda_customers.services.sign_in import verification_codes
from comanda_customers.services.sign_in.verification_codes import IdentityProof
from comanda_customers.services.stores import CustomerStore

# By an e-mail or a phone one logs in, and consents are given in person.
PERSONAL_FIELDS = frozenset({"email", "phone", "code", "consents"})
COUNT_ORDERS = """
    SELECT count(*) FROM core_order_v1
    WHERE customer_id = $1 AND owner_id = $2 AND store_id = $3 AND status <> 'cancelled'
"""


async def get_profile(caller: Caller) -> Profile:
    """Return the profile of the token's customer. Raises ``NotFound`` if there is none."""
    return await load_profile(await get_own_customer(caller))


async def get_own_customer(caller: Caller, *, locked: bool = False) -> Customer:
    """Return the token's customer. Raises ``NotFound`` if there is none."""
    mine = Customer.select_for_update(no_key=True) if locked else Customer.all()
    return require_found(
        await mine.get_or_none(owner_id=caller.owner_id, store_id=caller.store_id, id=caller.subject_id, erased_at=None)
    )


async def update_profile(caller: Caller, body: ProfileChange, *, source: str = "") -> Profile:
    """Update the given fields.

    Raises ``Forbidden`` for what a program may not change on the customer's behalf, and ``ValidationFailed`` for an
    e-mail or phone of another account, for an invalid code, and for a change that would leave neither e-mail nor phone.
    """
    if caller.acts_as is not None and body.model_fields_set & PERSONAL_FIELDS:
        raise Forbidden(
            Sentence("Only you yourself can change your e-mail, phone and consents."),
            extras={"reason": "not_delegable"},
        )
    store = await stores.get_customer_store(caller)
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
        raise proof.to_error()
    return await load_profile(customer)


async def load_profile(customer: Customer) -> Profile:
    """Return a customer's profile."""
    return Profile(
        id=customer.id,
        name=customer.name,
        email=customer.email,
        email_verified=customer.email is not None
        and customer.email == customer.login_email
        and customer.email_proven_at is not None,
        phone=customer.phone,
        phone_verified=customer.phone is not None and customer.phone == customer.login_phone,
        birthday=customer.birthday,
        locale=customer.locale,
        consents=consents.to_consents(customer.consents),
        orders_count=await sql.fetch_value(COUNT_ORDERS, customer.id, customer.owner_id, customer.store_id),
        created_at=customer.created_at,
    )


async def _release_identity(store: CustomerStore, customer: Customer, identity: Identity, *, is_proven: bool) -> None:
    """Take an identity from other customers who have not proven it; raise if it belongs to another account."""
    for other in await identity_claims.lock_customers_with_identity(store, identity):
        if other.id == customer.id:
            continue
        if (
            not is_proven
            or identity_claims.is_verified(other, identity)
            or not identity_claims.has_other_verified_identity(other, identity)
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
    customer.consents = consents.update_consents(customer.consents, body.consents, clock.now())


def _check_reachable(customer: Customer) -> None:
    if not (customer.email or customer.phone or customer.login_email or customer.login_phone):
        raise ValidationFailed(email=[Sentence("An e-mail or a phone number is required.")])
