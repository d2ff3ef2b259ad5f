"""Versions of themes: they never change, and old ones are deleted."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any, Final

import orjson
from comanda.basics import NotFound, clock, extend_record, require_found
from comanda.contracts import Caller
from comanda.platform.db import sql
from comanda.stores import require_store

from comanda_themes.models import Version
from comanda_themes.records import ChangedFiles, ThemeVersion, VersionDetails
from comanda_themes.services.archives import write_archive
from comanda_themes.services.content_keys import create_key, hash_content
from comanda_themes.services.liquid.findings import Severity, ThemeFinding
from comanda_themes.services.locks import lock_library
from comanda_themes.services.published_themes import load_theme
from comanda_themes.services.theme_files import ThemeFiles
from comanda_themes.services.theme_uploads import CheckedTheme, check_upload

# Beside the published one.
MAX_VERSIONS: Final = 20
ASSETS: Final = "assets/"
SELECT_VERSIONS: Final = """
    SELECT v.theme_id, v.number, v.note, v.size_bytes, v.author_kind, v.created_at, v.published_at,
           v.files, v.findings, p.version_id IS NOT NULL AS is_published
    FROM themes_version v
    JOIN themes_theme t ON t.id = v.theme_id AND t.owner_id = v.owner_id
    LEFT JOIN themes_publication p
        ON p.version_id = v.id AND p.owner_id = v.owner_id AND p.store_id = t.store_id
    WHERE v.owner_id = $1 AND t.store_id = $2 AND v.theme_id = $3 AND ($4::int IS NULL OR v.number <= $4)
    ORDER BY v.number DESC LIMIT $5
"""
INSERT_CONTENT: Final = """
    INSERT INTO themes_content (owner_id, hash, content)
    SELECT $1, f.hash, f.content FROM unnest($2::text[], $3::bytea[]) AS f (hash, content)
    ON CONFLICT (owner_id, hash) DO NOTHING
"""
# The published version and one with a draft stay, whatever their age.
DELETE_OLD: Final = """
    DELETE FROM themes_version v WHERE v.owner_id = $1 AND v.theme_id = $2 AND v.number <= $3
    AND NOT EXISTS (SELECT FROM themes_publication p WHERE p.version_id = v.id AND p.owner_id = v.owner_id)
    AND NOT EXISTS (SELECT FROM themes_draft d WHERE d.version_id = v.id AND d.owner_id = v.owner_id)
"""
DELETE_UNUSED: Final = """
    DELETE FROM themes_content c WHERE c.owner_id = $1 AND c.hash NOT IN (
        SELECT f.value FROM themes_version v, jsonb_each_text(v.files) f WHERE v.owner_id = $1)
"""
UPDATE_THEME: Final = "UPDATE themes_theme SET updated_at = $3 WHERE id = $1 AND owner_id = $2"


async def list_versions(caller: Caller, store_id: int, theme_id: int) -> list[ThemeVersion]:
    """List a theme's versions, newest first. Raises ``NotFound``."""
    rows = await _fetch(caller, store_id, theme_id, None, MAX_VERSIONS + 2)
    return [_to_version(row) for row in rows]


async def get_version(caller: Caller, store_id: int, theme_id: int, number: int) -> VersionDetails:
    """Return a version with its files, what changed and the warnings of its check. Raises ``NotFound``."""
    rows = await _fetch(caller, store_id, theme_id, number, 2)
    if rows[0]["number"] != number:
        raise NotFound
    files = orjson.loads(rows[0]["files"])
    before = orjson.loads(rows[1]["files"]) if len(rows) > 1 else {}
    findings = [
        ThemeFinding(**{**one, "severity": Severity(one["severity"])}) for one in orjson.loads(rows[0]["findings"])
    ]
    return extend_record(
        VersionDetails, _to_version(rows[0]), paths=sorted(files), changes=_compare(before, files), findings=findings
    )


