"""Clients by their public id, as requests name them before anybody is known."""

from dataclasses import replace
from functools import partial
from typing import Final

from comanda.basics import clock
from comanda.platform.db import sql

from comanda_oauth.models import Client
from comanda_oauth.services.clients import client_secrets, clients, metadata_documents
from comanda_oauth.services.tokens.authlib_server import LoadedClient

MAX_CLIENT_ID_LENGTH = 2048
SELECT_SUSPENDED: Final = "SELECT is_suspended FROM core_owner_v1 WHERE id = $1"


async def find_client_row(client_id: str) -> Client | None:
    """Return a client that is not deleted, or None."""
    if not client_id or len(client_id) > MAX_CLIENT_ID_LENGTH or "\0" in client_id:
        return None
    return await Client.get_or_none(client_id=client_id, deleted_at=None)


async def load_client(client_id: str) -> LoadedClient | None:
    """Return a client for Authlib's grants, or None. The one of a suspended developer is not enabled."""
    row = await find_client_row(client_id)
    if row is None:
        return None
    client = clients.to_client(row)
    if await sql.fetch_value(SELECT_SUSPENDED, row.owner_id):
        client = replace(client, is_enabled=False)
    return LoadedClient(client, partial(_is_valid_secret, row))


async def load_requesting_client(client_id: str) -> LoadedClient | None:
    """Return the client of an authorization request, or None; one known by its metadata document is read first."""
    await metadata_documents.refresh_client(client_id)
    return await load_client(client_id)


def _is_valid_secret(row: Client, secret: str) -> bool:
    return client_secrets.is_valid_secret(row, secret, clock.now())
