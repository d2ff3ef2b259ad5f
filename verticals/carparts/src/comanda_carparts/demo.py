"""The demo parts shop, opened once and through the services that its owner would use."""

from dataclasses import asdict

from comanda.accounts.kinds import Caller
from comanda.demo import Showcase
from comanda.menu import services as menus
from comanda.menu import variants
from comanda.menu.schemas import CategoryBody, ItemBody, VariantBody
from comanda.stores import services as stores
from comanda.stores.models import Store
from comanda.stores.schemas import SettingsChange

from comanda_carparts.demo_parts import PARTS, Part

TITLE = "Auto Peças da Ponte"
SLUG = "auto-pecas-da-ponte"
SETTINGS = SettingsChange(
    country="PT",
    phone="+351 21 555 0193",
    address="Rua da Ponte 8, 2800-120 Almada",
    tax_rate=23,
    is_tax_included=True,
)


async def fill(showcase: Showcase) -> None:
    """Open the shop, or find it as its owner left it."""
    caller = showcase.caller()
    store = await Store.get_or_none(owner_id=caller.owner_id, slug=SLUG)
    store_id = store.id if store else await _open(caller)
    showcase.stores.append({"id": store_id, "slug": SLUG, "store_type": "carparts"})


async def _open(caller: Caller) -> int:
    store_id = await stores.create_store(
        caller.owner_id, TITLE, "carparts", currency="EUR", timezone="Europe/Lisbon", slug=SLUG
    )
    await stores.change_settings(caller, store_id, SETTINGS)
    for position, (name, parts) in enumerate(PARTS.items()):
        category = await menus.add_category(caller, store_id, CategoryBody(name=name, position=position))
        for place, part in enumerate(parts):
            await _add(caller, store_id, category["id"], place, part)
    return store_id


async def _add(caller: Caller, store_id: int, category_id: int, position: int, part: Part) -> None:
    body = ItemBody.model_validate(
        {
            "category_id": category_id,
            "position": position,
            "name": part.name,
            "price": part.price,
            "brand": part.brand,
            "description": part.description,
            "is_popular": part.is_popular,
            "fitments": [asdict(vehicle) for vehicle in part.fits],
        }
    )
    item = await menus.add_item(caller, store_id, body)
    variant = VariantBody(name=part.sku, price=part.price, sku=part.sku, stock=part.stock)
    await variants.add(caller, store_id, item["id"], variant)
