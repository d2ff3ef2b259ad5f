"""Connections: what customers of a store granted to clients, such as their assistants. They end without a trace."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

import structlog
from comanda.accounts import services as accounts
from comanda.basics import NotFound, ValidationFailed, clock
from comanda.contracts import Caller, Person, PersonalDataEraser
from comanda.platform.db import sql
from comanda_customers import api as customers

from comanda_oauth import models
from comanda_oauth.records import Installation
from comanda_oauth.services.installations.app_installation import lock_client
from comanda_oauth.services.installations.installations import to_installation
from comanda_oauth.services.tokens.token_issuance import revoke_grant

log = structlog.get_logger(__name__)

MAX_CONNECTIONS: Final = 20
SELECT_CONNECTIONS: Final = """
    SELECT i.id, c.name, i.installed_at AS connected_at
    FROM oauth_installation i JOIN oauth_client c ON c.id = i.client_row_id
    WHERE i.owner_id = $1 AND i.customer_id = $2 ORDER BY i.id DESC
"""
SELECT_CONSENTS: Final = """
    SELECT c.name, c.client_id, i.scopes, i.installed_at AS connected_at
    FROM oauth_installation i JOIN oauth_client c ON c.id = i.client_row_id
    WHERE i.owner_id = $1 AND i.customer_id = $2 ORDER BY i.id
"""
SELECT_TOO_WIDE: Final = """
    SELECT id FROM oauth_grant
    WHERE owner_id = $1 AND installation_id = $2 AND revoked_at IS NULL AND NOT scopes <@ $3::text[]
"""
SELECT_TOKENS: Final = """
    SELECT t.id FROM oauth_access_token t JOIN oauth_grant g ON g.id = t.grant_id AND g.owner_id = t.owner_id
    WHERE g.owner_id = $1 AND g.installation_id = $2
"""
SELECT_OF_CLIENT: Final = """
    SELECT id, owner_id FROM oauth_installation WHERE client_row_id = $1 AND customer_id IS NOT NULL ORDER BY id
"""


@dataclass(frozen=True, slots=True)
class Connection:
    """A client that acts for a customer."""

    id: int
    name: str
    connected_at: datetime


async def connect(customer: Caller, client_row_id: int, granted: Sequence[str]) -> Installation:
    """Grant a client exactly these scopes for a customer, in the open transaction.

    Tokens with more end. Raises ``AppUnavailable`` for a suspended client, ``NotFound`` for a customer whose data was
    erased, ``ValidationFailed`` for one with too many connections.
    """
    owner_id, store_id, customer_id = customer.owner_id, customer.known_store_id, customer.known_subject_id
    client = await lock_client(client_row_id)
    # Serializes two consents of one customer, and waits for an erasure.
    if not await customers.lock_customer(owner_id, store_id, customer_id):
        raise NotFound
    mine = models.Installation.filter(owner_id=owner_id, customer_id=customer_id)
    row = await mine.filter(client_row_id=client_row_id).select_for_update().first()
    if row is None:
        if await mine.count() >= MAX_CONNECTIONS:
            raise ValidationFailed(client_id=[f"At most {MAX_CONNECTIONS} assistants can be connected."])
        row = models.Installation(
            owner_id=owner_id,
            client_row_id=client_row_id,
            client_id=client["client_id"],
            store_id=store_id,
            customer_id=customer_id,
            installed_at=clock.now(),
        )
    else:
        for grant in await sql.fetch(SELECT_TOO_WIDE, owner_id, row.id, list(granted)):
            await revoke_grant(owner_id, grant["id"])
    row.scopes, row.updated_at = list(granted), clock.now()
    await row.save()
    log.info("assistant_connected", owner_id=owner_id, customer_id=customer_id, connection_id=row.id)
    return to_installation(row)


async def list_connections(customer: Caller) -> list[Connection]:
    """List what a customer has connected, newest first."""
    rows = await sql.fetch(SELECT_CONNECTIONS, customer.owner_id, customer.subject_id)
    return [sql.to_record(Connection, row) for row in rows]


async def disconnect(customer: Caller, connection_id: int) -> None:
    """End a connection of a customer and its tokens. One that has ended already, or is another's, is none."""
    async with sql.transaction():
        mine = models.Installation.filter(owner_id=customer.owner_id, customer_id=customer.known_subject_id)
        row = await mine.filter(id=connection_id).select_for_update().first()
        if row is not None:
            await _end(row)


async def disconnect_all_of_client(client_row_id: int) -> None:
    """End the connections of all customers to a client, in the open transaction."""
    for place in await sql.fetch(SELECT_OF_CLIENT, client_row_id):
        found = models.Installation.filter(owner_id=place["owner_id"], id=place["id"])
        if (row := await found.select_for_update().first()) is not None:
            await _end(row)


async def erase_connections(person: Person) -> None:
    """End all connections of a customer who is erased."""
    mine = models.Installation.filter(owner_id=person.owner_id, customer_id=person.customer_id)
    for row in await mine.order_by("id").select_for_update():
        await _end(row)


async def _end(row: models.Installation) -> None:
    # The row takes codes, grants, refresh tokens and links to access tokens with it.
    issued = await sql.fetch(SELECT_TOKENS, row.owner_id, row.id)
    await accounts.revoke_tokens_by_id(row.owner_id, [token["id"] for token in issued])
    await models.Installation.filter(owner_id=row.owner_id, id=row.id).delete()
    log.info("assistant_disconnected", owner_id=row.owner_id, customer_id=row.customer_id, connection_id=row.id)


async def export_connections(person: Person) -> Sequence[Mapping[str, Any]]:
    """Return what a person has connected, and what it may do."""
    rows = await sql.fetch(SELECT_CONSENTS, person.owner_id, person.customer_id)
    return [dict(row) for row in rows]


ERASER: Final = PersonalDataEraser("oauth", erase_connections, export=export_connections)
