"""The kitchen screen's addresses: the screen itself, and the store that an address stands for."""

from typing import Any, Final

from comanda.contracts.pages import Link, Pages
from comanda.db import sql
from quart import Blueprint, Response, abort, render_template, request

blueprint = Blueprint(
    "kds", __name__, template_folder="templates", static_folder="static", static_url_path="/kitchen/static"
)

pages = Pages(
    blueprint, links=(Link("Kitchen screen", "/kitchen/", "What is to be made, for those who work in the kitchen."),)
)

# Whoever prepares a store before it opens knows its address; numbers are there to be counted through by anybody.
FIND: Final = """
    SELECT s.id, s.title, s.slug FROM core_store s JOIN core_owner o ON o.id = s.owner_id
    WHERE (s.slug = $1 OR (s.id = $2 AND s.is_published)) AND NOT o.is_suspended ORDER BY s.slug = $1 DESC LIMIT 1
"""
SLUG_LENGTH: Final = 100
ID_LENGTH: Final = 18


@blueprint.after_request
async def ask_again(response: Response) -> Response:
    """Have browsers ask whether their files are current, for a page and its scripts must be of one release."""
    if request.endpoint == "kds.static":
        response.headers["Cache-Control"] = "no-cache"
        response.headers.pop("Expires", None)
    return response


@blueprint.get("/kitchen/")
async def screen() -> Response:
    """Show the kitchen screen; who may see what is asked by its script, of the API."""
    return Response(await render_template("kds/kitchen.html"), headers={"Cache-Control": "no-cache"})


@blueprint.get("/kitchen/store")
async def store() -> dict[str, Any]:
    """Tell the id and the title of the store that is meant by ``address``: its slug, or its id once it is published."""
    address = request.args.get("address", "").strip().lower()
    number = int(address) if address.isascii() and address.isdigit() and len(address) <= ID_LENGTH else None
    row = await sql.fetch_one(FIND, address, number) if len(address) <= SLUG_LENGTH and address.isprintable() else None
    if row is None:
        abort(404)
    return dict(row)
