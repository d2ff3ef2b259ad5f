"""Addresses of static files that browsers keep: they contain a version, which changes with any static file.

``url_for("comanda.static", filename="page.js")`` is ``/own/v-0123456789ab/page.js``. As the version is a part of the
path, modules that a script imports by a relative path have it too; those that it imports from other plugins, such as
``/own/texts.js``, get it when the script is served. So a page and all of its scripts are of one version, and a second
page loads none of them. ``shop.bundle/shop.js`` is a script together with those that it imports. Without a version, or
with that of another release, a file is asked for each time.
"""

import hashlib
import re
import time
from collections.abc import Awaitable, Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Final

from cachetools import LRUCache
from quart import Blueprint, Quart, Response, abort, request

from comanda.web.static_files.script_bundles import BUNDLED_NAME, build_script

STATIC_SUFFIX: Final = ".static"
VERSIONED_PATH: Final = re.compile(r"/[\w/-]+/(v-[0-9a-f]{12})/", re.ASCII)
VERSIONED_NAME: Final = re.compile(r"(v-[0-9a-f]{12})/(.+)", re.ASCII)
# An import of a module by its path, as scripts write it: on one line, in double quotes.
IMPORT: Final = re.compile(r'(\b(?:from|import)\s*\(?\s*")(/[\w/-]+/)([\w.-]+\.js")', re.ASCII)
SCRIPT_TYPES: Final = frozenset({"text/javascript", "application/javascript"})
IMMUTABLE: Final = "public, max-age=31536000, immutable"
REVALIDATED: Final = "no-cache"
# How long a changed file may go unnoticed, in development.
CHECK_SECONDS: Final = 1.0
MAX_CACHED_SCRIPTS: Final = 500

Sender = Callable[[str], Awaitable[Response]]


@dataclass(slots=True)
class StaticFiles:
    """The static files of an application: ``folders`` by the address below which each is served."""

    folders: Mapping[str, Path]
    is_watched: bool = True
    _version: str = ""
    _state: tuple[tuple[str, int, int], ...] = ()
    _checked_at: float = float("-inf")
    _scripts: LRUCache[tuple[str, str], bytes] = field(default_factory=lambda: LRUCache(MAX_CACHED_SCRIPTS))

    def get_version(self) -> str:
        """Return the version of all files; while ``is_watched``, they are read again if one has changed."""
        if self._version and not self.is_watched:
            return self._version
        now = time.monotonic()
        if now - self._checked_at >= CHECK_SECONDS:
            self._checked_at = now
            state = tuple(sorted(self._list_states()))
            if state != self._state:
                self._state, self._version = state, self._compute_version()
        return self._version

    def add_version(self, endpoint: str, values: dict[str, Any]) -> None:
        """Add the version to the address of a static file that ``url_for`` makes."""
        if endpoint.endswith(STATIC_SUFFIX) and not VERSIONED_NAME.fullmatch(values.get("filename", "")):
            values["filename"] = f"{self.get_version()}/{values.get('filename', '')}"

    async def send(self, sender: Sender, folder: Path, filename: str) -> Response:
        """Send a static file, which a browser may keep if its address has the version of now."""
        found = VERSIONED_NAME.fullmatch(filename)
        version, name = (found[1], found[2]) if found else ("", filename)
        bundled = BUNDLED_NAME.fullmatch(name)
        response = await sender(name) if bundled is None else await _build_response(folder, bundled[1], bundled[2])
        if version and response.status_code == 200 and response.mimetype in SCRIPT_TYPES:
            await self._add_version_to_imports(response, version)
        response.headers["Cache-Control"] = IMMUTABLE if version and version == self.get_version() else REVALIDATED
        response.headers.pop("Expires", None)
        return response

    async def _add_version_to_imports(self, response: Response, version: str) -> None:
        etag, _ = response.get_etag()
        key = (request.path, etag or "")
        script = self._scripts.get(key)
        if script is None:
            plain = (await response.get_data(as_text=False)).decode()
            script = self._scripts[key] = IMPORT.sub(partial(self._to_versioned, version), plain).encode()
        response.set_data(script)
        response.headers.pop("Accept-Ranges", None)

    def _to_versioned(self, version: str, found: re.Match[str]) -> str:
        infix = f"{version}/" if found[2] in self.folders else ""
        return f"{found[1]}{found[2]}{infix}{found[3]}"

    def _list_files(self) -> Iterator[Path]:
        for folder in self.folders.values():
            yield from (path for path in folder.rglob("*") if path.is_file())

    def _list_states(self) -> Iterator[tuple[str, int, int]]:
        for path in self._list_files():
            known = path.stat()
            yield str(path), known.st_mtime_ns, known.st_size

    def _compute_version(self) -> str:
        whole = hashlib.sha256()
        for address, folder in sorted(self.folders.items()):
            for path in sorted(path for path in folder.rglob("*") if path.is_file()):
                content = path.read_bytes()
                whole.update(f"{address}{path.relative_to(folder).as_posix()}:{len(content)}:".encode())
                whole.update(content)
        return f"v-{whole.hexdigest()[:12]}"


async def _build_response(folder: Path, entry: str, name: str) -> Response:
    """Return a bundle, or a script that takes its imports from one."""
    try:
        script = build_script(folder, entry, name)
    except FileNotFoundError:
        abort(404)
    response = Response(script, mimetype="text/javascript")
    await response.add_etag()
    return await response.make_conditional(request)


def add_static_versions(app: Quart, *, is_watched: bool) -> StaticFiles:
    """Serve the static files of all blueprints of an application under versioned addresses."""
    folders: dict[str, Path] = {}
    files = StaticFiles(folders, is_watched=is_watched)
    for rule in app.url_map.iter_rules():
        blueprint = app.blueprints.get(rule.endpoint.removesuffix(STATIC_SUFFIX))
        if (
            not rule.endpoint.endswith(STATIC_SUFFIX)
            or not isinstance(blueprint, Blueprint)
            or blueprint.static_folder is None
        ):
            continue
        folder = folders[rule.rule.partition("<")[0]] = Path(blueprint.static_folder)
        app.view_functions[rule.endpoint] = partial(files.send, blueprint.send_static_file, folder)
    app.url_default_functions.setdefault(None, []).append(files.add_version)
    return files
