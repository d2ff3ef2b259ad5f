"""The page for drivers, which can be installed on a phone and opens without a connection."""

from functools import cache
from typing import Any, Final

from comanda.basics import get_phone_prefix
from comanda.contracts import Link, Pages
from comanda.web import N_, list_countries
from comanda.web import gettext as _
from quart import Blueprint, Response, jsonify, render_template

from comanda_drivers.services.accounts.login import get_default_country

blueprint = Blueprint(
    "drivers", __name__, template_folder="templates", static_folder="static", static_url_path="/driver/static"
)

pages: Final = Pages(
    blueprint, links=(Link(N_("Driver"), "/driver/", N_("Offers, deliveries and earnings, for those who drive.")),)
)

PAGE_PATH: Final = "/driver/"
# The colours of the bar around the page, which are those of its ground by day.
THEME_COLOR: Final = "#faf8f5"


@blueprint.get(PAGE_PATH)
async def show_driver_page() -> Response:
    """Return the page for drivers. Its script logs in and loads data from the API."""
    country = await get_default_country()
    page = await render_template("drivers/driver.html", list_phone_prefixes=list_phone_prefixes, country=country)
    return Response(page, headers={"Cache-Control": "no-cache"})


@blueprint.get("/driver/worker.js")
async def get_service_worker() -> Response:
    """Return the service worker, whose scope is its folder."""
    response = await blueprint.send_static_file("worker.js")
    response.headers["Cache-Control"] = "no-cache"
    return response


@blueprint.get("/driver/manifest.webmanifest")
async def get_manifest() -> Response:
    """Return the manifest with which phones install the page."""
    document: dict[str, Any] = {
        "id": PAGE_PATH,
        "name": _("Driver"),
        "short_name": _("Driver"),
        "start_url": PAGE_PATH,
        "scope": PAGE_PATH,
        "display": "standalone",
        "orientation": "portrait",
        "background_color": THEME_COLOR,
        "theme_color": THEME_COLOR,
        "icons": [{"src": "/own/mark.svg", "sizes": "any", "type": "image/svg+xml", "purpose": "any"}],
    }
    response = jsonify(document)
    response.headers["Content-Type"] = "application/manifest+json"
    response.headers["Cache-Control"] = "no-cache"
    return response


@cache
def list_phone_prefixes(language: str) -> tuple[tuple[str, str], ...]:
    """List the codes of countries, each with its name and the calling code, by name."""
    known = [(code, name, get_phone_prefix(code)) for code, name in list_countries(language)]
    return tuple((code, f"{name} (+{calling_code})") for code, name, calling_code in known if calling_code)
