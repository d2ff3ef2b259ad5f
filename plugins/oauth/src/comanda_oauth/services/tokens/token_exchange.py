"""The token endpoint: a code or a refresh token for tokens.

What a grant needs is loaded and locked first, Authlib's grant decides on it, and what it grants is stored.
"""

from dataclasses import dataclass
from typing import Final

from authlib.oauth2.rfc6749 import InvalidGrantError
from comanda.accounts import tokens
from comanda.basics import clock
from comanda.platform.db import sql

from comanda_oauth import scopes
from comanda_oauth.errors import OAuthError
from comanda_oauth.models import AuthorizationCode, Installation
from comanda_oauth.records import Client
from comanda_oauth.services import resources
from comanda_oauth.services.clients.client_lookup import load_client
from comanda_oauth.services.installations import installations
from comanda_oauth.services.tokens import refresh_tokens
from comanda_oauth.services.tokens.authlib_server import LoadedClient, LoadedCode, MemoryServer, OAuth2Error
from comanda_oauth.services.tokens.grant_checks import require_enabled, to_oauth_error
from comanda_oauth.services.tokens.token_issuance import IssuedTokens, create_grant, issue_tokens, revoke_grant
from comanda_oauth.services.tokens.token_requests import ClientRequest

INVALID_CODE: Final = "The code is unknown, expired or used, or was issued to another client or redirect address."
SELECT_INSTALLATION_OF_CODE: Final = "SELECT id, owner_id, installation_id FROM oauth_code WHERE code_hash = $1"


@dataclass(frozen=True, slots=True)
class _LoadedExchange:
    """A code, locked, and the installation that it belongs to, None if that has ended."""

    code: AuthorizationCode
    installation: Installation | None

    @property
    def client_row_id(self) -> int:
        return self.installation.client_row_id if self.installation is not None else 0


async def answer_token_request(request: ClientRequest) -> IssuedTokens:
    """Return the tokens for a code or a refresh token. Raises ``OAuthError``."""
    client = await load_client(request.client_id)
    if request.get("grant_type") == "authorization_code":
        return await _exchange_code(request, client)
    if request.get("grant_type") == "refresh_token":
        return await refresh_tokens.refresh(request, client)
    if request.get("grant_type") is None:
        raise OAuthError("invalid_request", "The parameter grant_type is required.")
    raise OAuthError("unsupported_grant_type", "The grant_type must be authorization_code or refresh_token.")


async def _exchange_code(request: ClientRequest, client: LoadedClient | None) -> IssuedTokens:
    # The outcome is decided inside and raised outside, so that a refusal is stored too.
    async with sql.transaction():
        outcome = await _decide(request, client)
    if isinstance(outcome, OAuthError):
        raise outcome
    return outcome


async def _decide(request: ClientRequest, client: LoadedClient | None) -> IssuedTokens | OAuthError:
    loaded = await _load_code(request.get("code") or "")
    server = MemoryServer(client, code=_to_authlib(loaded))
    try:
        server.grant_token(request.to_authlib())
        if client is None or loaded is None or loaded.installation is None:
            raise InvalidGrantError(INVALID_CODE)
        await _check(request, client.client, loaded)
    except OAuth2Error as error:
        if isinstance(error, InvalidGrantError):
            await _burn(client, loaded)
            return OAuthError("invalid_grant", INVALID_CODE)
        return to_oauth_error(error)
    except OAuthError as error:
        return error
    return await _store(request, client.client, loaded.code, loaded.installation)


async def _load_code(code: str) -> _LoadedExchange | None:
    """Return a code and its installation, locked until the transaction ends.

    Of two requests with one code, the second sees it used. The installation is locked first, as everywhere.
    """
    digest = tokens.hash_token(code)
    place = await sql.fetch_one(SELECT_INSTALLATION_OF_CODE, digest)
    if place is None:
        return None
    installation = await installations.lock_active_installation(place["owner_id"], place["installation_id"])
    row = await AuthorizationCode.filter(owner_id=place["owner_id"], id=place["id"]).select_for_update().first()
    return None if row is None else _LoadedExchange(row, installation)


def _to_authlib(loaded: _LoadedExchange | None) -> LoadedCode | None:
    if loaded is None:
        return None
    code = loaded.code
    return LoadedCode(
        client_row_id=loaded.client_row_id,
        redirect_uri=code.redirect_uri if code.is_redirect_given else "",
        scope=" ".join(code.scopes),
        code_challenge=code.code_challenge,
    )


async def _check(request: ClientRequest, client: Client, loaded: _LoadedExchange) -> None:
    """Check what Authlib does not know of. Raises ``InvalidGrantError`` or ``OAuthError``."""
    code = loaded.code
    await require_enabled(client, code.owner_id)
    if code.used_at is not None or code.expires_at <= clock.now():
        raise InvalidGrantError(INVALID_CODE)
    if (request.get("redirect_uri") or code.redirect_uri) != code.redirect_uri:
        raise InvalidGrantError(INVALID_CODE)
    if not scopes.includes(code.scopes, scopes.parse(request.get("scope") or "")):
        raise OAuthError("invalid_scope", "The scopes of a code are those that the owner consented to.")
    resource = resources.normalize(request.get("resource"))
    if resource is not None and code.resource is not None and resource != code.resource:
        raise OAuthError("invalid_target", "The code is for another resource.")


async def _burn(client: LoadedClient | None, loaded: _LoadedExchange | None) -> None:
    """Mark the code of the authenticated client as used, and revoke what an earlier use of it issued."""
    if client is None or loaded is None or loaded.client_row_id != client.client.id:
        return
    code = loaded.code
    if code.used_at is None:
        code.used_at = clock.now()
        await code.save(update_fields=["used_at"])
    elif code.grant_id is not None:
        await revoke_grant(code.owner_id, code.grant_id)


async def _store(
    request: ClientRequest, client: Client, code: AuthorizationCode, installation: Installation
) -> IssuedTokens:
    is_asked = code.is_expiring or request.get("expiring") == "1"
    is_expiring = client.is_public or client.is_expiring or installation.customer_id is not None or is_asked
    # The owner may have changed the installation since.
    granted = scopes.intersect(code.scopes, installation.scopes)
    resource = code.resource or resources.normalize(request.get("resource"))
    grant = await create_grant(installation, granted, resource, is_expiring=is_expiring)
    code.used_at, code.grant_id = clock.now(), grant.id
    await code.save(update_fields=["used_at", "grant_id"])
    return await issue_tokens(installation, grant, granted)
