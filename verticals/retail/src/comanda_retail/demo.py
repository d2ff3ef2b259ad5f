"""The demo shop, opened once and through the services that its owner would use."""

from comanda.accounts.kinds import Caller
from comanda.demo import Showcase
from comanda.menu import services as menus
from comanda.menu import variants
from comanda.menu.schemas import CategoryBody, ItemBody, VariantBody
from comanda.stores import services as stores
from comanda.stores.models import Store
from comanda.stores.schemas import SettingsChange

from comanda_retail.demo_shelves import SHELVES, Ware

TITLE = "Cais das Letras"
SLUG = "cais-das-letras"
SETTINGS = SettingsChange(
    country="PT",
    phone="+351 21 555 0177",
    address="Cais do Sodré 22, 1200-450 Lisboa",
    tax_rate=23,
    is_tax_included=True,
)


async def fill(showcase: Showcase) -> None:
    """Open the shop, or find it as its owner left it."""
    caller = showcase.caller()
    store = await Store.get_or_none(owner_id=caller.owner_id, slug=SLUG)
    store_id = store.id if store else await _open(caller)
    showcase.stores.append({"id": store_id, "slug": SLUG, "store_type": "retail"})


async def _open(caller: Caller) -> int:
    store_id = await stores.create_store(
        caller.owner_id, TITLE, "retail", currency="EUR", timezone="Europe/Lisbon", slug=SLUG
    )
    await stores.change_settings(caller, store_id, SETTINGS)
    for position, (name, wares) in enumerate(SHELVES.items()):
        category = await menus.add_category(caller, store_id, CategoryBody(name=name, position=position))
        for place, ware in enumerate(wares):
            await _add(caller, store_id, category["id"], place, ware)
    return store_id


async def _add(caller: Caller, store_id: int, category_id: int, position: int, ware: Ware) -> None:
    body = ItemBody.model_validate(
        {
            "category_id": category_id,
            "position": position,
            "name": ware.name,
            "price": ware.price,
            "brand": ware.brand,
            "description": ware.description,
            "stock": ware.stock,
            "tax_rate": ware.tax_rate,
            "is_popular": ware.is_popular,
            "allow_backorder": ware.allow_backorder,
        }
    )
    item = await menus.add_item(caller, store_id, body)
    for place, version in enumerate(ware.versions):
        variant = VariantBody(
            name=version.name,
            price=version.price,
            sku=version.sku,
            stock=version.stock,
            options=dict(version.options),
            position=place,
        )
        await variants.add(caller, store_id, item["id"], variant)
