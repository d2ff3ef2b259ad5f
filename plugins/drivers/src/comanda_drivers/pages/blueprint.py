"""The page for drivers."""

from typing import Final

from comanda.contracts.pages import Link, Pages
from comanda.web.translations import N_
from quart import Blueprint, Response, render_template, request

blueprint = Blueprint(
    "drivers", __name__, template_folder="templates", static_folder="static", static_url_path="/driver/static"
)

pages: Final = Pages(
    blueprint, links=(Link(N_("Driver"), "/driver/", N_("Offers, deliveries and earnings, for those who drive.")),)
)


@blueprint.after_request
async def disable_static_cache(response: Response) -> Response:
    """Set static files to be revalidated, so that a page and its scripts are of one release."""
    if request.endpoint == "drivers.static":
        response.headers["Cache-Control"] = "no-cache"
        response.headers.pop("Expires", None)
    return response


@blueprint.get("/driver/")
async def show_driver_page() -> Response:
    """Return the page for drivers. Its script logs in and loads data from the API."""
    return Response(await render_template("drivers/driver.html"), headers={"Cache-Control": "no-cache"})
