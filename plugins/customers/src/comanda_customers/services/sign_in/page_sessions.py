"""Customers who sign in on a store's page: by code, into a web session instead of a token that scripts could read."""

from dataclasses import dataclass

from comanda.accounts import WebSession, web_sessions
from comanda.basics import Sentence, Unauthenticated
from comanda.contracts import Call, Caller
from comanda.platform.db import sql
from comanda.web import find_customer_session

from comanda_customers.caller_kinds import CUSTOMER
from comanda_customers.models import Purpose
from comanda_customers.schemas.accounts import CodeBody
from comanda_customers.services.sign_in import login, verification_codes
from comanda_customers.services.sign_in.tokens import SCOPES
from comanda_customers.services.stores import CustomerStore


@dataclass(frozen=True, slots=True)
class OpenedSession:
    """A session that was just opened: the secret for its cookie, and the customer as a caller."""

    secret: str
    caller: Caller


async def open_session(
    store: CustomerStore, body: CodeBody, before: WebSession | None, *, name: str, source: str = ""
) -> OpenedSession:
    """Sign in by code in a new session, and end the one ``before`` of this browser.

    ``name`` is the browser's. A new phone creates a customer.

    Emits ``CustomerCreated`` for a new customer. Raises ``ValidationFailed`` on ``code`` as ``login.log_in_by_code``.
    """
    identity = login.parse_login_identity(store, body.phone, body.email)
    async with sql.transaction():
        proof = await verification_codes.redeem_code(store, [identity], Purpose.LOGIN, body.code, source)
        if proof.identity is not None:
            claimed = await login.claim_verified_identity(store, proof.identity)
            if before is not None:
                await web_sessions.end_session(before.owner_id, before.id)
            secret, session = await web_sessions.create_session(
                owner_id=store.owner_id,
                kind=CUSTOMER.code,
                store_id=store.id,
                subject_id=claimed.customer.id,
                scopes=SCOPES,
                name=name,
            )
    if proof.identity is None:
        raise proof.to_error()
    return OpenedSession(secret, session.caller)


async def require_customer(call: Call, store: CustomerStore) -> Caller:
    """Return the customer who calls from the store's page. Raises ``Unauthenticated`` if nobody is signed in."""
    session = await find_customer_session(call, store.owner_id, store.id)
    if session is None:
        raise Unauthenticated(Sentence("You are not signed in."), extras={"reason": "signed_out"})
    return session.caller


async def close_session(call: Call, store: CustomerStore) -> None:
    """End the session of the browser that calls, if it has one."""
    session = await find_customer_session(call, store.owner_id, store.id)
    if session is not None:
        await web_sessions.end_session(session.owner_id, session.id)
