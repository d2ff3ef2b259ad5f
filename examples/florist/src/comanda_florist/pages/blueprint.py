"""The page of a shop: its bouquets, their care, and its delivery days."""

from typing import Final

from comanda.basics import clock
from comanda.basics.errors import Conflict, NotFound
from comanda.contracts.pages import Pages
from comanda.stores.models import Store
from comanda.stores.services import find_published_store
from quart import Blueprint, abort, render_template

from comanda_florist.schemas.shops import DaysQuery
from comanda_florist.services import seasons, shops

DAYS_SHOWN: Final = 7
SLUG_LENGTH: Final = 100

blueprint = Blueprint(
    "florist", __name__, template_folder="../templates", static_folder="../static", static_url_path="/florist/static"
)

pages = Pages(blueprint)


@blueprint.get("/florist/<slug>")
async def show_shop(slug: str) -> str:
    """Render a shop's page."""
    store = await _find_published_store(slug)
    if store is None:
        abort(404)
    try:
        menu = await shops.get_public_menu(store.id)
        days = await shops.list_public_days(store.id, DaysQuery(count=DAYS_SHOWN))
    except (NotFound, Conflict):
        # Suspended or not a flower shop: there is no such page.
        abort(404)
    month = seasons.get_current_month(menu)
    return await render_template(
        "florist/shop.html",
        terms=menu.terms,
        store=store,
        bouquets=seasons.list_bouquets(menu, month),
        days=days.days,
        today=clock.now().astimezone(menu.terms.zone).date(),
    )


async def _find_published_store(slug: str) -> Store | None:
    # A URL may contain text that is no slug and that PostgreSQL refuses.
    if len(slug) > SLUG_LENGTH or not slug.isprintable():
        return None
    return await find_published_store(slug)
