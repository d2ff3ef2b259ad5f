"""Rows of connections, and what workers make of them."""

from typing import Final

import orjson
from comanda.contracts import API_PREFIX, EncryptedColumn
from comanda.platform import encryption, runtime
from comanda.platform.db import sql

from comanda_hubrise.client import Credentials
from comanda_hubrise.records import KnownConnection
from comanda_hubrise.settings import get_settings

CONNECTIONS: Final = "hubrise_connections"
"""The name of the queue."""
CREDENTIALS_COLUMN: Final = EncryptedColumn("hubrise_connection", "credentials")
COLUMNS: Final = """id, owner_id, store_id, location_id, location_name, catalog_id, credentials, sends_menu,
    sends_sold_out, cash_refs, catalog_hash, inventory_hash, checked_at, error, created_at"""
SELECT_CONNECTION: Final = f"SELECT {COLUMNS} FROM hubrise_connection WHERE owner_id = $1 AND id = $2"


async def find_connection(owner_id: int, connection_id: int) -> KnownConnection | None:
    """Return a connection, or None."""
    row = await sql.fetch_one(SELECT_CONNECTION, owner_id, connection_id)
    return None if row is None else to_known_connection(row)


def to_known_connection(row: sql.Row) -> KnownConnection:
    """Return the connection of a row with ``COLUMNS``. Raises ``DecryptionFailed``."""
    return sql.to_record(KnownConnection, row, cash_refs=tuple(row["cash_refs"]), credentials=decrypt_credentials(row))


def encrypt_credentials(credentials: Credentials, owner_id: int, connection_id: int) -> str:
    """Return credentials as they are stored."""
    values = {"access_token": credentials.access_token, "client_secret": credentials.client_secret}
    return encryption.encrypt(orjson.dumps(values).decode(), CREDENTIALS_COLUMN, owner_id, connection_id)


def decrypt_credentials(row: sql.Row) -> Credentials:
    """Return the credentials of a row. Raises ``DecryptionFailed``."""
    text = encryption.decrypt(row["credentials"], CREDENTIALS_COLUMN, row["owner_id"], row["id"])
    return Credentials(**orjson.loads(text))


def get_client_secret(connection: KnownConnection) -> str | None:
    """Return the secret that signs callbacks of a connection: its own, or the operator's."""
    if connection.credentials.client_secret is not None:
        return connection.credentials.client_secret
    secret = get_settings().client_secret
    return None if secret is None else secret.get_secret_value()


def get_callback_url(owner_id: int, connection_id: int) -> str:
    """Return where HubRise reports the orders of a connection."""
    return f"{runtime.settings().site_url.rstrip('/')}{API_PREFIX}/hubrise/{owner_id}/{connection_id}/callback"
