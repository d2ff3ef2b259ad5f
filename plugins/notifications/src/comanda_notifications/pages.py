"""The outbox: in development, what people would have received, codes included."""

from typing import Final

from comanda.contracts.pages import Pages
from quart import Blueprint, Response, abort, render_template, request

from comanda_notifications import services, settings

REFRESH_SECONDS: Final = 5
ADDRESS_LENGTH: Final = 320

blueprint = Blueprint("notifications", __name__, template_folder="templates")

pages = Pages(blueprint)


@blueprint.get("/outbox/")
async def outbox() -> Response:
    """Show the latest messages, newest first; in production there is no such page."""
    if not settings.is_development():
        abort(404)
    address = request.args.get("to", "")[:ADDRESS_LENGTH]
    page = await render_template(
        "notifications/outbox.html",
        messages=await services.shown(address),
        address=address,
        refresh_seconds=REFRESH_SECONDS if request.args.get("refresh") == "on" else None,
    )
    return Response(page, headers={"Cache-Control": "no-store"})
