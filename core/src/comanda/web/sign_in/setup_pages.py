"""The page of the first start, on which the first owner and the first store are created.

The link is the credential, so the form needs no further secret; another site can send it only if it knows the link.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Final
from zoneinfo import available_timezones

from babel.core import Locale, get_global
from quart import Blueprint, Response, abort, render_template, request

from comanda.basics.errors import NotFound, ValidationFailed
from comanda.contracts.web.pages import Pages
from comanda.platform import runtime
from comanda.stores import setup
from comanda.web.sign_in.sessions import OWN_SITES, create_redirect, get_client_address, session_cookie
from comanda.web.sign_in.steps import get_own_browser_name, get_start_path

blueprint = Blueprint("setup", __name__)

pages = Pages(blueprint, secret_paths=(setup.SETUP_PATH,))

# The address is a secret: keep it out of caches, search engines and referrers.
PRIVATE_HEADERS: Final = {
    "Cache-Control": "no-store",
    "X-Robots-Tag": "noindex, nofollow",
    "Referrer-Policy": "no-referrer",
}
MAX_TOKEN_LENGTH: Final = 100
FIELDS: Final = ("name", "email", "title", "store_type", "currency", "timezone", "country")
DEFAULTS: Final = {"currency": "EUR", "timezone": "UTC"}

Choices = Sequence[tuple[str, str]]


@blueprint.get(f"{setup.SETUP_PATH}<token>")
async def show_setup(token: str) -> Response:
    await _require_token(token)
    return await _render(DEFAULTS)


@blueprint.post(f"{setup.SETUP_PATH}<token>")
async def set_up(token: str) -> Response:
    """Create the owner and the store, sign the owner in and lead to the dashboard."""
    await _require_token(token)
    if request.headers.get("Sec-Fetch-Site", "none") not in OWN_SITES:
        abort(403)
    form = await request.form
    values = {name: form.get(name, "") for name in FIELDS}
    entered = setup.Setup(**{**values, "country": values["country"] or None}, password=form.get("password", ""))
    try:
        secret = await setup.set_up(token, entered, browser_name=get_own_browser_name(), address=get_client_address())
    except ValidationFailed as error:
        return await _render(values, error.errors)
    except NotFound:
        abort(404)
    return create_redirect(get_start_path(), session_cookie(secret))


async def _require_token(token: str) -> None:
    if len(token) > MAX_TOKEN_LENGTH or not await setup.is_setup_token(token):
        abort(404)


async def _render(values: Mapping[str, str], errors: Mapping[str, Sequence[str]] | None = None) -> Response:
    verticals = runtime.registry().verticals.values()
    page = await render_template(
        "comanda/setup.html",
        values=values,
        errors={name: sentences[0] for name, sentences in (errors or {}).items()},
        store_types=[(vertical.store_type, vertical.label) for vertical in verticals],
        currencies=_list_currencies(),
        timezones=_list_timezones(),
        countries=_list_countries(),
    )
    return Response(page, status=422 if errors else 200, headers=PRIVATE_HEADERS)


def _list_currencies() -> Choices:
    """List the currencies that some country uses today, by code."""
    names = Locale("en").currencies
    current = {
        code
        for used in get_global("territory_currencies").values()
        for code, _, end, is_tender in used
        if end is None and is_tender
    }
    return [(code, f"{code} ({names.get(code, code)})") for code in sorted(current)]


def _list_countries() -> Choices:
    names = Locale("en").territories
    countries = [(code, name) for code, name in names.items() if len(code) == 2 and code.isalpha() and code != "ZZ"]
    return sorted(countries, key=lambda country: country[1])


@cache
def _list_timezones() -> Choices:
    names = {name for name in available_timezones() if "/" in name and not name.startswith(("Etc/", "SystemV/", "US/"))}
    return [(name, name.replace("_", " ")) for name in ("UTC", *sorted(names))]
