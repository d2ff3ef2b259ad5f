"""Refresh tokens: each use issues a successor, and the first use of a successor ends its predecessor.

A client that lost an answer can repeat its request with the same token. A token that was ended and is used again was
stolen, or its successor was: the whole grant ends then (RFC 9700, section 4.14).
"""

from dataclasses import dataclass
from typing import Final

from authlib.oauth2.rfc6749 import InvalidGrantError
from comanda.accounts import services as accounts
from comanda.accounts import tokens
from comanda.basics import clock
from comanda.platform.db import sql

from comanda_oauth import scopes
from comanda_oauth.errors import OAuthError
from comanda_oauth.models import Grant, Installation, RefreshToken
from comanda_oauth.services import resources
from comanda_oauth.services.installations import installations
from comanda_oauth.services.tokens.authlib_server import LoadedClient, LoadedRefreshToken, MemoryServer, OAuth2Error
from comanda_oauth.services.tokens.grant_checks import require_enabled, to_oauth_error
from comanda_oauth.services.tokens.token_issuance import REFRESH_PREFIX, IssuedTokens, issue_tokens, revoke_grant
from comanda_oauth.services.tokens.token_requests import ClientRequest

INVALID_REFRESH: Final = "The refresh token is unknown, expired, revoked or used, or was issued to another client."
SELECT_BY_HASH: Final = "SELECT id, owner_id, grant_id FROM oauth_refresh_token WHERE token_hash = $1"
SELECT_INSTALLATION: Final = "SELECT installation_id FROM oauth_grant WHERE owner_id = $1 AND id = $2"
# The predecessor, and other successors of it: a client that repeats its request keeps one of them.
SUPERSEDE: Final = """
    UPDATE oauth_refresh_token SET superseded_at = $5
    WHERE owner_id = $1 AND grant_id = $2 AND superseded_at IS NULL AND id <> $3 AND (id = $4 OR previous_id = $4)
    RETURNING access_token_id
"""


@dataclass(frozen=True, slots=True)
class _LoadedRefresh:
    """A refresh token, its grant and its installation, locked; no installation if that has ended."""

    token: RefreshToken
    grant: Grant
    installation: Installation | None

    @property
    def client_row_id(self) -> int:
        return self.installation.client_row_id if self.installation is not None else 0


async def refresh(request: ClientRequest, client: LoadedClient | None) -> IssuedTokens:
    """Return new tokens for a refresh token. Raises ``OAuthError``."""
    async with sql.transaction():
        outcome = await _decide(request, client)
    if isinstance(outcome, OAuthError):
        raise outcome
    return outcome


async def _decide(request: ClientRequest, client: LoadedClient | None) -> IssuedTokens | OAuthError:
    loaded = await _load(request.get("refresh_token") or "")
    server = MemoryServer(client, refresh_token=_to_authlib(loaded))
    try:
        server.grant_token(request.to_authlib())
        if client is None or loaded is None or loaded.installation is None:
            raise InvalidGrantError(INVALID_REFRESH)
        await require_enabled(client.client, loaded.token.owner_id)
        if loaded.token.superseded_at is not None:
            await revoke_grant(loaded.token.owner_id, loaded.grant.id)
            raise InvalidGrantError(INVALID_REFRESH)
        _check(request, loaded)
    except OAuth2Error as error:
        is_grant = isinstance(error, InvalidGrantError)
        return OAuthError("invalid_grant", INVALID_REFRESH) if is_grant else to_oauth_error(error)
    except OAuthError as error:
        return error
    return await _rotate(request, loaded, loaded.installation)


async def _load(refresh_token: str) -> _LoadedRefresh | None:
    if not tokens.is_well_formed(refresh_token, REFRESH_PREFIX):
        return None
    place = await sql.fetch_one(SELECT_BY_HASH, tokens.hash_token(refresh_token))
    if place is None:
        return None
    owner_id = place["owner_id"]
    installation_id = await sql.fetch_value(SELECT_INSTALLATION, owner_id, place["grant_id"])
    installation = await installations.lock_active_installation(owner_id, installation_id)
    # Two requests with one token wait for each other here.
    grant = await Grant.filter(owner_id=owner_id, id=place["grant_id"]).select_for_update().first()
    token = await RefreshToken.get_or_none(owner_id=owner_id, id=place["id"])
    return None if grant is None or token is None else _LoadedRefresh(token, grant, installation)


def _to_authlib(loaded: _LoadedRefresh | None) -> LoadedRefreshToken | None:
    if loaded is None:
        return None
    # Scopes are compared one by one there, so those that others include are listed too.
    granted = [name for name in scopes.NAMES if scopes.includes(loaded.grant.scopes, [name])]
    return LoadedRefreshToken(loaded.client_row_id, f"{' '.join(granted)} {scopes.to_wire(granted)}")


def _check(request: ClientRequest, loaded: _LoadedRefresh) -> None:
    """Check what Authlib does not know of. Raises ``InvalidGrantError`` or ``OAuthError``."""
    if loaded.grant.revoked_at is not None or loaded.token.expires_at <= clock.now():
        raise InvalidGrantError(INVALID_REFRESH)
    resource = resources.normalize(request.get("resource"))
    if resource is not None and resource != loaded.grant.resource:
        raise OAuthError("invalid_target", "The refresh token is for another resource.")


async def _rotate(request: ClientRequest, loaded: _LoadedRefresh, installation: Installation) -> IssuedTokens:
    token, grant = loaded.token, loaded.grant
    if token.used_at is None:
        token.used_at = clock.now()
        await token.save(update_fields=["used_at"])
        if token.previous_id is not None:
            await _supersede(token)
    wanted = scopes.parse(request.get("scope") or "") or grant.scopes
    # The owner may have changed the installation since.
    granted = scopes.intersect(wanted, installation.scopes)
    return await issue_tokens(installation, grant, granted, previous_id=token.id)


async def _supersede(token: RefreshToken) -> None:
    ended = await sql.fetch(SUPERSEDE, token.owner_id, token.grant_id, token.id, token.previous_id, clock.now())
    await accounts.revoke_tokens_by_id(token.owner_id, [row["access_token_id"] for row in ended])
