"""The choice of a light or dark appearance, kept in a cookie; by default, pages follow the device."""

from typing import Final

from quart import Blueprint, Response, has_request_context, request

from comanda.contracts.web.pages import Pages
from comanda.web.local_paths import parse_local_path
from comanda.web.sign_in.sessions import cookie_name, create_cookie

blueprint = Blueprint("theme_choice", __name__)

pages = Pages(blueprint, guest_paths=("/theme",))

THEMES: Final = ("light", "dark")
THEME_COOKIE: Final = "comanda_theme"
COOKIE_SECONDS: Final = 365 * 24 * 3600


@blueprint.post("/theme")
async def choose_theme() -> Response:
    """Save the appearance in the field ``theme``, and redirect to ``next``; any other value deletes the choice."""
    # No token is needed: another site could only change the appearance of pages.
    values = await request.form
    theme = _find_theme(values.get("theme"))
    headers = {
        "Location": parse_local_path(values.get("next", "")) or "/",
        "Set-Cookie": create_cookie(THEME_COOKIE, theme, max_age=COOKIE_SECONDS if theme else 0),
        "Cache-Control": "no-store",
    }
    return Response("", status=303, headers=headers)


async def get_theme_context() -> dict[str, str]:
    """Return the appearance for templates. A function that is not ``async`` would run in a thread for each page."""
    return {"page_theme": get_theme()}


def get_theme() -> str:
    """Return the appearance: ``light``, ``dark`` or empty; outside of requests it is empty."""
    return _find_theme(request.cookies.get(cookie_name(THEME_COOKIE)) if has_request_context() else None)


def _find_theme(text: str | None) -> str:
    return text if text in THEMES else ""
