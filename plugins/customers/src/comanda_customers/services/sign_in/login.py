"""Login by password or by code, and logout."""

from datetime import timedelta

from comanda.accounts import LOGIN_RULES, passwords
from comanda.accounts import services as accounts
from comanda.basics import Sentence, Unauthenticated, ValidationFailed
from comanda.contracts import Caller
from comanda.platform.db import sql

from comanda_customers.models import Customer, Purpose
from comanda_customers.records.customers import CustomerSession
from comanda_customers.schemas.accounts import CodeBody, CodeRequest, LoginBody
from comanda_customers.services import profiles
from comanda_customers.services.guest_list import identity_claims
from comanda_customers.services.guest_list.identities import Identity, parse_email, parse_reachable_phone
from comanda_customers.services.guest_list.identity_claims import IdentityClaim
from comanda_customers.services.sign_in import login_attempts, verification_codes
from comanda_customers.services.sign_in.registration import DEFAULT_DEVICE_NAME, publish_customer_created
from comanda_customers.services.sign_in.tokens import issue_token
from comanda_customers.services.stores import CustomerStore

INVALID_CREDENTIALS = "Invalid e-mail or password."


async def log_in_by_password(store: CustomerStore, body: LoginBody) -> CustomerSession:
    """Log in by e-mail and password.

    Raises ``Unauthenticated`` with the reason ``invalid_credentials``, after the same work whether or not the e-mail is
    known; ``RateLimited`` after too many attempts with one e-mail.
    """
    email = parse_email(body.email)
    await login_attempts.count_attempt(store, email)
    mine = Customer.filter(owner_id=store.owner_id, store_id=store.id)
    customer = await mine.get_or_none(login_email=email.value)
    known_hash = customer.password_hash if customer is not None else None
    verdict = await passwords.verify_password(body.password, known_hash)
    if customer is None or not verdict.is_right:
        raise _create_credentials_error()
    async with sql.transaction():
        # The password may have been changed while it was being checked.
        locked_customer = await mine.select_for_update(no_key=True).get_or_none(
            id=customer.id, password_hash=known_hash
        )
        if locked_customer is None:
            raise _create_credentials_error()
        if verdict.new_hash is not None:
            locked_customer.password_hash = verdict.new_hash
            await locked_customer.save(update_fields=["password_hash"])
        await login_attempts.delete_attempts(store, [email])
        token = await issue_token(store.owner_id, store.id, locked_customer.id, body.device or DEFAULT_DEVICE_NAME)
    return CustomerSession(token.secret, await profiles.load_profile(locked_customer), created=False)


async def request_code(
    store: CustomerStore, body: CodeRequest, language: str | None = None, *, source: str = ""
) -> timedelta:
    """Send a code to a phone or an e-mail, whether or not it belongs to a customer, and return how long it is valid.

    ``language`` is a tag or the value of ``Accept-Language``, ``source`` the client address.
    Raises ``ValidationFailed``, and ``RateLimited`` after too many codes for the source or the recipient.
    """
    await verification_codes.send_code(
        store, parse_login_identity(store, body.phone, body.email), body.purpose, language, source
    )
    return LOGIN_RULES.lifetime


async def log_in_by_code(store: CustomerStore, body: CodeBody, *, source: str = "") -> CustomerSession:
    """Log in by code; a new phone or e-mail creates a customer.

    Emits ``CustomerCreated`` for a new customer. Raises ``ValidationFailed`` on ``code`` with the reason
    ``otp_invalid``, ``otp_expired`` or ``otp_exhausted``.
    """
    identity = parse_login_identity(store, body.phone, body.email)
    async with sql.transaction():
        proof = await verification_codes.redeem_code(store, [identity], Purpose.LOGIN, body.code, source)
        if proof.identity is not None:
            claimed = await claim_verified_identity(store, proof.identity)
            device = body.device or DEFAULT_DEVICE_NAME
            token = await issue_token(store.owner_id, store.id, claimed.customer.id, device)
            entered = CustomerSession(token.secret, await profiles.load_profile(claimed.customer), claimed.is_new)
    if proof.identity is None:
        raise proof.to_error()
    return entered


async def claim_verified_identity(store: CustomerStore, identity: Identity) -> IdentityClaim:
    """Return the customer who has just proven an identity, in the open transaction.

    Emits ``CustomerCreated`` for a new customer.
    """
    await identity_claims.lock_identities(store, [identity])
    claimed = await identity_claims.claim_identity(store, identity)
    if claimed.is_new:
        await publish_customer_created(claimed.customer, "otp")
    return claimed


async def log_out(caller: Caller) -> None:
    """Revoke the token that was used, and no other."""
    await accounts.revoke_token(caller.owner_id, caller.token_id)


def parse_login_identity(store: CustomerStore, phone: str | None, email: str | None) -> Identity:
    """Return the phone or e-mail that somebody logs in by. Raises ``ValidationFailed``."""
    if phone and email:
        raise ValidationFailed(email=["Set either phone or email, not both."])
    if phone:
        return parse_reachable_phone(phone, store.country)
    if email:
        return parse_email(email)
    raise ValidationFailed(phone=[Sentence("This field is required.")])


def _create_credentials_error() -> Unauthenticated:
    return Unauthenticated(INVALID_CREDENTIALS, extras={"reason": "invalid_credentials"})
