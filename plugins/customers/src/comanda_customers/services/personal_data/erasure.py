"""Erasure of a customer's personal data; orders and amounts are kept without a name.

Everything happens in one transaction, including the data that other plugins hold. Receivers of webhooks erase their
copies when they receive ``CustomerErased``.
"""

import structlog
from comanda.accounts import passwords
from comanda.accounts import services as accounts
from comanda.basics import Sentence, Unauthenticated, ValidationFailed, clock
from comanda.contracts import Caller
from comanda.orders import lock_for_erasure
from comanda.platform.db import sql
from comanda.platform.events import publish

from comanda_customers.caller_kinds import CUSTOMER
from comanda_customers.events import CustomerErased
from comanda_customers.models import Address, Customer, Purpose, SavedCart
from comanda_customers.schemas.accounts import ErasureBody
from comanda_customers.services import profiles, stores
from comanda_customers.services.guest_list import contacts, identity_claims
from comanda_customers.services.guest_list.identities import Identity, IdentityKind
from comanda_customers.services.personal_data import anonymization, persons
from comanda_customers.services.sign_in import login_attempts, verification_codes
from comanda_customers.services.stores import CustomerStore

log = structlog.get_logger(__name__)

ERASED_COLUMNS = (
    "name", "email", "phone", "login_email", "login_phone", "email_proven_at", "password_hash", "birthday", "locale",
)  # fmt: skip


async def erase_own_data(caller: Caller, body: ErasureBody, *, source: str = "") -> None:
    """Erase the token's customer, who confirms it by password or by a new code.

    Emits ``CustomerErased``. Raises ``Unauthenticated`` for a wrong password, ``ValidationFailed`` for a wrong code.
    """
    store, customer = await stores.get_customer_store(caller), await profiles.get_own_customer(caller)
    if body.code is None:
        await _check_password(store, customer, body.password)
    async with sql.transaction():
        mine = persons.list_identities(customer)
        proof = (
            await verification_codes.redeem_code(store, mine, Purpose.PROOF, body.code, source) if body.code else None
        )
        if proof is None or proof.identity is not None:
            await _erase_in_transaction(store, customer.id, with_contact=False)
    if proof is not None and proof.identity is None:
        raise proof.to_error()


async def erase_customer(caller: Caller, store_id: int, customer_id: int) -> None:
    """Erase a customer of the owner's. Emits ``CustomerErased``. Raises ``NotFound``."""
    customer = await contacts.get_customer(caller, store_id, customer_id)
    store = CustomerStore(store_id, caller.owner_id, "", await _get_country(customer))
    async with sql.transaction():
        await _erase_in_transaction(store, customer_id, with_contact=True)


async def _check_password(store: CustomerStore, customer: Customer, password: str | None) -> None:
    if password is None:
        raise ValidationFailed(password=["A password, or a code with the purpose proof, is required."])
    await login_attempts.count_attempt(store, Identity(IdentityKind.EMAIL, customer.login_email or ""))
    if not (await passwords.verify_password(password, customer.password_hash)).is_right:
        raise Unauthenticated(Sentence("Invalid password."), extras={"reason": "invalid_credentials"})


async def _erase_in_transaction(store: CustomerStore, customer_id: int, *, with_contact: bool) -> None:
    """Erase in the open transaction; ``with_contact`` includes data stored under unproven phones and e-mails."""
    await lock_for_erasure()
    held = Customer.select_for_update().filter(owner_id=store.owner_id, store_id=store.id, erased_at=None)
    customer = await held.get_or_none(id=customer_id)
    if customer is None:
        return
    known = persons.list_identities(customer) if with_contact else persons.list_proven_identities(customer)
    await anonymization.anonymize_person(await persons.find_person(customer, known, locks=True))
    await _delete_logins(store, customer)
    await Address.filter(owner_id=store.owner_id, customer_id=customer.id).delete()
    await SavedCart.filter(owner_id=store.owner_id, customer_id=customer.id).delete()
    for column in ERASED_COLUMNS:
        setattr(customer, column, None)
    customer.search, customer.consents, customer.erased_at = "", {}, clock.now()
    await customer.save()
    event = CustomerErased(id=customer_id, restaurant_id=store.id)
    await publish(event, owner_id=store.owner_id, store_id=store.id)
    log.info("customer_erased", owner_id=store.owner_id, store_id=store.id, customer_id=customer_id)


async def _delete_logins(store: CustomerStore, customer: Customer) -> None:
    await identity_claims.revoke_tokens(customer)
    await accounts.delete_token_names(store.owner_id, CUSTOMER.code, customer.id)
    await verification_codes.delete_codes(store, persons.list_identities(customer))
    await login_attempts.delete_attempts(store, persons.list_identities(customer))


async def _get_country(customer: Customer) -> str | None:
    found: str | None = await sql.fetch_value(
        "SELECT country FROM core_store_v1 WHERE id = $1 AND owner_id = $2", customer.store_id, customer.owner_id
    )
    return found
