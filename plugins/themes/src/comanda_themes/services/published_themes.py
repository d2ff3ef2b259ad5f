"""Themes as pages need them: of a published version, of a preview, and single assets. Recently used ones are kept."""

import re
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any, Final

import orjson
from comanda.basics import parse_owner_prefix
from comanda.platform.db import sql
from comanda.platform.encryption import find_link_owner, sign_link

from comanda_themes.services.content_keys import KEY_DIGITS, create_key
from comanda_themes.services.theme_files import SETTINGS_DATA, TEXT_SUFFIXES, ThemeFiles, load_default_theme

SELECT_VERSION: Final = "SELECT key, assets_key, files FROM themes_version WHERE id = $1 AND owner_id = $2"
SELECT_CONTENTS: Final = "SELECT hash, content FROM themes_content WHERE owner_id = $1 AND hash = ANY ($2)"
SELECT_ASSET: Final = """
    SELECT c.content FROM themes_version v JOIN themes_content c ON c.owner_id = v.owner_id AND c.hash = v.files ->> $3
    WHERE v.owner_id = $1 AND v.assets_key = $2 LIMIT 1
"""
SELECT_STORE_OF_VERSION: Final = """
    SELECT t.store_id FROM themes_version v JOIN themes_theme t ON t.id = v.theme_id AND t.owner_id = v.owner_id
    WHERE v.id = $1 AND v.owner_id = $2
"""
SELECT_DRAFT: Final = """
    SELECT t.store_id, d.version_id, d.settings_data
    FROM themes_draft d JOIN themes_theme t ON t.id = d.theme_id AND t.owner_id = d.owner_id
    WHERE d.theme_id = $1 AND d.owner_id = $2
"""
MAX_CACHED_BYTES: Final = 32_000_000
PREVIEW_LIFETIME: Final = timedelta(hours=2)
PURPOSES: Final[Mapping[str, str]] = {"v": "themes.version", "d": "themes.draft"}
TOKEN: Final = re.compile(r"([vd])(\d{1,18})\.(\d{1,12})\.([0-9A-Za-z]{65,80})")


@dataclass(slots=True)
class _Cache:
    """Themes by their key, up to a number of bytes; the least recently used one goes first."""

    themes: OrderedDict[str, ThemeFiles]
    size_bytes: int = 0

    def get(self, key: str) -> ThemeFiles | None:
        """Return a theme and mark it as used."""
        found = self.themes.get(key)
        if found is not None:
            self.themes.move_to_end(key)
        return found

    def add(self, theme: ThemeFiles) -> None:
        """Add a theme and drop others until all fit."""
        if theme.key in self.themes:
            return
        self.themes[theme.key] = theme
        self.size_bytes += _get_size(theme)
        while self.size_bytes > MAX_CACHED_BYTES and len(self.themes) > 1:
            self.size_bytes -= _get_size(self.themes.popitem(last=False)[1])


_cache = _Cache(OrderedDict())


async def load_theme(owner_id: int, version_id: int) -> ThemeFiles:
    """Return the files of a version. Raises ``NotFound``."""
    row = await sql.require_one(SELECT_VERSION, version_id, owner_id)
    return _cache.get(row["key"]) or await _load(owner_id, row)


async def sign_version_preview(owner_id: int, version_id: int) -> str:
    """Return a token with which a version is previewed for two hours."""
    return await _sign("v", owner_id, version_id)


async def sign_draft_preview(owner_id: int, theme_id: int) -> str:
    """Return a token with which a theme's draft is previewed for two hours, as it is at each request."""
    return await _sign("d", owner_id, theme_id)


async def find_preview(owner_id: int, store_id: int, token: str) -> ThemeFiles | None:
    """Return the theme that a token previews for this store, or None if the token is forged or has expired."""
    parts = TOKEN.fullmatch(token)
    if parts is None:
        return None
    kind, id = parts[1], int(parts[2])
    if await find_link_owner(PURPOSES[kind], id, parts[3], parts[4]) != owner_id:
        return None
    if kind == "v":
        is_of_store = await sql.fetch_value(SELECT_STORE_OF_VERSION, id, owner_id) == store_id
        return await load_theme(owner_id, id) if is_of_store else None
    draft = await sql.fetch_one(SELECT_DRAFT, id, owner_id)
    if draft is None or draft["store_id"] != store_id:
        return None
    return apply_settings(owner_id, await load_theme(owner_id, draft["version_id"]), draft["settings_data"])


def apply_settings(owner_id: int, theme: ThemeFiles, settings_data: str) -> ThemeFiles:
    """Return a theme with another settings_data.json; its assets keep their addresses."""
    key = create_key(owner_id, {"": theme.key.encode(), SETTINGS_DATA: settings_data.encode()})
    return replace(theme, key=key, texts={**theme.texts, SETTINGS_DATA: settings_data})


async def get_asset(key: str, name: str) -> bytes | None:
    """Return a file of assets/ by the key of a theme's assets; of the default theme as well."""
    default = load_default_theme()
    if key == default.key:
        return default.find_asset(name)
    owner_id = parse_owner_prefix(key, KEY_DIGITS)
    if owner_id is None or not (key.isascii() and name.isprintable()):
        return None
    content: bytes | None = await sql.fetch_value(SELECT_ASSET, owner_id, key, f"assets/{name}")
    return content


async def _load(owner_id: int, version: sql.Row) -> ThemeFiles:
    files: Mapping[str, str] = orjson.loads(version["files"])
    rows = await sql.fetch(SELECT_CONTENTS, owner_id, list(set(files.values())))
    contents: dict[str, Any] = {row["hash"]: row["content"] for row in rows}
    texts = {path: contents[digest].decode() for path, digest in files.items() if path.endswith(TEXT_SUFFIXES)}
    assets = {path: contents[digest] for path, digest in files.items() if path not in texts}
    theme = ThemeFiles(version["key"], texts, assets, assets_key=version["assets_key"])
    _cache.add(theme)
    return theme


async def _sign(kind: str, owner_id: int, id: int) -> str:
    link = await sign_link(PURPOSES[kind], owner_id, id, PREVIEW_LIFETIME)
    expires, signature = (part.partition("=")[2] for part in link.query.split("&"))
    return f"{kind}{id}.{expires}.{signature}"


def _get_size(theme: ThemeFiles) -> int:
    return sum(map(len, theme.texts.values())) + sum(map(len, theme.assets.values()))
