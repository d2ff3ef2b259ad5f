"""The outbox: sent messages, including codes, for developers."""

from typing import Final

from comanda.contracts import Pages
from quart import Blueprint, Response, abort, render_template, request

from comanda_notifications import settings
from comanda_notifications.services import messages

REFRESH_SECONDS: Final = 5
MAX_ADDRESS_LENGTH: Final = 320

blueprint = Blueprint("notifications", __name__, template_folder="templates")

pages = Pages(blueprint)


@blueprint.get("/outbox/")
async def show_outbox() -> Response:
    """Show the latest messages, newest first; 404 in production."""
    if not settings.is_development():
        abort(404)
    address = request.args.get("to", "")[:MAX_ADDRESS_LENGTH]
    page = await render_template(
        "notifications/outbox.html",
        messages=await messages.list_latest_messages(address),
        address=address,
        refresh_seconds=REFRESH_SECONDS if request.args.get("refresh") == "on" else None,
    )
    return Response(page, headers={"Cache-Control": "no-store"})
