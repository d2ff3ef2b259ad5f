"""Themes of a store: created, renamed, duplicated and deleted by its owner."""

from typing import Final

from comanda.basics import Conflict, ValidationFailed, clock, require_found
from comanda.contracts import Caller
from comanda.platform.db import sql
from comanda.stores import require_store, slugify

from comanda_themes import models
from comanda_themes.records import Theme
from comanda_themes.services import versions
from comanda_themes.services.locks import lock_library
from comanda_themes.services.theme_files import DEFAULT_THEME_NAME, load_default_theme
from comanda_themes.services.theme_uploads import CheckedTheme, check_upload, list_warnings

MAX_THEMES: Final = 20
MAX_HANDLE: Final = 40
MAX_NAME: Final = 80
SELECT_THEMES: Final = """
    SELECT t.id, t.name, t.handle, t.created_at, t.updated_at,
           coalesce((SELECT max(v.number) FROM themes_version v
                     WHERE v.theme_id = t.id AND v.owner_id = t.owner_id), 0) AS latest_number,
           (SELECT v.number FROM themes_publication p
            JOIN themes_version v ON v.id = p.version_id AND v.owner_id = p.owner_id
            WHERE p.store_id = t.store_id AND p.owner_id = t.owner_id AND v.theme_id = t.id) AS published_number,
           EXISTS (SELECT FROM themes_draft d WHERE d.theme_id = t.id AND d.owner_id = t.owner_id) AS has_draft
    FROM themes_theme t
    WHERE t.owner_id = $1 AND t.store_id = $2 AND ($3::bigint IS NULL OR t.id = $3)
    ORDER BY published_number NULLS LAST, t.updated_at DESC, t.id DESC
"""


async def list_themes(caller: Caller, store_id: int) -> list[Theme]:
    """List a store's themes, the published one first. Raises ``NotFound`` for another owner's store."""
    await require_store(caller, store_id)
    return [sql.to_record(Theme, row) for row in await sql.fetch(SELECT_THEMES, caller.owner_id, store_id, None)]


async def get_theme(caller: Caller, store_id: int, theme_id: int) -> Theme:
    """Return a theme. Raises ``NotFound``."""
    await require_store(caller, store_id)
    row = await sql.require_one(SELECT_THEMES, caller.owner_id, store_id, theme_id)
    return sql.to_record(Theme, row)


async def create_from_default(caller: Caller, store_id: int, name: str) -> Theme:
    """Create a theme as a copy of the default one. Raises like ``create_theme``."""
    await require_store(caller, store_id)
    theme = load_default_theme()
    contents = versions.to_contents(theme)
    return await _create_theme(caller, store_id, name, CheckedTheme(contents, ()), "")


async def create_from_archive(caller: Caller, store_id: int, name: str | None, note: str, raw: bytes) -> Theme:
    """Create a theme from a zip archive.

    Raises ``NotFound``; ``ValidationFailed`` with findings for a theme with errors, and for a name that is in use;
    ``Conflict`` beyond ``MAX_THEMES``; ``Unavailable`` while too many themes are being checked.
    """
    await require_store(caller, store_id)
    if name is None:
        raise ValidationFailed(name=["This field is required."])
    await _check_room(caller, store_id, name)
    return await _create_theme(caller, store_id, name, await check_upload(raw), note)


async def duplicate_theme(caller: Caller, store_id: int, theme_id: int) -> Theme:
    """Create a theme with the latest version of another. Raises ``NotFound``, and ``Conflict`` beyond the limit."""
    theme = await get_theme(caller, store_id, theme_id)
    contents = await versions.load_contents(caller.owner_id, theme.id, theme.latest_number)
    used = {each.name for each in await list_themes(caller, store_id)}
    names = (f"{theme.name[: MAX_NAME - 4]} {number}" for number in range(2, MAX_THEMES + 3))
    checked = CheckedTheme(contents, list_warnings(contents))
    return await _create_theme(caller, store_id, next(name for name in names if name not in used), checked, "")


async def rename_theme(caller: Caller, store_id: int, theme_id: int, name: str) -> Theme:
    """Change a theme's name; its handle stays. Raises ``NotFound``, and ``ValidationFailed`` for a name in use."""
    await require_store(caller, store_id)
    async with sql.transaction():
        await lock_library(caller.owner_id)
        theme = await _require_model(caller, store_id, theme_id)
        if name != theme.name:
            await _check_name(caller, store_id, name)
            theme.name, theme.updated_at = name, clock.now()
            await theme.save(update_fields=["name", "updated_at"])
    return await get_theme(caller, store_id, theme_id)


async def delete_theme(caller: Caller, store_id: int, theme_id: int) -> None:
    """Delete a theme with all of its versions. Raises ``NotFound``, and ``Conflict`` for the published one."""
    await require_store(caller, store_id)
    async with sql.transaction():
        await lock_library(caller.owner_id)
        theme = await _require_model(caller, store_id, theme_id)
        row = await sql.fetch_one(SELECT_THEMES, caller.owner_id, store_id, theme_id)
        if row is not None and row["published_number"] is not None:
            raise Conflict("The store is shown in this theme. Publish another one first.")
        await theme.delete()
        await versions.delete_unused_contents(caller.owner_id)


async def _create_theme(caller: Caller, store_id: int, name: str, checked: CheckedTheme, note: str) -> Theme:
    moment = clock.now()
    async with sql.transaction():
        await lock_library(caller.owner_id)
        await _check_room(caller, store_id, name)
        handle = await _choose_handle(caller, store_id, name)
        theme = await models.Theme.create(
            owner_id=caller.owner_id, store_id=store_id, name=name, handle=handle, created_at=moment, updated_at=moment
        )
        await versions.insert_version(caller, theme.id, checked, note)
    return await get_theme(caller, store_id, theme.id)


async def _check_room(caller: Caller, store_id: int, name: str) -> None:
    await _check_name(caller, store_id, name)
    if await models.Theme.filter(owner_id=caller.owner_id, store_id=store_id).count() >= MAX_THEMES:
        raise Conflict(
            f"A store can have at most {MAX_THEMES} themes. Delete one first.",
            extras={"limits": {"themes": MAX_THEMES}},
        )


async def _check_name(caller: Caller, store_id: int, name: str) -> None:
    if await models.Theme.filter(owner_id=caller.owner_id, store_id=store_id, name=name).exists():
        raise ValidationFailed(name=["Another theme of this store has this name."])


async def _choose_handle(caller: Caller, store_id: int, name: str) -> str:
    rows = await models.Theme.filter(owner_id=caller.owner_id, store_id=store_id).values("handle")
    used = {row["handle"] for row in rows} | {DEFAULT_THEME_NAME}
    handle = slugify(name)[:MAX_HANDLE]
    return next(one for one in (handle, *(f"{handle}-{number}" for number in range(2, 99))) if one not in used)


async def _require_model(caller: Caller, store_id: int, theme_id: int) -> models.Theme:
    return require_found(await models.Theme.get_or_none(owner_id=caller.owner_id, store_id=store_id, id=theme_id))
