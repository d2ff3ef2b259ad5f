"""Drafts: settings of a theme while its owner edits them, on top of a version."""

import json
from typing import Any, Final

from comanda.basics import Conflict, ValidationFailed, clock, require_found
from comanda.contracts import Caller
from comanda.platform.db import sql

from comanda_themes import models
from comanda_themes.models import Version
from comanda_themes.records import Draft, PreviewToken, VersionDetails
from comanda_themes.services import published_themes, themes, versions
from comanda_themes.services.locks import lock_library
from comanda_themes.services.settings_data import (
    MAX_SETTINGS_BYTES,
    SettingsData,
    list_problems,
    parse_settings_data,
    to_theme_form,
)
from comanda_themes.services.theme_files import SETTINGS_DATA, ThemeFiles
from comanda_themes.services.theme_uploads import CheckedTheme, list_warnings

SELECT_SLUG: Final = "SELECT slug FROM core_store_v1 WHERE id = $1 AND owner_id = $2"
PAGE: Final = "/s/{slug}?preview={token}"


async def get_draft(caller: Caller, store_id: int, theme_id: int) -> Draft:
    """Return a theme's draft, or with revision 0 the settings of its latest version.

    Raises ``NotFound``.
    """
    found = await themes.get_theme(caller, store_id, theme_id)
    draft = await models.Draft.get_or_none(owner_id=caller.owner_id, theme_id=theme_id)
    if draft is None:
        number = found.latest_number
        version = await Version.get(owner_id=caller.owner_id, theme_id=theme_id, number=number)
        files = await published_themes.load_theme(caller.owner_id, version.id)
        return _to_draft(theme_id, number, 0, files.texts.get(SETTINGS_DATA, "{}"), files, None)
    version = await Version.get(owner_id=caller.owner_id, id=draft.version_id)
    files = await published_themes.load_theme(caller.owner_id, version.id)
    return _to_draft(theme_id, version.number, draft.revision, draft.settings_data, files, draft)


async def save_draft(caller: Caller, store_id: int, theme_id: int, revision: int, data: SettingsData) -> Draft:
    """Save settings as the theme's draft.

    Raises ``NotFound``; ``Conflict`` if the draft has changed since that revision; ``ValidationFailed`` for values
    that do not fit the theme's schemas.
    """
    found = await themes.get_theme(caller, store_id, theme_id)
    text = data.model_dump_json()
    if len(text.encode()) > MAX_SETTINGS_BYTES:
        raise ValidationFailed(settings_data=[f"May have at most {MAX_SETTINGS_BYTES // 1000} kB."])
    async with sql.transaction():
        await lock_library(caller.owner_id)
        draft = await models.Draft.get_or_none(owner_id=caller.owner_id, theme_id=theme_id)
        if revision != (0 if draft is None else draft.revision):
            raise Conflict("The draft was changed in another window. Reload the page.", extras={"reason": "stale"})
        base = {"number": found.latest_number} if draft is None else {"id": draft.version_id}
        version = await Version.get(owner_id=caller.owner_id, theme_id=theme_id, **base)
        files = await published_themes.load_theme(caller.owner_id, version.id)
        if problems := list_problems(data, files.texts):
            raise ValidationFailed({f"settings_data.{path}": said for path, said in problems.items()})
        await _write(caller, theme_id, draft, version.id, text)
    return await get_draft(caller, store_id, theme_id)


async def discard_draft(caller: Caller, store_id: int, theme_id: int) -> None:
    """Delete a theme's draft, if there is one. Raises ``NotFound``."""
    await themes.get_theme(caller, store_id, theme_id)
    async with sql.transaction():
        await lock_library(caller.owner_id)
        await models.Draft.filter(owner_id=caller.owner_id, theme_id=theme_id).delete()


async def create_version_of_draft(
    caller: Caller, store_id: int, theme_id: int, revision: int, note: str
) -> VersionDetails:
    """Make the draft a version of the theme. Raises ``NotFound``, and ``Conflict`` if it has changed since."""
    await themes.get_theme(caller, store_id, theme_id)
    async with sql.transaction():
        await lock_library(caller.owner_id)
        draft = await models.Draft.get_or_none(owner_id=caller.owner_id, theme_id=theme_id)
        if draft is None or draft.revision != revision:
            raise Conflict("The draft was changed in another window. Reload the page.", extras={"reason": "stale"})
        files = await published_themes.load_theme(caller.owner_id, draft.version_id)
        contents = {**versions.to_contents(files), SETTINGS_DATA: _indent(draft.settings_data).encode()}
        number = await versions.insert_version(caller, theme_id, CheckedTheme(contents, list_warnings(contents)), note)
        await draft.delete()
    return await versions.get_version(caller, store_id, theme_id, number)


async def create_preview(caller: Caller, store_id: int, theme_id: int, number: int | None) -> PreviewToken:
    """Return a token for a preview of a version, or of the draft. Raises ``NotFound``."""
    await themes.get_theme(caller, store_id, theme_id)
    if number is None:
        token = await published_themes.sign_draft_preview(caller.owner_id, theme_id)
    else:
        version = require_found(await Version.get_or_none(owner_id=caller.owner_id, theme_id=theme_id, number=number))
        token = await published_themes.sign_version_preview(caller.owner_id, version.id)
    slug = await sql.fetch_value(SELECT_SLUG, store_id, caller.owner_id)
    return PreviewToken(token, PAGE.format(slug=slug, token=token))


async def _write(caller: Caller, theme_id: int, draft: models.Draft | None, version_id: int, text: str) -> None:
    if draft is None:
        draft = models.Draft(owner_id=caller.owner_id, theme_id=theme_id, version_id=version_id, revision=0)
    draft.settings_data, draft.updated_at = text, clock.now()
    draft.revision += 1
    await draft.save()


def _to_draft(
    theme_id: int, number: int, revision: int, text: str, files: ThemeFiles, draft: models.Draft | None
) -> Draft:
    data = parse_settings_data(text)
    problems = list_problems(data, files.texts) if isinstance(data, SettingsData) else data
    document: dict[str, Any] = data.model_dump() if isinstance(data, SettingsData) else SettingsData().model_dump()
    updated_at = None if draft is None else draft.updated_at
    return Draft(theme_id, number, revision, document, problems, updated_at, to_theme_form(files.texts))


def _indent(text: str) -> str:
    return json.dumps(json.loads(text), indent=2, ensure_ascii=False) + "\n"
