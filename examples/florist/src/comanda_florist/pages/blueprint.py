"""The page of a shop: its bouquets, their care, and its delivery days."""

from typing import Final

from comanda.basics import Conflict, NotFound, clock
from comanda.contracts import Pages
from comanda.web import get_public_store
from quart import Blueprint, abort, render_template

from comanda_florist.schemas.shops import DaysQuery
from comanda_florist.services import seasons, shops

DAYS_SHOWN: Final = 7

blueprint = Blueprint(
    "florist", __name__, template_folder="../templates", static_folder="../static", static_url_path="/florist/static"
)

pages = Pages(blueprint)


@blueprint.get("/florist/<slug>")
async def show_shop(slug: str) -> str:
    """Render a shop's page."""
    try:
        store = await get_public_store(slug)
        menu = await shops.get_public_menu(store.id)
        days = await shops.list_public_days(store.id, DaysQuery(count=DAYS_SHOWN))
    except (NotFound, Conflict):
        # Unknown, suspended or not a flower shop: there is no such page.
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
