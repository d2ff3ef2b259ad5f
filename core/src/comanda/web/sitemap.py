"""``robots.txt`` and the sitemap: the start page and the pages of published stores, for search engines."""

from typing import Final
from xml.sax.saxutils import escape

from quart import Blueprint, Response, abort, request

from comanda.contracts.requests.routes import API_PREFIX
from comanda.contracts.web.dashboard import PREFIX as DASHBOARD_PREFIX
from comanda.contracts.web.pages import Pages
from comanda.platform import runtime
from comanda.platform.http.store_hosts import find_store_host
from comanda.web import store_directory

blueprint = Blueprint("sitemap", __name__)
pages = Pages(blueprint, guest_paths=("/robots.txt", "/sitemap.xml"))

NAMESPACE: Final = "http://www.sitemaps.org/schemas/sitemap/0.9"
CACHED: Final = {"Cache-Control": "public, max-age=3600"}
PRIVATE_PREFIXES: Final = (f"{API_PREFIX}/", DASHBOARD_PREFIX, "/account", "/sign-in", "/mcp")


@blueprint.get("/robots.txt")
async def show_robots() -> Response:
    """Return what search engines may read."""
    secret = runtime.registry().secret_paths()
    lines = ["User-agent: *", *(f"Disallow: {path}" for path in (*PRIVATE_PREFIXES, *sorted(secret)))]
    lines += ["", f"Sitemap: {_get_site_url()}/sitemap.xml", ""]
    return Response("\n".join(lines), mimetype="text/plain", headers=CACHED)


@blueprint.get("/sitemap.xml")
async def show_sitemap_index() -> Response:
    """Return the parts of the sitemap; at the host of a store, the sitemap of the store."""
    if find_store_host(request.scope):
        return _render("urlset", "url", [f"{_get_site_url()}/"])
    site = runtime.settings().site_url
    parts = [f"{site}/sitemap-{part}.xml" for part in range(await store_directory.count_sitemap_parts())]
    return _render("sitemapindex", "sitemap", parts)


@blueprint.get("/sitemap-<int:part>.xml")
async def show_sitemap(part: int) -> Response:
    """Return the addresses of one part of the sitemap; the first one begins with the start page."""
    if part > store_directory.MAX_PAGE:
        abort(404)
    found = await store_directory.list_store_urls(part)
    if part and not found:
        abort(404)
    # A sitemap lists addresses of its own host.
    site = f"{runtime.settings().site_url}/"
    return _render("urlset", "url", [*([] if part else [site]), *(url for url in found if url.startswith(site))])


def _get_site_url() -> str:
    """Return the site that a request is for: the store's main host at any of its hosts, or the installation."""
    host = find_store_host(request.scope)
    site = runtime.settings().site_url
    return runtime.registry().guest_site_url(site, host.store_id) if host else site


def _render(root: str, element: str, urls: list[str]) -> Response:
    entries = "".join(f"<{element}><loc>{escape(url)}</loc></{element}>" for url in urls)
    document = f'<?xml version="1.0" encoding="UTF-8"?>\n<{root} xmlns="{NAMESPACE}">{entries}</{root}>\n'
    return Response(document, mimetype="application/xml", headers=CACHED)
