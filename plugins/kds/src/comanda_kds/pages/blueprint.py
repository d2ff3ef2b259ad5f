"""The pages of the kitchen screen, and the lookup of a store by its address."""

from comanda.contracts import Link, Pages
from comanda.web import N_, InstallablePage
from quart import Blueprint, Response

blueprint = Blueprint(
    "kds", __name__, template_folder="templates", static_folder="static", static_url_path="/kitchen/static"
)

pages = Pages(
    blueprint,
    links=(Link(N_("Kitchen screen"), "/kitchen/", N_("What is to be made, for those who work in the kitchen.")),),
)

kitchen = InstallablePage(
    blueprint,
    name=N_("Kitchen"),
    path="/kitchen/",
    files={"comanda": ("texts.js", "session.js", "action_*.js"), "staff": ("login.*", "enrolment.js"), "kds": ("*",)},
)


@blueprint.get("/kitchen/")
async def show_kitchen_page() -> Response:
    """Return the kitchen screen. Its script logs in and loads data from the API."""
    return await kitchen.render("kds/kitchen.html")
