"""The demo laundry, opened once and through the services that its owner would use."""

from comanda.accounts.kinds import Caller
from comanda.demo import Showcase
from comanda.menu import services as menus
from comanda.menu.schemas import CategoryBody, ItemBody, VariationBody
from comanda.stores import services as stores
from comanda.stores.models import Store
from comanda.stores.schemas import SettingsChange
from comanda_collection.api import SlotSettingsChange, change_slot_settings

from comanda_laundry.demo_menu import MENU, Service

TITLE = "Lavandaria Espuma"
SLUG = "lavandaria-espuma"
WEEKDAY = [{"open": "08:00", "close": "19:30"}]
SETTINGS = {
    "country": "PT",
    "phone": "+351 21 555 0177",
    "address": "Rua da Bica 31, 1200-054 Lisboa",
    "day_start": "04:00",
    "tax_rate": 23,
    "is_tax_included": True,
    "hours": {
        **dict.fromkeys(("monday", "tuesday", "wednesday", "thursday", "friday"), WEEKDAY),
        "saturday": [{"open": "09:00", "close": "13:00"}],
        "sunday": [],
    },
}
SLOTS = (
    SlotSettingsChange(mode="pickup_slot", slot_minutes=30, capacity=6, lead_minutes=60, horizon_days=14),
    SlotSettingsChange(mode="appointment", slot_minutes=45, capacity=1, lead_minutes=240, horizon_days=30),
)


async def fill(showcase: Showcase) -> None:
    """Open the laundry, or find it as its owner left it."""
    caller = showcase.caller()
    store = await Store.get_or_none(owner_id=caller.owner_id, slug=SLUG)
    store_id = store.id if store else await _open(caller)
    showcase.stores.append({"id": store_id, "slug": SLUG, "store_type": "laundry"})


async def _open(caller: Caller) -> int:
    store_id = await stores.create_store(
        caller.owner_id, TITLE, "laundry", currency="EUR", timezone="Europe/Lisbon", slug=SLUG
    )
    await stores.change_settings(caller, store_id, SettingsChange.model_validate(SETTINGS))
    for slots in SLOTS:
        await change_slot_settings(caller, store_id, slots)
    for position, (name, offered) in enumerate(MENU.items()):
        category = await menus.add_category(caller, store_id, CategoryBody(name=name, position=position))
        for place, service in enumerate(offered):
            await menus.add_item(caller, store_id, _body(service, category["id"], place))
    return store_id


def _body(service: Service, category_id: int, position: int) -> ItemBody:
    return ItemBody(
        category_id=category_id,
        position=position,
        name=service.name,
        price=service.price,
        description=service.description,
        is_popular=service.is_popular,
        stock=service.stock,
        variations=[VariationBody(name=kind, price=price) for kind, price in service.kinds],
    )