async def get_archive(caller: Caller, store_id: int, theme_id: int, number: int) -> bytes:
    """Return the files of a version as a zip archive. Raises ``NotFound``."""
    await get_version(caller, store_id, theme_id, number)
    return write_archive(await load_contents(caller.owner_id, theme_id, number))


async def create_version(caller: Caller, store_id: int, theme_id: int, note: str, raw: bytes) -> VersionDetails:
    """Add a version from an archive; the same files as in the latest version add none, and return that one.

    Raises like ``themes.create_from_archive``.
    """
    await _fetch(caller, store_id, theme_id, None, 1)
    checked = await check_upload(raw)
    async with sql.transaction():
        await lock_library(caller.owner_id)
        await _fetch(caller, store_id, theme_id, None, 1)
        number = await insert_version(caller, theme_id, checked, note)
    return await get_version(caller, store_id, theme_id, number)


async def insert_version(caller: Caller, theme_id: int, checked: CheckedTheme, note: str) -> int:
    """Store a version in the open transaction, under the library's lock; return its number like ``create_version``."""
    contents, owner_id = checked.contents, caller.owner_id
    key = create_key(owner_id, contents)
    latest = await Version.filter(owner_id=owner_id, theme_id=theme_id).order_by("-number").first()
    if latest is not None and latest.key == key:
        return latest.number
    number = 1 if latest is None else latest.number + 1
    files = {path: hash_content(content) for path, content in sorted(contents.items())}
    unique = {files[path]: content for path, content in contents.items()}
    await sql.execute(INSERT_CONTENT, owner_id, list(unique), list(unique.values()))
    await Version.create(
        owner_id=owner_id,
        theme_id=theme_id,
        number=number,
        key=key,
        assets_key=create_key(owner_id, {path: each for path, each in contents.items() if path.startswith(ASSETS)}),
        files=files,
        size_bytes=sum(map(len, contents.values())),
        note=note,
        findings=[asdict(finding) for finding in checked.warnings],
        author_kind=caller.kind,
        author_id=caller.subject_id or owner_id,
        created_at=clock.now(),
    )
    await sql.execute(UPDATE_THEME, theme_id, owner_id, clock.now())
    if await sql.execute(DELETE_OLD, owner_id, theme_id, number - MAX_VERSIONS):
        await delete_unused_contents(owner_id)
    return number


async def delete_unused_contents(owner_id: int) -> None:
    """Delete the contents that no version has, in the open transaction and under the library's lock."""
    await sql.execute(DELETE_UNUSED, owner_id)


async def load_contents(owner_id: int, theme_id: int, number: int) -> dict[str, bytes]:
    """Return the files of a version. Raises ``NotFound``."""
    version = require_found(await Version.get_or_none(owner_id=owner_id, theme_id=theme_id, number=number))
    return to_contents(await load_theme(owner_id, version.id))


def to_contents(theme: ThemeFiles) -> dict[str, bytes]:
    """Return the files of a theme as they are stored."""
    return {**{path: text.encode() for path, text in theme.texts.items()}, **theme.assets}


async def _fetch(caller: Caller, store_id: int, theme_id: int, number: int | None, limit: int) -> Sequence[sql.Row]:
    await require_store(caller, store_id)
    rows = await sql.fetch(SELECT_VERSIONS, caller.owner_id, store_id, theme_id, number, limit)
    # A theme has at least one version.
    if not rows:
        raise NotFound
    return rows


def _to_version(row: sql.Row) -> ThemeVersion:
    known: dict[str, Any] = {name: value for name, value in row.items() if name not in {"files", "findings"}}
    known["files_count"] = len(orjson.loads(row["files"]))
    known["warnings_count"] = len(orjson.loads(row["findings"]))
    return ThemeVersion(**known)


def _compare(before: Mapping[str, str], after: Mapping[str, str]) -> ChangedFiles:
    return ChangedFiles(
        added=sorted(after.keys() - before.keys()),
        changed=sorted(path for path in after.keys() & before.keys() if after[path] != before[path]),
        removed=sorted(before.keys() - after.keys()),
    )
