"""Connections of stores to locations at Deliverect, with credentials that are stored encrypted."""

from collections.abc import Collection
from dataclasses import asdict
from datetime import datetime, timedelta
from typing import Final

import asyncpg
import orjson
from comanda.basics import Conflict, Sentence, Unavailable, ValidationFailed, clock
from comanda.contracts import API_PREFIX, Caller, EncryptedColumn
from comanda.platform import encryption, runtime
from comanda.platform.db import sql
from comanda.platform.tasks import notifier
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

CONNECTIONS: Final = "deliverect_connections"
"""The name of the queue."""
# Several changes of a menu make one request.
GATHER: Final = timedelta(seconds=10)
CREDENTIALS_COLUMN: Final = EncryptedColumn("deliverect_connection", "credentials")
COLUMNS: Final = """id, owner_id, store_id, account_id, location_id, credentials, snoozed, is_paused, refusal, error,
    created_at"""
SELECT_CONNECTION: Final = f"SELECT {COLUMNS} FROM deliverect_connection WHERE owner_id = $1 AND id = $2"
SELECT_OF_STORE: Final = f"SELECT {COLUMNS} FROM deliverect_connection WHERE owner_id = $1 AND store_id = $2"
# All that cannot be ordered is told again, and what could not and now can.
TELL_AGAIN: Final = """wakes = c.wakes + 1,
    snoozed = (SELECT coalesce(jsonb_object_agg(plu, NULL), '{}') FROM jsonb_object_keys(c.snoozed) AS told (plu))"""
UPSERT_CONNECTION: Final = f"""
    INSERT INTO deliverect_connection AS c
        (owner_id, store_id, account_id, location_id, credentials, next_attempt_at, created_at, updated_at)
    VALUES ($1, $2, $3, $4, '', $5, $5, $5)
    ON CONFLICT (store_id, owner_id) DO UPDATE SET account_id = EXCLUDED.account_id, {TELL_AGAIN},
        is_paused = c.is_paused AND c.location_id = EXCLUDED.location_id, location_id = EXCLUDED.location_id,
        next_attempt_at = EXCLUDED.next_attempt_at, error = NULL, refusal = NULL, updated_at = EXCLUDED.updated_at
    RETURNING id
"""
SEND_AGAIN: Final = f"""
    UPDATE deliverect_connection c SET {TELL_AGAIN}, next_attempt_at = least(c.next_attempt_at, $3)
    WHERE owner_id = $1 AND id = $2
"""
# One that waits after a failure goes on waiting.
WAKE: Final = """
    UPDATE deliverect_connection c SET wakes = c.wakes + 1,
        next_attempt_at = CASE WHEN c.attempts = 0 THEN least(c.next_attempt_at, $3) ELSE c.next_attempt_at END
    FROM unnest($1::bigint[], $2::bigint[]) AS given (owner_id, store_id)
    WHERE c.owner_id = given.owner_id AND c.store_id = given.store_id
"""
UPDATE_CREDENTIALS: Final = "UPDATE deliverect_connection SET credentials = $3 WHERE owner_id = $1 AND id = $2"
DELETE_CONNECTION: Final = "DELETE FROM deliverect_connection WHERE owner_id = $1 AND store_id = $2"
NOT_CONNECTED: Final = DeliverectConnection(None, None, None, None, None, None)

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
    notifier.notify(CONNECTIONS)
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
    snoozed = {plu: end and datetime.fromisoformat(end) for plu, end in orjson.loads(row["snoozed"]).items()}
    return sql.to_record(KnownConnection, row, snoozed=snoozed, credentials=_complete(_decrypt_own(row)))


async def wake_connections(stores: Collection[tuple[int, int]]) -> None:
    """Queue a comparison of what can be ordered in stores, given as owners and ids, with what Deliverect was told.

    It waits for a moment, in which more may change.
    """
    owner_ids, store_ids = [owner_id for owner_id, _ in stores], [store_id for _, store_id in stores]
    await sql.execute(WAKE, owner_ids, store_ids, clock.now() + GATHER)


async def send_again(connection: KnownConnection) -> None:
    """Queue that Deliverect is told again of all that cannot be ordered."""
    await sql.execute(SEND_AGAIN, connection.owner_id, connection.id, clock.now())
    notifier.notify(CONNECTIONS)


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
    url = runtime.settings().site_url.rstrip("/") + path
    return sql.to_record(DeliverectConnection, row, orders_url=url, failure=row["error"])
