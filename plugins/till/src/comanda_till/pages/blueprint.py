"""The page of the till. Its scripts log in and load data from the API."""

from comanda.contracts import Link, Pages
from comanda.web import N_
from quart import Blueprint, Response, render_template

blueprint = Blueprint(
    "till", __name__, template_folder="templates", static_folder="static", static_url_path="/till/static"
)

pages = Pages(
    blueprint,
    links=(Link(N_("Till"), "/till/", N_("Orders and payments at the counter and at tables, for staff.")),),
)


@blueprint.get("/till/")
async def show_till() -> Response:
    """Return the till."""
    return Response(await render_template("till/till.html"), headers={"Cache-Control": "no-cache"})
