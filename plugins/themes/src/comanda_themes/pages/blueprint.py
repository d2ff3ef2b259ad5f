"""The assets of themes, at addresses whose contents never change."""

import mimetypes
from typing import Final

from comanda.contracts import Pages
from quart import Blueprint, Response, abort

from comanda_themes.services.published_themes import get_asset
from comanda_themes.services.theme_files import ASSETS_PATH, load_default_theme
from comanda_themes.settings import get_settings

blueprint = Blueprint("themes", __name__)

pages = Pages(blueprint, guest_paths=("/theme-assets/",))

TYPES: Final = {
    ".css": "text/css", ".svg": "image/svg+xml", ".woff2": "font/woff2", ".webp": "image/webp", ".avif": "image/avif",
    ".js": "text/javascript", ".json": "application/json", ".ico": "image/vnd.microsoft.icon",
}  # fmt: skip
HEADERS: Final = {
    "Cache-Control": "public, max-age=31536000, immutable",
    "X-Content-Type-Options": "nosniff",
    # A picture of SVG that is opened by itself runs no script.
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
}


@blueprint.get(f"{ASSETS_PATH}/<version>/<name>")
async def show_asset(version: str, name: str) -> Response:
    """Send an asset of a theme. Scripts of uploaded themes are not found unless the operator allows them."""
    suffix = name[name.rfind(".") :]
    if suffix == ".js" and version != load_default_theme().key and not get_settings().allow_scripts:
        abort(404)
    content = await get_asset(version, name)
    if content is None:
        abort(404)
    mimetype = TYPES.get(suffix) or mimetypes.types_map.get(suffix, "application/octet-stream")
    return Response(content, mimetype=mimetype, headers=HEADERS)
