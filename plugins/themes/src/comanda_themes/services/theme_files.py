"""The files of one version of a theme."""

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Final

DEFAULT_THEME_NAME: Final = "default"
ASSETS_PATH: Final = "/theme-assets"
SETTINGS_DATA: Final = "config/settings_data.json"
SETTINGS_SCHEMA: Final = "config/settings_schema.json"
DEFAULT_THEME_FOLDER: Final[Traversable] = files("comanda_themes").joinpath("default_theme")
# The files that are checked and parsed; all others are pictures and fonts.
TEXT_SUFFIXES: Final = (".liquid", ".json", ".css", ".js", ".svg", ".txt")


@dataclass(frozen=True, slots=True)
class ThemeFiles:
    """The files of a theme by path: ``texts`` such as ``layout/theme.liquid``, and ``assets`` that are not text.

    ``key`` identifies the contents: two versions with the same key render the same pages. ``is_trusted`` is set for
    themes that come with the installation, which are rendered in this process. ``assets_key`` is set if the assets
    are served under a key of their own, which stays when only settings change.
    """

    key: str
    texts: Mapping[str, str]
    assets: Mapping[str, bytes]
    is_trusted: bool = False
    assets_key: str | None = None

    @property
    def assets_path(self) -> str:
        """The path below which its assets are served; their contents never change."""
        return f"{ASSETS_PATH}/{self.assets_key or self.key}"

    def find_asset(self, name: str) -> bytes | None:
        """Return the content of a file of assets/, or None."""
        text = self.texts.get(f"assets/{name}")
        return text.encode() if text is not None else self.assets.get(f"assets/{name}")


def to_theme_files(contents: Mapping[str, bytes], *, is_trusted: bool = False) -> ThemeFiles:
    """Return a theme from its files. Raises ``UnicodeDecodeError`` if a text file is not UTF-8."""
    digest = hashlib.sha256()
    for path, content in sorted(contents.items()):
        digest.update(f"{path}\0{len(content)}\0".encode())
        digest.update(content)
    texts = {path: content.decode() for path, content in contents.items() if path.endswith(TEXT_SUFFIXES)}
    others = {path: content for path, content in contents.items() if path not in texts}
    return ThemeFiles(digest.hexdigest()[:24], texts, others, is_trusted=is_trusted)


@cache
def load_default_theme() -> ThemeFiles:
    """Return the theme of stores without one of their own."""
    return to_theme_files(dict(_read_folder(DEFAULT_THEME_FOLDER)), is_trusted=True)


def _read_folder(folder: Traversable, prefix: str = "") -> Iterator[tuple[str, bytes]]:
    for entry in folder.iterdir():
        if entry.is_dir():
            yield from _read_folder(entry, f"{prefix}{entry.name}/")
        else:
            yield f"{prefix}{entry.name}", entry.read_bytes()
