"""The page that drivers work with."""

from typing import Final

from comanda.contracts.pages import Link, Pages
from quart import Blueprint, Response, render_template, request

blueprint = Blueprint(
    "drivers", __name__, template_folder="templates", static_folder="static", static_url_path="/driver/static"
)

pages: Final = Pages(
    blueprint, links=(Link("Driver", "/driver/", "Offers, deliveries and earnings, for those who drive."),)
)


@blueprint.after_request
async def ask_again(response: Response) -> Response:
    """Have browsers ask whether their files are current, for a page and its scripts must be of one release."""
    if request.endpoint == "drivers.static":
        response.headers["Cache-Control"] = "no-cache"
        response.headers.pop("Expires", None)
    return response


@blueprint.get("/driver/")
async def screen() -> Response:
    """Show the driver's page; who may see what is asked by its script, of the API."""
    return Response(await render_template("drivers/driver.html"), headers={"Cache-Control": "no-cache"})
