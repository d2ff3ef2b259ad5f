"""Logging in, by password or by code, and out."""

from typing import Any

from comanda.accounts import passwords
from comanda.accounts import services as accounts
from comanda.accounts.codes import LOGIN_RULES
from comanda.contracts.callers import Caller
from comanda.db import sql
from comanda.errors import Unauthenticated, ValidationFailed

from comanda_customers.identities import Identity, email_of, reachable_phone_of
from comanda_customers.models import Customer, Purpose
from comanda_customers.schemas.accounts import CodeBody, CodeRequest, LoginBody
from comanda_customers.services import claiming, codes, records, tries
from comanda_customers.services.registering import NAMELESS_DEVICE, announce
from comanda_customers.services.shops import Shop
from comanda_customers.tokens import issue_token

WRONG = "The e-mail or the password is wrong."


async def login(shop: Shop, body: LoginBody) -> dict[str, Any]:
    """Log in by e-mail and password.

    Raises ``Unauthenticated`` with the reason ``invalid_credentials``, alike and after the same work whether or not the
    e-mail is known; ``RateLimited`` after too many tries with one e-mail.
    """
    email = email_of(body.email)
    await tries.count(shop, email)
    mine = Customer.filter(owner_id=shop.owner_id, store_id=shop.id)
    customer = await mine.get_or_none(login_email=email.value)
    known_hash = customer.password_hash if customer is not None else None
    verdict = await passwords.verify_password(body.password, known_hash)
    if customer is None or not verdict.is_right:
        raise _wrong()
    async with sql.transaction():
        # The password may have been replaced while it was being checked.
        held = await mine.select_for_update(no_key=True).get_or_none(id=customer.id, password_hash=known_hash)
        if held is None:
            raise _wrong()
        if verdict.new_hash is not None:
            held.password_hash = verdict.new_hash
            await held.save(update_fields=["password_hash"])
        await tries.forget(shop, [email])
        issued = await issue_token(shop.owner_id, shop.id, held.id, body.device or NAMELESS_DEVICE)
    return {"token": issued.secret, "customer": await records.profile(held)}


async def request_code(
    shop: Shop, body: CodeRequest, language: str | None = None, *, source: str = ""
) -> dict[str, Any]:
    """Send a code to a phone or an e-mail, alike for those who are known and those who are not.

    ``language`` is a tag or the value of ``Accept-Language``, ``source`` the address that asks.
    Raises ``ValidationFailed``, and ``RateLimited`` for what the source or the phone has had enough of.
    """
    await codes.request(shop, _one_identity(shop, body.phone, body.email), body.purpose, language, source)
    return {"sent": True, "expires_in": int(LOGIN_RULES.lifetime.total_seconds())}


async def verify_code(shop: Shop, body: CodeBody, *, source: str = "") -> dict[str, Any]:
    """Log in whoever got a code; who is not known becomes a customer.

    Emits ``CustomerCreated`` for somebody new. Raises ``ValidationFailed`` on ``code`` with the reason ``otp_invalid``,
    ``otp_expired`` or ``otp_exhausted``.
    """
    identity = _one_identity(shop, body.phone, body.email)
    async with sql.transaction():
        proof = await codes.redeem(shop, [identity], Purpose.LOGIN, body.code, source)
        if proof.identity is not None:
            entered = await _enter(shop, proof.identity, body.device or NAMELESS_DEVICE)
    if proof.identity is None:
        raise proof.to_error()
    return entered


async def logout(caller: Caller) -> dict[str, Any]:
    """Make the token that was used void, and no other."""
    await accounts.revoke_token(caller.owner_id, caller.token_id)
    return {"message": "You are logged out."}


async def _enter(shop: Shop, identity: Identity, device: str) -> dict[str, Any]:
    await claiming.lock(shop, [identity])
    claimed = await claiming.prove(shop, identity)
    if claimed.is_new:
        await announce(claimed.customer, "otp")
    issued = await issue_token(shop.owner_id, shop.id, claimed.customer.id, device)
    profile = await records.profile(claimed.customer)
    return {"token": issued.secret, "customer": profile, "created": claimed.is_new}


def _one_identity(shop: Shop, phone: str | None, email: str | None) -> Identity:
    if phone and email:
        raise ValidationFailed(email=["Give a phone number or an e-mail, not both."])
    if phone:
        return reachable_phone_of(phone, shop.country)
    if email:
        return email_of(email)
    raise ValidationFailed(phone=["This field is required."])


def _wrong() -> Unauthenticated:
    return Unauthenticated(WRONG, extras={"reason": "invalid_credentials"})
