"""Connections of stores to HubRise: made with an access token, which is stored encrypted."""

from collections.abc import Mapping
from typing import Any, Final

import asyncpg
from comanda.basics import Conflict, Sentence, Unavailable, ValidationFailed, clock
from comanda.contracts import Caller
from comanda.platform.db import sql
from comanda.platform.tasks import notifier
from comanda.stores import require_store
from comanda.web import N_

from comanda_hubrise.client import Credentials, HubRiseInvalid, HubRiseRefused, HubRiseUnavailable, open_client
from comanda_hubrise.records import HubRiseConnection
from comanda_hubrise.schemas import HubRiseConnectionBody
from comanda_hubrise.services.callbacks import is_id
from comanda_hubrise.services.connection_rows import (
    COLUMNS,
    CONNECTIONS,
    decrypt_credentials,
    encrypt_credentials,
    get_callback_url,
)
from comanda_hubrise.settings import get_settings

SELECT_OF_STORE: Final = f"SELECT {COLUMNS} FROM hubrise_connection WHERE owner_id = $1 AND store_id = $2"
UPSERT_CONNECTION: Final = """
    INSERT INTO hubrise_connection AS c (owner_id, store_id, location_id, location_name, catalog_id, credentials,
        sends_menu, sends_sold_out, cash_refs, next_attempt_at, created_at, updated_at)
    VALUES ($1, $2, $3, $4, $5, '', $6, $7, $8, $9, $9, $9)
    ON CONFLICT (store_id, owner_id) DO UPDATE SET location_id = EXCLUDED.location_id,
        location_name = EXCLUDED.location_name, catalog_id = EXCLUDED.catalog_id, sends_menu = EXCLUDED.sends_menu,
        sends_sold_out = EXCLUDED.sends_sold_out, cash_refs = EXCLUDED.cash_refs, catalog_hash = NULL,
        inventory_hash = NULL, wakes = c.wakes + 1, next_attempt_at = EXCLUDED.next_attempt_at, error = NULL,
        checked_at = NULL, updated_at = EXCLUDED.updated_at
    RETURNING id
"""
UPDATE_CREDENTIALS: Final = "UPDATE hubrise_connection SET credentials = $3 WHERE owner_id = $1 AND id = $2"
DELETE_CONNECTION: Final = "DELETE FROM hubrise_connection WHERE owner_id = $1 AND store_id = $2"
NOT_CONNECTED: Final = HubRiseConnection(None, None, None, False, False, (), None, None, None, None)

REFUSED_TOKEN: Final = N_("HubRise refuses this access token.")
NO_CATALOG: Final = N_("This field is required to send the menu or what is sold out.")
NO_SECRET: Final = N_("This field is required, as the operator has no client at HubRise.")


async def get_connection(caller: Caller, store_id: int) -> HubRiseConnection:
    """Return a store's connection, one without a location if there is none. Raises ``NotFound``."""
    await require_store(caller, store_id)
    row = await sql.fetch_one(SELECT_OF_STORE, caller.owner_id, store_id)
    return NOT_CONNECTED if row is None else _to_connection(row)


async def update_connection(caller: Caller, store_id: int, body: HubRiseConnectionBody) -> HubRiseConnection:
    """Connect a store, or change its connection, once HubRise has accepted the token. A worker registers the callback.

    Raises ``NotFound``, ``ValidationFailed``, ``Unavailable``, and ``Conflict`` if another store of the owner is
    connected to the location.
    """
    await require_store(caller, store_id)
    row = await sql.fetch_one(SELECT_OF_STORE, caller.owner_id, store_id)
    credentials = _choose_credentials(body, row)
    if body.catalog_id is None and (body.sends_menu or body.sends_sold_out):
        raise ValidationFailed(catalog_id=[NO_CATALOG])
    location = await _check_location(credentials)
    try:
        async with sql.transaction():
            values = (body.catalog_id, body.sends_menu, body.sends_sold_out, body.cash_refs, clock.now())
            id = await sql.fetch_value(UPSERT_CONNECTION, caller.owner_id, store_id, *location, *values)
            encrypted = encrypt_credentials(credentials, caller.owner_id, id)
            await sql.execute(UPDATE_CREDENTIALS, caller.owner_id, id, encrypted)
    except asyncpg.UniqueViolationError as error:
        text = Sentence("Another store is connected to this location.")
        raise Conflict(text, extras={"reason": "location_connected"}) from error
    notifier.notify(CONNECTIONS)
    return await get_connection(caller, store_id)


@sql.transaction()
async def delete_connection(caller: Caller, store_id: int) -> None:
    """Disconnect a store, if it is connected. Callbacks that HubRise still sends are refused. Raises ``NotFound``."""
    await require_store(caller, store_id)
    await sql.execute(DELETE_CONNECTION, caller.owner_id, store_id)


def _choose_credentials(body: HubRiseConnectionBody, row: sql.Row | None) -> Credentials:
    """Return the credentials to use: those of the body, and of the connection what the body omits."""
    before = None if row is None else decrypt_credentials(row)
    if body.access_token is None and before is None:
        raise ValidationFailed(access_token=[Sentence("This field is required.")])
    access_token = body.access_token or (before.access_token if before is not None else "")
    secret = body.client_secret or (before.client_secret if before is not None else None)
    if secret is None and get_settings().client_secret is None:
        raise ValidationFailed(client_secret=[NO_SECRET])
    return Credentials(access_token, secret)


async def _check_location(credentials: Credentials) -> tuple[str, str]:
    """Return the id and the name of the location that a token is of."""
    try:
        async with open_client(credentials) as hubrise:
            location: Mapping[str, Any] = await hubrise.get_location()
    except (HubRiseRefused, HubRiseInvalid) as error:
        raise ValidationFailed(access_token=[REFUSED_TOKEN]) from error
    except HubRiseUnavailable as error:
        raise Unavailable(str(error)) from error
    if not is_id(location.get("id")):
        raise ValidationFailed(access_token=[N_("This access token is not that of a location.")])
    return location["id"], str(location.get("name") or location["id"])[:255]


def _to_connection(row: sql.Row) -> HubRiseConnection:
    return sql.to_record(
        HubRiseConnection,
        row,
        cash_refs=tuple(row["cash_refs"]),
        callback_url=get_callback_url(row["owner_id"], row["id"]),
        failure=row["error"],
    )
