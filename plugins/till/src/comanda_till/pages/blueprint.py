"""The pages of the till and of the customer's display. Their scripts log in and load data from the API."""

from comanda.contracts import Link, Pages
from comanda.web import N_, InstallablePage
from quart import Blueprint, Response, render_template

blueprint = Blueprint(
    "till", __name__, template_folder="templates", static_folder="static", static_url_path="/till/static"
)

pages = Pages(
    blueprint,
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


@blueprint.get("/till/")
async def show_till() -> Response:
    """Return the till."""
    return await till.render("till/till.html")


@blueprint.get("/till/display/")
async def show_display() -> Response:
    """Return the customer's display, which shows the check of the till in another window of the same browser."""
    return Response(await render_template("till/display.html"), headers={"Cache-Control": "no-cache"})
