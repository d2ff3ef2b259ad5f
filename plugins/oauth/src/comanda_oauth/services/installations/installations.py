"""Installations: an owner's grant to a client, its changes and its end."""

from typing import Final

import structlog
from comanda.accounts import services as accounts
from comanda.basics import Forbidden, clock, extend_record, require_found
from comanda.contracts import Caller, PageRequest, RecordPage
from comanda.platform.db import sql
from comanda.platform.events import publish

from comanda_oauth import models
from comanda_oauth.events import AppUninstalled
from comanda_oauth.models import InstallationStatus
from comanda_oauth.records import Installation

log = structlog.get_logger(__name__)

APP: Final = "app"
COUNT_ACTIVE: Final = """
    SELECT count(*) FROM oauth_installation
    WHERE client_row_id = $1 AND uninstalled_at IS NULL AND customer_id IS NULL
"""
SELECT_ACTIVE: Final = """
    SELECT id, owner_id FROM oauth_installation
    WHERE client_row_id = $1 AND uninstalled_at IS NULL AND customer_id IS NULL ORDER BY id
"""
SELECT_CLIENT_NAME: Final = "SELECT name FROM oauth_client WHERE id = $1"
DELETE_CODES: Final = "DELETE FROM oauth_code WHERE owner_id = $1 AND installation_id = $2"
REVOKE_GRANTS: Final = """
    UPDATE oauth_grant SET revoked_at = $3 WHERE owner_id = $1 AND installation_id = $2 AND revoked_at IS NULL
"""


async def find_installation(owner_id: int, installation_id: int) -> Installation | None:
    """Return an owner's installation, active or ended, or None."""
    row = await models.Installation.get_or_none(owner_id=owner_id, id=installation_id, customer_id=None)
    return None if row is None else to_installation(row)


async def find_active_installation(owner_id: int, client_row_id: int) -> Installation | None:
    """Return an owner's active grant to a client, or None."""
    row = await models.Installation.get_or_none(
        owner_id=owner_id, client_row_id=client_row_id, customer_id=None, uninstalled_at=None
    )
    return None if row is None else to_installation(row)


async def list_installations(owner_id: int, page: PageRequest) -> RecordPage[Installation]:
    """Return a page of an owner's active installations, newest first."""
    owned = models.Installation.filter(owner_id=owner_id, customer_id=None, uninstalled_at=None)
    rows = await owned.order_by("-id").offset(page.offset()).limit(page.size())
    return page.of([to_installation(row) for row in rows], await page.get_total(rows, owned.count))


async def count_installations(client_row_id: int) -> int:
    """Count the active installations of a client, of all owners."""
    return int(await sql.fetch_value(COUNT_ACTIVE, client_row_id))


async def installation_of(caller: Caller) -> Installation:
    """Return the installation behind an app's token. Raises ``Forbidden`` for any other caller."""
    if caller.kind != APP or caller.subject_id is None:
        raise Forbidden("This needs the access token of an installed app.")
    return require_found(await find_installation(caller.owner_id, caller.subject_id))


async def lock_active_installation(owner_id: int, installation_id: int) -> models.Installation | None:
    """Return an installation, also a customer's, locked so that it does not end meanwhile; None if it has."""
    active = models.Installation.filter(owner_id=owner_id, id=installation_id, uninstalled_at=None)
    return await active.select_for_update().first()


async def uninstall(owner_id: int, installation_id: int, actor: str) -> Installation:
    """End an installation and revoke all of its tokens, in the open transaction if there is one.

    An ended one stays as it is. Emits ``AppUninstalled``. Raises ``NotFound`` for another owner's.
    """
    async with sql.transaction():
        owned = models.Installation.filter(owner_id=owner_id, id=installation_id, customer_id=None)
        row = require_found(await owned.select_for_update().first())
        if row.uninstalled_at is None:
            await _end(row)
            log.info("app_uninstalled", owner_id=owner_id, installation_id=installation_id, actor=actor)
    return to_installation(row)


async def uninstall_all(client_row_id: int, actor: str) -> None:
    """End all installations of a client, in the open transaction. Emits ``AppUninstalled`` for each."""
    for row in await sql.fetch(SELECT_ACTIVE, client_row_id):
        await uninstall(row["owner_id"], row["id"], actor)


def to_installation(row: models.Installation) -> Installation:
    """Return a row as a record."""
    return extend_record(
        Installation,
        row,
        scopes=tuple(row.scopes),
        store_ids=None if row.store_id is None else (row.store_id,),
        status=InstallationStatus(row.status),
    )


async def _end(row: models.Installation) -> None:
    moment = clock.now()
    row.status, row.uninstalled_at, row.updated_at = InstallationStatus.UNINSTALLED, moment, moment
    await row.save(update_fields=["status", "uninstalled_at", "updated_at"])
    await accounts.revoke_tokens(row.owner_id, APP, row.id)
    await sql.execute(REVOKE_GRANTS, row.owner_id, row.id, moment)
    await sql.execute(DELETE_CODES, row.owner_id, row.id)
    event = AppUninstalled(
        installation_id=row.id,
        owner_id=row.owner_id,
        client_row_id=row.client_row_id,
        client_id=row.client_id,
        app_name=await sql.fetch_value(SELECT_CLIENT_NAME, row.client_row_id),
        scopes=list(row.scopes),
        installed_at=row.installed_at,
        uninstalled_at=moment,
    )
    await publish(event, owner_id=row.owner_id)
