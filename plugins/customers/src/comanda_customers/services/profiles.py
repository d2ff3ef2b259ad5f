"""A customer's own profile."""

from collections.abc import Sequence
from typing import Any

from comanda import clock
from comanda.contracts.callers import Caller
from comanda.db import sql
from comanda.errors import NotFound, ValidationFailed

from comanda_customers.identities import Identity, identities_of
from comanda_customers.models import Customer, Purpose
from comanda_customers.schemas import consents
from comanda_customers.schemas.accounts import ProfileChange
from comanda_customers.searching import fold
from comanda_customers.services import claiming, codes, records
from comanda_customers.services.codes import Proof
from comanda_customers.services.shops import Shop

STORE = "SELECT id, owner_id, title, country FROM core_store WHERE id = $1 AND owner_id = $2"


async def me(caller: Caller) -> dict[str, Any]:
    """Show the customer of a token. Raises ``NotFound`` for a token of nobody's."""
    return await records.profile(await own(caller))


async def own(caller: Caller, *, locked: bool = False) -> Customer:
    """Return the customer of a token. Raises ``NotFound`` for a token of nobody's."""
    mine = Customer.select_for_update(no_key=True) if locked else Customer.all()
    found = await mine.get_or_none(
        owner_id=caller.owner_id, store_id=caller.store_id, id=caller.subject_id, erased_at=None
    )
    if found is None:
        raise NotFound
    return found


async def own_shop(caller: Caller) -> Shop:
    """Return the store of a customer's token, published or not. Raises ``NotFound``."""
    row = await sql.fetch_one(STORE, caller.store_id, caller.owner_id)
    if row is None:
        raise NotFound
    return Shop(row["id"], row["owner_id"], row["title"], row["country"])


async def change(caller: Caller, body: ProfileChange, *, source: str = "") -> dict[str, Any]:
    """Change what is given.

    Raises ``ValidationFailed`` for an e-mail or phone that is somebody else's, for a code that proves nothing, and for
    a change that would leave neither e-mail nor phone.
    """
    shop = await own_shop(caller)
    identities = identities_of(body.email, body.phone, shop.country)
    async with sql.transaction():
        proof = await codes.redeem(shop, identities, Purpose.PROOF, body.code, source) if body.code else Proof()
        if proof.identity is not None or not body.code:
            await claiming.lock(shop, identities)
            customer = await own(caller, locked=True)
            for identity in identities:
                await _let_go(shop, customer, identity, is_proven=identity == proof.identity)
            _apply(customer, body, identities)
            if proof.identity is not None:
                claiming.attach(customer, proof.identity)
            _must_be_reachable(customer)
            await customer.save()
    if proof.identity is None and body.code:
        raise proof.to_error()
    return await records.profile(customer)


async def _let_go(shop: Shop, customer: Customer, identity: Identity, *, is_proven: bool) -> None:
    """See to it that nobody else has an identity: who only wrote it down lets go of it for proof."""
    for other in await claiming.holders(shop, identity):
        if other.id == customer.id:
            continue
        if not is_proven or claiming.is_proven(other, identity) or not claiming.has_other_proof(other, identity):
            raise ValidationFailed({identity.kind.value: [f"This {identity.kind} belongs to another account."]})
        await claiming.take_away(other, identity)


def _apply(customer: Customer, body: ProfileChange, identities: Sequence[Identity]) -> None:
    given = body.model_fields_set
    for field in given & {"name", "birthday", "locale"}:
        setattr(customer, field, getattr(body, field))
    for field in given & {"email", "phone"}:
        setattr(customer, field, next((one.value for one in identities if one.kind == field), None))
    customer.search = fold(customer.name or "")
    customer.consents = consents.changed(customer.consents, body.consents, clock.now())


def _must_be_reachable(customer: Customer) -> None:
    if not (customer.email or customer.phone or customer.login_email or customer.login_phone):
        raise ValidationFailed(email=["Keep an e-mail or a phone number."])
