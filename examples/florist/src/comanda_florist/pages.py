"""The shop's page: its bouquets, how to care for them, and the days on which it delivers."""

from typing import Final

from comanda import clock, money
from comanda.contracts.pages import Pages
from comanda.errors import Conflict, NotFound
from comanda.stores.models import Store
from quart import Blueprint, abort, render_template

from comanda_florist import seasons, shops
from comanda_florist.schemas import DaysQuery

DAYS_SHOWN: Final = 7
SLUG_LENGTH: Final = 100

blueprint = Blueprint(
    "florist", __name__, template_folder="templates", static_folder="static", static_url_path="/florist/static"
)

pages = Pages(blueprint)


@blueprint.get("/florist/<slug>")
async def shop(slug: str) -> str:
    """Show a shop to whoever has its address."""
    store = await _published(slug)
    if store is None:
        abort(404)
    try:
        menu = await shops.public_menu(store.id)
        days = await shops.public_days(store.id, DaysQuery(count=DAYS_SHOWN))
    except (NotFound, Conflict):
        # Suspended, or no flower shop: whichever it is, there is no such page.
        abort(404)
    month = seasons.month_at(menu)
    return await render_template(
        "florist/shop.html",
        terms=menu.terms,
        store=store,
        bouquets=[
            {**each, "price": _price(each["price"], menu.terms.currency)} for each in seasons.bouquets(menu, month)
        ],
        days=days["days"],
        today=clock.now().astimezone(menu.terms.zone).date(),
    )


async def _published(slug: str) -> Store | None:
    # An address may hold what is no slug, and what PostgreSQL keeps in no text.
    if len(slug) > SLUG_LENGTH or not slug.isprintable():
        return None
    return await Store.get_or_none(slug=slug, is_published=True).only("id", "address", "phone")


def _price(amount: float, currency: str) -> str:
    return f"{money.to_decimal_string(money.to_minor(amount, currency), currency)} {currency}"
