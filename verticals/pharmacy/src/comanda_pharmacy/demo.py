"""The demo pharmacy, opened once and through the services that its owner would use."""

from datetime import date, timedelta
from zoneinfo import ZoneInfo

from comanda import clock
from comanda.accounts.kinds import Caller
from comanda.demo import Showcase
from comanda.menu import services as menus
from comanda.menu.schemas import CategoryBody, ItemBody, VariationBody
from comanda.stores import services as stores
from comanda.stores.models import Store
from comanda.stores.schemas import SettingsChange

from comanda_pharmacy.demo_shelves import SHELVES, Product

TITLE = "Farmácia da Sé"
SLUG = "farmacia-da-se"
ZONE = ZoneInfo("Europe/Lisbon")
SETTINGS = SettingsChange(
    country="PT",
    phone="+351 22 555 0172",
    address="Rua do Loureiro 31, 4000-327 Porto",
    tax_rate=23,
    is_tax_included=True,
)


async def fill(showcase: Showcase) -> None:
    """Open the pharmacy, or find it as its owner left it."""
    caller = showcase.caller()
    store = await Store.get_or_none(owner_id=caller.owner_id, slug=SLUG)
    store_id = store.id if store else await _open(caller)
    showcase.stores.append({"id": store_id, "slug": SLUG, "store_type": "pharmacy"})


async def _open(caller: Caller) -> int:
    store_id = await stores.create_store(
        caller.owner_id, TITLE, "pharmacy", currency="EUR", timezone=ZONE.key, slug=SLUG
    )
    await stores.change_settings(caller, store_id, SETTINGS)
    today = clock.now().astimezone(ZONE).date()
    for position, (name, products) in enumerate(SHELVES.items()):
        category = await menus.add_category(caller, store_id, CategoryBody(name=name, position=position))
        for place, product in enumerate(products):
            await menus.add_item(caller, store_id, _body(product, category["id"], place, today))
    return store_id


def _body(product: Product, category_id: int, position: int, today: date) -> ItemBody:
    expires_on = None if product.days_left is None else today + timedelta(days=product.days_left)
    return ItemBody.model_validate(
        {
            "category_id": category_id,
            "position": position,
            "name": product.name,
            "price": product.price,
            "description": product.description,
            "is_popular": product.is_popular,
            "tax_rate": product.tax_rate,
            "stock": product.stock,
            "brand": product.brand,
            "expires_on": expires_on.isoformat() if expires_on else None,
            "age_min": product.age_min,
            "variations": [VariationBody(name=size, price=price) for size, price in product.sizes],
        }
    )
