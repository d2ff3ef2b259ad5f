"""What the pages of members of staff share: how they log in, and the lookup of a store by its address."""

from typing import Any, Final

from comanda.contracts import Pages, parse_id
from comanda.platform.db import sql
from comanda.stores import may_be_slug
from quart import Blueprint, abort, request

blueprint = Blueprint(
    "staff", __name__, template_folder="templates", static_folder="static", static_url_path="/staff-pages/static"
)

pages = Pages(blueprint)

# Staff who set up an unpublished store know its slug. Ids can be enumerated, so they find published stores only.
SELECT_STORE: Final = """
    SELECT s.id, s.title, s.slug FROM core_store_v1 s JOIN core_owner_v1 o ON o.id = s.owner_id
    WHERE (s.slug = $1 OR (s.id = $2 AND s.is_published)) AND NOT o.is_suspended ORDER BY s.slug = $1 DESC LIMIT 1
"""


@blueprint.get("/staff-pages/store")
async def find_store() -> dict[str, Any]:
    """Return the id, title and slug of the store at ``address``: its slug, or the id of a published store."""
    address = request.args.get("address", "").strip().lower()
    row = await sql.fetch_one(SELECT_STORE, address, parse_id(address)) if may_be_slug(address) else None
    if row is None:
        abort(404)
    return dict(row)
