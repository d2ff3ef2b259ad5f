"""The choice of a language, which the browser keeps."""

from typing import Final

from quart import Blueprint, Response, request

from comanda.contracts.web.pages import Pages
from comanda.web.languages.selection import LANGUAGE_COOKIE, find_language
from comanda.web.local_paths import parse_local_path
from comanda.web.sign_in.sessions import create_cookie

blueprint = Blueprint("languages", __name__)

pages = Pages(blueprint, guest_paths=("/language",))

COOKIE_SECONDS: Final = 365 * 24 * 3600


@blueprint.route("/language", methods=["GET", "POST"])
async def choose_language() -> Response:
    """Keep the parameter ``language``, and return to the path ``next``; an unknown language forgets the choice."""
    # No token is needed: what another site could do here is to show pages in another language.
    values = request.args if request.method == "GET" else await request.form
    language = find_language(values.get("language"))
    cookie = create_cookie(
        LANGUAGE_COOKIE, language.code if language else "", max_age=COOKIE_SECONDS if language else 0
    )
    headers = {
        "Location": parse_local_path(values.get("next", "")) or "/",
        "Set-Cookie": cookie,
        "Cache-Control": "no-store",
    }
    return Response("", status=303, headers=headers)
