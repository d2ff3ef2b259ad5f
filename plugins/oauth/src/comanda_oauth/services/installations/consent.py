"""Consent: an owner installs an app, or a customer connects one, and the app gets an authorization code."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from typing import Final

from comanda.accounts import require_scopes_to_grant, tokens
from comanda.basics import clock
from comanda.contracts import Caller
from comanda.platform.db import sql

from comanda_oauth.errors import AppUnavailable
from comanda_oauth.models import AuthorizationCode
from comanda_oauth.records import Installation
from comanda_oauth.scopes import USE_MCP
from comanda_oauth.services.clients.client_lookup import load_client
from comanda_oauth.services.installations import app_installation, connections
from comanda_oauth.services.installations.authorization_requests import AuthorizationRequest
from comanda_oauth.services.tokens.authlib_server import MemoryRequest, MemoryServer, OAuth2Error

# More than one is enough to have to ask.
SELECT_SLUGS: Final = """
    SELECT s.slug FROM core_store_v1 s JOIN core_owner_v1 o ON o.id = s.owner_id
    WHERE s.is_published AND s.is_listed AND NOT o.is_suspended LIMIT 2
"""
CODE_LIFETIME: Final = timedelta(seconds=120)
SELECT_STORES: Final = "SELECT id, title FROM core_store_v1 WHERE owner_id = $1 ORDER BY title, id LIMIT $2"
MAX_STORES: Final = 500
SELECT_OWNER: Final = "SELECT name, email FROM core_owner_v1 WHERE id = $1"


@dataclass(frozen=True, slots=True)
class StoreChoice:
    """A store that an app can be limited to."""

    id: int
    title: str


@dataclass(frozen=True, slots=True)
class ConsentingOwner:
    """The owner whose account an app asks for."""

    name: str
    email: str


async def get_owner(owner_id: int) -> ConsentingOwner:
    """Return the name and address of an owner, so that a person with several accounts sees which one it is."""
    return sql.to_record(ConsentingOwner, await sql.one(SELECT_OWNER, owner_id))


async def list_stores(owner_id: int) -> list[StoreChoice]:
    """Return the stores that an owner can limit an app to."""
    return [sql.to_record(StoreChoice, row) for row in await sql.fetch(SELECT_STORES, owner_id, MAX_STORES)]


async def find_only_store() -> str:
    """Return the slug of the installation's store, if it has one that it lists, and no other; else nothing."""
    found = await sql.fetch(SELECT_SLUGS)
    return found[0]["slug"] if len(found) == 1 else ""


async def approve(caller: Caller, request: AuthorizationRequest, store_id: int | None) -> str:
    """Install the app, or change its installation to what it asks for, and return the address with its code.

    Raises ``Forbidden`` if the owner's session lacks a scope, ``NotFound`` for a store of another owner. Emits
    ``AppInstalled`` or ``AppScopesChanged``.
    """
    require_scopes_to_grant(caller, (scope for scope in request.scopes if scope != USE_MCP))
    client, actor = request.client.id, caller.actor
    install = partial(app_installation.install, caller.owner_id, client, request.scopes, actor=actor, store_id=store_id)
    return await _issue_code(caller, request, install)


async def approve_as_customer(caller: Caller, request: AuthorizationRequest) -> str:
    """Connect the client for a customer, and return the address with its code.

    Raises ``NotFound`` for a customer whose data was erased, ``ValidationFailed`` for one with too many connections.
    """
    return await _issue_code(caller, request, partial(connections.connect, caller, request.client.id, request.scopes))


async def _issue_code(
    caller: Caller, request: AuthorizationRequest, install: Callable[[], Awaitable[Installation]]
) -> str:
    code = await _run_grant(request)
    moment = clock.now()
    async with sql.transaction():
        installation = await install()
        await AuthorizationCode.create(
            owner_id=caller.owner_id,
            installation_id=installation.id,
            code_hash=tokens.hash_token(code),
            actor=caller.actor,
            redirect_uri=request.redirect_uri,
            is_redirect_given=request.is_redirect_given,
            scopes=list(request.scopes),
            resource=request.resource,
            code_challenge=request.code_challenge,
            is_expiring=request.is_expiring,
            created_at=moment,
            expires_at=moment + CODE_LIFETIME,
        )
    return request.build_location(code=code)


def deny(request: AuthorizationRequest) -> str:
    """Return the address that tells the client that the person refused."""
    return request.build_location(error="access_denied", error_description="Consent was refused.")


async def _run_grant(request: AuthorizationRequest) -> str:
    """Return a new code from Authlib's grant. Raises ``AppUnavailable`` if the client was deleted meanwhile."""
    server = MemoryServer(await load_client(request.client.client_id))
    try:
        grant = server.get_consent_grant(MemoryRequest("GET", request.parameters))
        grant.create_authorization_response(request.redirect_uri, request)
    except OAuth2Error as error:
        raise AppUnavailable from error
    if server.issued_code is None:
        raise AppUnavailable
    return server.issued_code
