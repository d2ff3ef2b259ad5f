"""Pages that people install on their device, and that open while the network is away.

    kitchen = InstallablePage(
        blueprint, name=N_("Kitchen"), path="/kitchen/", files={"comanda": ("comanda.css", "texts.js"), "kds": ("*",)}
    )

    @blueprint.get("/kitchen/")
    async def show_kitchen_page() -> Response:
        return await kitchen.render("kds/kitchen.html")

The page includes ``comanda/installable.html`` in its head. Its worker caches the page, which is the same for everybody,
and its static files; scripts load personal data from the API, which the worker leaves alone.
"""

import hashlib
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final

from quart import Blueprint, Response, current_app, render_template, url_for

import comanda
from comanda.basics.encoding import to_json
from comanda.basics.startup_errors import InvalidDeclaration
from comanda.web.languages.selection import current_language
from comanda.web.languages.translations import gettext

WORKER: Final = Path(__file__).parent / "static/page_worker.js"
ICONS: Final = (
    ("icon-192.png", "192x192", "any"),
    ("icon-512.png", "512x512", "any"),
    ("icon-maskable-512.png", "512x512", "maskable"),
)
# What every installable page needs, whichever files it names.
SHARED_FILES: Final = ("mark.svg", "comanda.css", "installable.js", "icon-192.png")
# Anything that is served under these names is never a file of a page.
IGNORED_SUFFIXES: Final = frozenset({".map", ".md"})


class InstallablePage:
    """A page with a web manifest and a service worker, at ``manifest.webmanifest`` and ``worker.js`` below its path.

    ``path`` ends with a slash and is the worker's scope, so workers of several pages do not meet. ``name`` is marked
    for translation. ``files`` are the static files that the page needs, by the blueprint that serves them, as patterns
    such as ``*.js``. Raises ``InvalidDeclaration`` for a path without a slash at its end.
    """

    def __init__(
        self,
        blueprint: Blueprint,
        *,
        name: str,
        path: str,
        files: Mapping[str, Sequence[str]],
        theme_color: str = "#211d19",
        background_color: str = "#171411",
    ) -> None:
        if not path.endswith("/") or path == "/":
            raise InvalidDeclaration(
                f"The installable page at {path} needs a path that ends with a slash, as its worker's scope.",
                blueprint.name,
            )
        self.name = name
        self.path = path
        self.files = files
        self.theme_color = theme_color
        self.background_color = background_color
        self.manifest_path = f"{path}manifest.webmanifest"
        self.worker_path = f"{path}worker.js"
        blueprint.add_url_rule(self.manifest_path, f"{blueprint.name}_manifest", self._show_manifest)
        blueprint.add_url_rule(self.worker_path, f"{blueprint.name}_worker", self._show_worker)

    async def render(self, template: str, **values: Any) -> Response:
        """Return the page. It must not contain anything about the person who asks, because the worker keeps it."""
        page = await render_template(template, installable=self, **values)
        return Response(page, headers={"Cache-Control": "no-cache", "Page-Release": self._get_release()})

    async def _show_manifest(self) -> Response:
        language = current_language()
        manifest = {
            "id": self.path,
            "name": gettext(self.name),
            "short_name": gettext(self.name),
            "start_url": self.path,
            "scope": self.path,
            "display": "standalone",
            "lang": language.code,
            "dir": language.direction,
            "theme_color": self.theme_color,
            "background_color": self.background_color,
            "icons": list_app_icons(),
        }
        headers = {"Cache-Control": "no-cache", "Vary": "Accept-Language, Cookie"}
        return Response(to_json(manifest), content_type="application/manifest+json", headers=headers)

    async def _show_worker(self) -> Response:
        constants = {
            "RELEASE": self._get_release(),
            "SHELL": self.path,
            "FILES": [path for path, _ in self._list_files()],
        }
        lines = [f"const {name} = {to_json(value).decode()};" for name, value in constants.items()]
        script = "\n".join([*lines, _read_worker()])
        return Response(script, content_type="text/javascript; charset=utf-8", headers={"Cache-Control": "no-cache"})

    def _list_files(self) -> list[tuple[str, Path]]:
        """Return the addresses of the page's static files, and the files."""
        patterns = {**self.files, "comanda": (*SHARED_FILES, *self.files.get("comanda", ()))}
        found = {}
        for name, wanted in patterns.items():
            served = current_app.blueprints[name]
            folder = Path(served.root_path) / str(served.static_folder)
            for file in sorted({file for pattern in wanted for file in folder.glob(pattern) if file.is_file()}):
                if file.suffix not in IGNORED_SUFFIXES:
                    found[url_for(f"{name}.static", filename=file.relative_to(folder).as_posix())] = file
        return list(found.items())

    def _get_release(self) -> str:
        return _hash_files(tuple(self._list_files()))


def list_app_icons() -> list[dict[str, str]]:
    """Return the platform's icons as a web manifest lists them."""
    return [
        {"src": url_for("comanda.static", filename=name), "sizes": sizes, "type": "image/png", "purpose": use}
        for name, sizes, use in ICONS
    ]


@cache
def _read_worker() -> str:
    return WORKER.read_text(encoding="utf-8")


@cache
def _hash_files(files: tuple[tuple[str, Path], ...]) -> str:
    """Return a name for the files as they are; installing another release starts another process."""
    digest = hashlib.sha256(f"{comanda.__version__}\n{_read_worker()}".encode())
    for path, file in files:
        digest.update(path.encode() + b"\n" + hashlib.sha256(file.read_bytes()).digest())
    return digest.hexdigest()[:16]
