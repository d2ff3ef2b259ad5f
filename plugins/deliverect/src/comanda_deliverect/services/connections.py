"""Connections of stores to locations at Deliverect, with credentials that are stored encrypted."""

from dataclasses import asdict
from typing import Final

import asyncpg
import orjson
from comanda.basics import Conflict, Sentence, Unavailable, ValidationFailed, clock
from comanda.contracts import API_PREFIX, Caller, EncryptedColumn
from comanda.platform import encryption, runtime
from comanda.platform.db import sql
from comanda.stores import require_store
from comanda.web import N_

from comanda_deliverect.client import (
    Credentials,
    DeliverectInvalid,
    DeliverectRefused,
    DeliverectUnavailable,
    open_client,
)
from comanda_deliverect.records import DeliverectConnection, KnownConnection
from comanda_deliverect.schemas import DeliverectConnectionBody
from comanda_deliverect.settings import get_settings

CREDENTIALS_COLUMN: Final = EncryptedColumn("deliverect_connection", "credentials")
COLUMNS: Final = "id, owner_id, store_id, account_id, location_id, credentials, created_at"
SELECT_CONNECTION: Final = f"SELECT {COLUMNS} FROM deliverect_connection WHERE owner_id = $1 AND id = $2"
SELECT_OF_STORE: Final = f"SELECT {COLUMNS} FROM deliverect_connection WHERE owner_id = $1 AND store_id = $2"
UPSERT_CONNECTION: Final = """
    INSERT INTO deliverect_connection (owner_id, store_id, account_id, location_id, credentials, created_at, updated_at)
    VALUES ($1, $2, $3, $4, '', $5, $5)
    ON CONFLICT (store_id, owner_id) DO UPDATE SET account_id = EXCLUDED.account_id,
        location_id = EXCLUDED.location_id, updated_at = EXCLUDED.updated_at
    RETURNING id
"""
UPDATE_CREDENTIALS: Final = "UPDATE deliverect_connection SET credentials = $3 WHERE owner_id = $1 AND id = $2"
DELETE_CONNECTION: Final = "DELETE FROM deliverect_connection WHERE owner_id = $1 AND store_id = $2"
NOT_CONNECTED: Final = DeliverectConnection(None, None, None, None)

REFUSED_CLIENT: Final = N_("Deliverect refuses this client.")
REQUIRED: Final = N_("This field is required, as the operator is no partner of Deliverect.")


async def get_connection(caller: Caller, store_id: int) -> DeliverectConnection:
    """Return a store's connection, one without a location if there is none. Raises ``NotFound``."""
    await require_store(caller, store_id)
    row = await sql.fetch_one(SELECT_OF_STORE, caller.owner_id, store_id)
    return NOT_CONNECTED if row is None else _to_connection(row)


async def update_connection(caller: Caller, store_id: int, body: DeliverectConnectionBody) -> DeliverectConnection:
    """Connect a store, or change its connection, once Deliverect has accepted the client.

    Raises ``NotFound``, ``ValidationFailed``, ``Unavailable``, and ``Conflict`` if another store of the owner is
    connected to the location.
    """
    await require_store(caller, store_id)
    row = await sql.fetch_one(SELECT_OF_STORE, caller.owner_id, store_id)
    own = _choose_own(body, row)
    await _check_client(_complete(own))
    try:
        async with sql.transaction():
            values = (body.account_id, body.location_id, clock.now())
            id = await sql.fetch_value(UPSERT_CONNECTION, caller.owner_id, store_id, *values)
            text = encryption.encrypt(orjson.dumps(own).decode(), CREDENTIALS_COLUMN, caller.owner_id, id)
            await sql.execute(UPDATE_CREDENTIALS, caller.owner_id, id, text)
    except asyncpg.UniqueViolationError as error:
        sentence = Sentence("Another store is connected to this location.")
        raise Conflict(sentence, extras={"reason": "location_connected"}) from error
    return await get_connection(caller, store_id)


@sql.transaction()
async def delete_connection(caller: Caller, store_id: int) -> None:
    """Disconnect a store, if it is connected. What Deliverect still sends is refused. Raises ``NotFound``."""
    await require_store(caller, store_id)
    await sql.execute(DELETE_CONNECTION, caller.owner_id, store_id)


async def find_connection(owner_id: int, connection_id: int) -> KnownConnection | None:
    """Return a connection, or None. Raises ``DecryptionFailed``."""
    row = await sql.fetch_one(SELECT_CONNECTION, owner_id, connection_id)
    if row is None:
        return None
    return sql.to_record(KnownConnection, row, credentials=_complete(_decrypt_own(row)))


def _decrypt_own(row: sql.Row) -> dict[str, str]:
    text = encryption.decrypt(row["credentials"], CREDENTIALS_COLUMN, row["owner_id"], row["id"])
    return dict(orjson.loads(text))


def _choose_own(body: DeliverectConnectionBody, row: sql.Row | None) -> dict[str, str]:
    """Return the owner's credentials: those of the body, and of the connection what the body omits."""
    given = body.model_dump(include={"client_id", "client_secret", "webhook_secret"}, exclude_none=True)
    own = {**({} if row is None else _decrypt_own(row)), **given}
    missing = [name for name, value in asdict(_complete(own)).items() if not value]
    if missing:
        raise ValidationFailed({name: [REQUIRED] for name in missing})
    return own


def _complete(own: dict[str, str]) -> Credentials:
    """Return credentials with those of the operator where the owner has none, empty where nobody has."""
    settings = get_settings()
    secrets = {"client_secret": settings.client_secret, "webhook_secret": settings.webhook_secret}
    of_operator = {name: secret.get_secret_value() for name, secret in secrets.items() if secret is not None}
    return Credentials(**{"client_id": settings.client_id or "", **dict.fromkeys(secrets, ""), **of_operator, **own})


async def _check_client(credentials: Credentials) -> None:
    try:
        async with open_client(credentials) as deliverect:
            deliverect.forget_token()
            await deliverect.get_token()
    except (DeliverectRefused, DeliverectInvalid) as error:
        raise ValidationFailed(client_secret=[REFUSED_CLIENT]) from error
    except DeliverectUnavailable as error:
        raise Unavailable(str(error)) from error


def _to_connection(row: sql.Row) -> DeliverectConnection:
    path = f"{API_PREFIX}/deliverect/{row['owner_id']}/{row['id']}/orders"
    return sql.to_record(DeliverectConnection, row, orders_url=runtime.settings().site_url.rstrip("/") + path)
