"""Identities: which account a person at a provider signs in to, and how one is linked."""

from collections.abc import Sequence
from typing import Final

from comanda.accounts import WebSession
from comanda.basics import Conflict, NotFound, Sentence, Unauthenticated, ValidationFailed, clock
from comanda.contracts import CallerKind, VerifiedLogin
from comanda.platform import runtime
from comanda.platform.db import sql

from comanda_oidc.models import Identity
from comanda_oidc.services.id_token_json import IdentityClaims
from comanda_oidc.settings import Provider

MAX_IDENTITIES: Final = 10

SELECT_IDENTITY: Final = "SELECT id, owner_id, kind, subject_id FROM oidc_identity WHERE issuer = $1 AND sub = $2"
UPDATE_USE: Final = "UPDATE oidc_identity SET last_used_at = $3 WHERE owner_id = $1 AND id = $2"
DELETE_STALE: Final = "DELETE FROM oidc_identity WHERE owner_id = $1 AND id = $2"
INSERT_IDENTITY: Final = """
    INSERT INTO oidc_identity (owner_id, kind, subject_id, issuer, sub, email, created_at, last_used_at)
    SELECT $1, $2, $3, $4, $5, $6, $7, $8
    ON CONFLICT (issuer, sub) DO NOTHING RETURNING id
"""


async def find_login(provider: Provider, claims: IdentityClaims) -> tuple[CallerKind, VerifiedLogin, bool]:
    """Return the account of an identity, and whether it is linked just now because their e-mail addresses are the same.

    Raises ``Unauthenticated`` if there is none, and ``NotFound`` for a suspended owner.
    """
    row = await sql.fetch_one(SELECT_IDENTITY, claims.issuer, claims.sub)
    if row is not None:
        found = await _find_linked(row)
        if found is not None:
            await sql.execute(UPDATE_USE, row["owner_id"], row["id"], clock.now())
            return *found, False
        # The account is gone, and the address may be that of another one.
        await sql.execute(DELETE_STALE, row["owner_id"], row["id"])
    kind, login = await _find_by_email(provider, claims)
    now = clock.now()
    account = (login.owner_id, kind.code, login.subject_id)
    made = await sql.fetch_value(INSERT_IDENTITY, *account, claims.issuer, claims.sub, claims.email, now, now)
    return kind, login, made is not None


async def link(session: WebSession, provider: Provider, claims: IdentityClaims) -> int:
    """Link an identity to the account of a person who is signed in, and return its id.

    Raises ``ValidationFailed`` if the provider has not verified the address or its domain is not allowed, and
    ``Conflict`` if the identity is another account's.
    """
    if not claims.email or not provider.is_allowed(claims.email):
        raise ValidationFailed(email=[Sentence("This address may not sign in here. Ask your administrator.")])
    if len(await list_identities(session)) >= MAX_IDENTITIES:
        raise Conflict(Sentence("This account has too many linked sign-ins. Unlink one first."))
    account = (session.owner_id, session.kind, session.subject_id)
    made = await sql.fetch_value(INSERT_IDENTITY, *account, claims.issuer, claims.sub, claims.email, clock.now(), None)
    if made is None:
        raise Conflict(Sentence("This sign-in is linked already, to this account or to another one."))
    return int(made)


async def list_identities(session: WebSession) -> Sequence[Identity]:
    """List the identities of a person who is signed in."""
    return await Identity.filter(owner_id=session.owner_id, kind=session.kind, subject_id=session.subject_id).order_by(
        "id"
    )


async def unlink(session: WebSession, identity_id: int) -> None:
    """Unlink an identity of a person who is signed in. Raises ``NotFound``."""
    mine = Identity.filter(owner_id=session.owner_id, kind=session.kind, subject_id=session.subject_id, id=identity_id)
    if not await mine.delete():
        raise NotFound


async def _find_linked(row: sql.Row) -> tuple[CallerKind, VerifiedLogin] | None:
    kind = runtime.registry().caller_kinds.get(row["kind"])
    if kind is None or kind.password_login is None:
        raise create_unknown_error()
    login = await kind.password_login.find(row["owner_id"], row["subject_id"])
    return None if login is None else (kind, login)


async def _find_by_email(provider: Provider, claims: IdentityClaims) -> tuple[CallerKind, VerifiedLogin]:
    if not claims.email or not provider.is_allowed(claims.email):
        raise create_unknown_error()
    kinds = [kind for kind in runtime.registry().caller_kinds.values() if kind.password_login is not None]
    # As with passwords, an owner comes first.
    for kind in sorted(kinds, key=lambda kind: (kind.code != "owner", kind.code)):
        logins = await kind.password_login.find_by_email(claims.email) if kind.password_login is not None else []
        if len(logins) > 1:
            raise Unauthenticated(
                Sentence("Several accounts here use this address. Sign in with your password and link one of them.")
            )
        if logins:
            return kind, logins[0]
    raise create_unknown_error()


def create_unknown_error() -> Unauthenticated:
    """Return the error for a person who has no account here, or whose address proves nothing."""
    return Unauthenticated(
        Sentence("No account here uses this address. Ask your administrator to create one."),
        extras={"reason": "invalid_credentials"},
    )
