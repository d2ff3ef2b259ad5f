"""The home page of the app: who is signed in, and where they can go."""

from typing import Final

from comanda.contracts import Pages
from comanda.web import PRIVATE_HEADERS, require_session
from quart import Blueprint, Response, render_template

from comanda_mobile.services.people import PEOPLE, get_identity

blueprint: Final = Blueprint("mobile", __name__, template_folder="templates")
pages: Final = Pages(blueprint)


@blueprint.get("/app/home")
async def show_home() -> Response:
    """Show the person who is signed in, their stores, and the button to sign out."""
    session = await require_session(kinds=PEOPLE)
    identity = await get_identity(session.caller)
    page = await render_template("mobile/home.html", session=session, user=identity.user, stores=identity.stores)
    return Response(page, headers=PRIVATE_HEADERS)
