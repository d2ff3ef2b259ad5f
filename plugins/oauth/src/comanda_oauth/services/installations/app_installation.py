"""The installation of an app on an owner's account, and changes to what it was granted."""

from collections.abc import Collection
from typing import Final

import structlog
from comanda.accounts import services as accounts
from comanda.basics import NotFound, clock
from comanda.platform.db import sql
from comanda.platform.events import publish

from comanda_oauth import models
from comanda_oauth import scopes as app_scopes
from comanda_oauth.errors import AppUnavailable
from comanda_oauth.events import AppInstalled, AppScopesChanged
from comanda_oauth.models import Audience
from comanda_oauth.records import Installation
from comanda_oauth.services.installations.installations import APP, to_installation

log = structlog.get_logger(__name__)

# Shared, so that the client is not deleted meanwhile and owners do not wait for each other.
LOCK_CLIENT: Final = """
    SELECT id, owner_id, client_id, name, is_enabled, audience FROM oauth_client
    WHERE id = $1 AND deleted_at IS NULL FOR SHARE
"""
# Serializes two consents of one owner, of which the second changes what the first installed.
LOCK_OWNER: Final = "SELECT id FROM core_owner_v1 WHERE id = $1 FOR NO KEY UPDATE"
SELECT_STORE: Final = "SELECT id FROM core_store_v1 WHERE owner_id = $1 AND id = $2"


async def install(
    owner_id: int, client_row_id: int, granted: Collection[str], *, actor: str, store_id: int | None = None
) -> Installation:
    """Grant a client exactly these scopes, in one store or in all, by a new installation or the one that there is.

    Existing tokens lose what is no longer granted. Raises ``NotFound`` for an unknown client or another owner's store,
    ``AppUnavailable`` for a suspended client. Emits ``AppInstalled``, or ``AppScopesChanged`` if the scopes differ.
    """
    granted = app_scopes.normalize(granted, app_scopes.LABELS)
    async with sql.transaction():
        client = await lock_client(client_row_id)
        if not await sql.fetch_value(LOCK_OWNER, owner_id):
            raise NotFound
        if store_id is not None and await sql.fetch_value(SELECT_STORE, owner_id, store_id) is None:
            raise NotFound
        row = await models.Installation.get_or_none(
            owner_id=owner_id, client_row_id=client_row_id, customer_id=None, uninstalled_at=None
        )
        if row is None:
            if not _is_open_to(client, owner_id):
                raise AppUnavailable
            row = await _create(owner_id, client, granted, store_id)
        else:
            # More than was granted needs an app that everyone may install; the same or less is always possible.
            if not _is_open_to(client, owner_id) and not set(granted) <= set(row.scopes):
                raise AppUnavailable
            await _change(row, client, granted, store_id)
    log.info("app_installed", owner_id=owner_id, installation_id=row.id, actor=actor)
    return to_installation(row)


async def lock_client(client_row_id: int) -> sql.Row:
    """Return a client, locked until the transaction ends. Raises ``NotFound``, ``AppUnavailable`` if suspended."""
    client = await sql.require_one(LOCK_CLIENT, client_row_id)
    if not client["is_enabled"]:
        raise AppUnavailable
    return client


def _is_open_to(client: sql.Row, owner_id: int) -> bool:
    return bool(client["audience"] != Audience.DEVELOPER or client["owner_id"] == owner_id)


async def _create(
    owner_id: int, client: sql.Row, granted: Collection[str], store_id: int | None
) -> models.Installation:
    moment = clock.now()
    row = await models.Installation.create(
        owner_id=owner_id,
        client_row_id=client["id"],
        client_id=client["client_id"],
        scopes=list(granted),
        store_id=store_id,
        installed_at=moment,
        updated_at=moment,
    )
    event = AppInstalled(
        installation_id=row.id,
        owner_id=owner_id,
        client_row_id=client["id"],
        client_id=client["client_id"],
        app_name=client["name"],
        scopes=list(granted),
        installed_at=moment,
    )
    await publish(event, owner_id=owner_id)
    return row


async def _change(row: models.Installation, client: sql.Row, granted: Collection[str], store_id: int | None) -> None:
    await models.Installation.filter(owner_id=row.owner_id, id=row.id).select_for_update().get()
    previous = list(row.scopes)
    row.scopes, row.store_id, row.updated_at = list(granted), store_id, clock.now()
    await row.save(update_fields=["scopes", "store_id", "updated_at"])
    await accounts.limit_tokens(row.owner_id, APP, row.id, granted, store_id)
    if set(previous) == set(granted):
        return
    event = AppScopesChanged(
        installation_id=row.id,
        owner_id=row.owner_id,
        client_row_id=row.client_row_id,
        client_id=row.client_id,
        app_name=client["name"],
        scopes=list(granted),
        previous_scopes=previous,
        changed_at=row.updated_at,
    )
    await publish(event, owner_id=row.owner_id)
