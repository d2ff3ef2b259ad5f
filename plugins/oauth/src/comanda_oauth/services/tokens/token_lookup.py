"""Revocation (RFC 7009) and introspection (RFC 7662) of a client's own tokens."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from comanda.accounts import tokens
from comanda.basics import clock
from comanda.platform import runtime
from comanda.platform.db import sql

from comanda_oauth.caller_kinds import APP, ASSISTANT
from comanda_oauth.errors import OAuthError
from comanda_oauth.records import Client
from comanda_oauth.scopes import to_wire
from comanda_oauth.services import resources
from comanda_oauth.services.clients.client_lookup import load_client
from comanda_oauth.services.tokens.authlib_server import AUTH_METHODS, MemoryServer, OAuth2Error
from comanda_oauth.services.tokens.grant_checks import to_oauth_error
from comanda_oauth.services.tokens.token_issuance import REFRESH_PREFIX, revoke_grant
from comanda_oauth.services.tokens.token_requests import ClientRequest

SELECT_PLACE_OF_ACCESS: Final = "SELECT owner_id, id FROM oauth_access_token WHERE token_hash = $1"
SELECT_PLACE_OF_REFRESH: Final = "SELECT owner_id, id FROM oauth_refresh_token WHERE token_hash = $1"
SELECT_ACCESS: Final = """
    SELECT a.owner_id, t.scopes, t.expires_at, t.created_at, g.id AS grant_id, g.resource, i.id AS installation_id,
        i.customer_id, i.client_row_id,
        t.revoked_at IS NULL AND g.revoked_at IS NULL AND i.uninstalled_at IS NULL AS is_valid
    FROM oauth_access_token a JOIN core_access_token_v1 t ON t.id = a.id AND t.owner_id = a.owner_id
    JOIN oauth_grant g ON g.id = a.grant_id AND g.owner_id = a.owner_id
    JOIN oauth_installation i ON i.id = g.installation_id AND i.owner_id = g.owner_id
    WHERE a.owner_id = $1 AND a.id = $2
"""
SELECT_REFRESH: Final = """
    SELECT r.owner_id, g.scopes, r.expires_at, r.created_at, g.id AS grant_id, g.resource, i.id AS installation_id,
        i.customer_id, i.client_row_id,
        r.superseded_at IS NULL AND g.revoked_at IS NULL AND i.uninstalled_at IS NULL AS is_valid
    FROM oauth_refresh_token r JOIN oauth_grant g ON g.id = r.grant_id AND g.owner_id = r.owner_id
    JOIN oauth_installation i ON i.id = g.installation_id AND i.owner_id = g.owner_id
    WHERE r.owner_id = $1 AND r.id = $2
"""


@dataclass(frozen=True, slots=True)
class FoundToken:
    """An access token or a refresh token of any client. ``is_valid`` says nothing of its expiry."""

    owner_id: int
    scopes: list[str]
    expires_at: datetime | None
    created_at: datetime
    grant_id: int
    resource: str | None
    installation_id: int
    customer_id: int | None
    client_row_id: int
    is_valid: bool

    @property
    def is_active(self) -> bool:
        """Whether the token can be used now."""
        return self.is_valid and (self.expires_at is None or self.expires_at > clock.now())


async def revoke(request: ClientRequest) -> None:
    """Revoke a token of the client and everything of the same grant; any other token is ignored.

    Raises ``OAuthError`` for a client that does not authenticate, or without a token.
    """
    client = await _authenticate(request)
    found = await _find_token(_require_token(request))
    if found is not None and found.client_row_id == client.id:
        async with sql.transaction():
            await revoke_grant(found.owner_id, found.grant_id)


async def introspect(request: ClientRequest) -> Mapping[str, object]:
    """Return what a confidential client may know of a token of its own; any other token is inactive.

    Raises ``OAuthError`` for a client that does not authenticate, or without a token.
    """
    client = await _authenticate(request)
    if client.is_public:
        raise OAuthError("invalid_client", "Only clients with a secret may ask about tokens.")
    token = _require_token(request)
    found = await _find_token(token)
    if found is None or found.client_row_id != client.id or not found.is_active or not client.is_enabled:
        return {"active": False}
    return _describe(found, client, is_refresh=token.startswith(REFRESH_PREFIX))


async def _authenticate(request: ClientRequest) -> Client:
    client = await load_client(request.client_id)
    try:
        MemoryServer(client).authenticate_client(request.to_authlib(), AUTH_METHODS)
    except OAuth2Error as error:
        raise to_oauth_error(error) from error
    if client is None:
        raise OAuthError("invalid_client")
    return client.client


def _require_token(request: ClientRequest) -> str:
    token = request.get("token")
    if token is None:
        raise OAuthError("invalid_request", "The parameter token is required.")
    return token


async def _find_token(token: str) -> FoundToken | None:
    if any(tokens.is_well_formed(token, kind.prefix) for kind in (APP, ASSISTANT)):
        statements = SELECT_PLACE_OF_ACCESS, SELECT_ACCESS
    elif tokens.is_well_formed(token, REFRESH_PREFIX):
        statements = SELECT_PLACE_OF_REFRESH, SELECT_REFRESH
    else:
        return None
    place = await sql.fetch_one(statements[0], tokens.hash_token(token))
    row = None if place is None else await sql.fetch_one(statements[1], place["owner_id"], place["id"])
    return None if row is None else sql.to_record(FoundToken, row)


def _describe(found: FoundToken, client: Client, *, is_refresh: bool) -> Mapping[str, object]:
    site = runtime.settings().site_url
    described = {
        "active": True,
        "client_id": client.client_id,
        "scope": to_wire(found.scopes),
        "sub": str(found.owner_id) if found.customer_id is None else f"customer:{found.customer_id}",
        "installation_id": found.installation_id,
        "iss": site,
        "aud": resources.to_address(found.resource),
        "iat": int(found.created_at.timestamp()),
    }
    if found.expires_at is not None:
        described["exp"] = int(found.expires_at.timestamp())
    return described if is_refresh else {**described, "token_type": "Bearer"}
