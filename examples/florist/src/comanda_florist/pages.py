"""The shop's page: its bouquets, how to care for them, and the days on which it delivers."""

from typing import Final

from comanda import clock, money
from comanda.errors import ComandaError
from comanda.stores.models import Store
from comanda.web.pages import Pages
from quart import Blueprint, abort, render_template

from comanda_florist import seasons, shops
from comanda_florist.schemas import DaysQuery

DAYS_SHOWN: Final = 7

blueprint = Blueprint(
    "florist", __name__, template_folder="templates", static_folder="static", static_url_path="/florist/static"
)

pages = Pages(blueprint)


@blueprint.get("/florist/<slug>")
async def shop(slug: str) -> str:
    """Show a shop to whoever has its address."""
    store = await Store.get_or_none(slug=slug).only("id", "address", "phone")
    if store is None:
        abort(404)
    try:
        menu = await shops.public_menu(store.id)
        days = await shops.public_days(store.id, DaysQuery(count=DAYS_SHOWN))
    except ComandaError:
        # Not published, suspended, or no flower shop: whichever it is, there is no such page.
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


def _price(amount: float, currency: str) -> str:
    return f"{money.to_decimal_string(money.to_minor(amount, currency), currency)} {currency}"
