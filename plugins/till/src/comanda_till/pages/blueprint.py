"""The pages of the till and of customer displays. The till's scripts log in and load data from the API."""

from typing import Final

from comanda.basics import NotFound, Unavailable
from comanda.contracts import Link, Pages
from comanda.platform import runtime
from comanda.platform.http import live_updates
from comanda.web import N_, PRIVATE_HEADERS, InstallablePage, get_store
from quart import Blueprint, Response, abort, render_template, request

from comanda_till.services import displays

blueprint = Blueprint(
    "till", __name__, template_folder="templates", static_folder="static", static_url_path="/till/static"
)

pages = Pages(
    blueprint,
    secret_paths=(displays.PATH,),
    links=(Link(N_("Till"), "/till/", N_("Orders and payments at the counter and at tables, for staff.")),),
)

till = InstallablePage(
    blueprint,
    name=N_("Till"),
    path="/till/",
    files={
        "comanda": ("texts.js", "dom.js", "session.js", "action_*.js"),
        "staff": ("login.*", "enrolment.js"),
        "till": ("*",),
    },
)


# The address is the only key to a display.
DISPLAY_HEADERS: Final = {**PRIVATE_HEADERS, "Referrer-Policy": "no-referrer", "X-Robots-Tag": "noindex, nofollow"}


@blueprint.get("/till/")
async def show_till() -> Response:
    """Return the till."""
    emails_receipts = any(plugin.name == "invoices" for plugin in runtime.registry().plugins)
    return await till.render("till/till.html", emails_receipts=emails_receipts)


@blueprint.get("/till/display/")
async def show_display() -> Response:
    """Return the customer's display, which shows the check of the till in another window of the same browser."""
    return Response(await render_template("till/display.html"), headers={"Cache-Control": "no-cache"})


@blueprint.get(f"{displays.PATH}<code>")
async def show_connected_display(code: str) -> Response:
    """Return the customer's display on another device, which follows the check of its till."""
    try:
        display = await displays.find_display(code)
        store = await get_store(display.key.owner_id, display.store_id)
    except NotFound:
        abort(404)
    page = await render_template("till/display.html", store=store, events=f"{displays.PATH}{code}/events")
    return Response(page, headers=DISPLAY_HEADERS)


@blueprint.get(f"{displays.PATH}<code>/events")
async def stream_display(code: str) -> Response:
    """Return what a customer display shows as a stream of server-sent events."""
    try:
        display = await displays.find_display(code)
        displays.watch.check_room(display.key)
    except NotFound:
        abort(404)
    except Unavailable as error:
        return Response(error.message, status=503, headers={**DISPLAY_HEADERS, **error.headers})
    known = request.headers.get("Last-Event-ID")
    events = displays.watch.stream(display.key, displays.render, known, store_id=display.store_id)
    return live_updates.stream_answer(events, DISPLAY_HEADERS)
