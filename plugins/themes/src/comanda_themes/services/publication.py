"""What a store's pages are shown in: a published version, or the default theme."""

from typing import Final

from comanda.basics import NotFound, clock
from comanda.contracts import Caller
from comanda.platform.db import sql
from comanda.stores import require_store, set_template

from comanda_themes import models
from comanda_themes.models import Theme, Version
from comanda_themes.records import Publication
from comanda_themes.services.locks import lock_library
from comanda_themes.services.theme_files import DEFAULT_THEME_NAME

SELECT_PUBLICATION: Final = """
    SELECT t.handle AS template, t.id AS theme_id, v.number, p.published_at
    FROM themes_publication p
    JOIN themes_version v ON v.id = p.version_id AND v.owner_id = p.owner_id
    JOIN themes_theme t ON t.id = v.theme_id AND t.owner_id = v.owner_id
    WHERE p.store_id = $1 AND p.owner_id = $2
"""
UPSERT: Final = """
    INSERT INTO themes_publication (owner_id, store_id, version_id, published_at) VALUES ($1, $2, $3, $4)
    ON CONFLICT (store_id, owner_id) DO UPDATE SET version_id = $3, published_at = $4
"""


async def get_publication(caller: Caller, store_id: int) -> Publication:
    """Return what a store is shown in. Raises ``NotFound`` for another owner's store."""
    await require_store(caller, store_id)
    row = await sql.fetch_one(SELECT_PUBLICATION, store_id, caller.owner_id)
    return Publication(DEFAULT_THEME_NAME, None, None, None) if row is None else sql.to_record(Publication, row)


async def publish(caller: Caller, store_id: int, theme_id: int, number: int) -> Publication:
    """Show a store in a version, also in an earlier one. Raises ``NotFound``."""
    await require_store(caller, store_id)
    async with sql.transaction():
        await lock_library(caller.owner_id)
        await publish_locked(caller, store_id, theme_id, number)
    return await get_publication(caller, store_id)


async def publish_locked(caller: Caller, store_id: int, theme_id: int, number: int) -> None:
    """Do what ``publish`` does in the open transaction, under the library's lock."""
    theme = await Theme.get_or_none(owner_id=caller.owner_id, store_id=store_id, id=theme_id)
    version = await Version.get_or_none(owner_id=caller.owner_id, theme_id=theme_id, number=number)
    if theme is None or version is None:
        raise NotFound
    version.published_at = clock.now()
    await version.save(update_fields=["published_at"])
    await sql.execute(UPSERT, caller.owner_id, store_id, version.id, version.published_at)
    await set_template(caller.owner_id, store_id, theme.handle)


async def revert_to_default(caller: Caller, store_id: int) -> None:
    """Show a store in the default theme. Its themes stay. Raises ``NotFound``."""
    await require_store(caller, store_id)
    async with sql.transaction():
        await lock_library(caller.owner_id)
        await models.Publication.filter(owner_id=caller.owner_id, store_id=store_id).delete()
        await set_template(caller.owner_id, store_id, DEFAULT_THEME_NAME)
