"""What the pages of members of staff share: how they log in, and the lookup of a store by its address."""

from typing import Any

from comanda.contracts import Pages
from quart import Blueprint, request

from comanda_staff.services import stores

blueprint = Blueprint(
    "staff", __name__, template_folder="templates", static_folder="static", static_url_path="/staff-pages/static"
)

pages = Pages(blueprint)


@blueprint.get("/staff-pages/store")
async def find_store() -> dict[str, Any]:
    """Return the id, title and slug of the store at ``address``: its slug, or the id of a published store."""
    return dict(await stores.get_store_at(request.args.get("address", "").strip().lower()))
