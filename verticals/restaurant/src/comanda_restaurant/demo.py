"""The demo restaurant, opened once and through the services that its owner would use."""

from comanda.accounts.kinds import Caller
from comanda.demo import Showcase
from comanda.menu import services as menus
from comanda.menu.schemas import CategoryBody, ExtraBody, ExtraGroupBody, ItemBody, VariationBody
from comanda.stores import services as stores
from comanda.stores.models import Store
from comanda.stores.schemas import SettingsChange

from comanda_restaurant.demo_menu import MENU, Choice, Dish

TITLE = "Trattoria da Alba"
SLUG = "trattoria-da-alba"
SETTINGS = SettingsChange(
    country="PT",
    phone="+351 21 555 0140",
    address="Rua das Oliveiras 14, 1200-310 Lisboa",
    day_start="05:00",
    tax_rate=13,
    mode_tax_rates={"on-table": 13, "takeaway": 13, "delivery": 23, "room_service": 23},
    is_tax_included=True,
    service_charge_rate=5,
    service_charge_modes=["on-table"],
)


async def fill(showcase: Showcase) -> None:
    """Open the restaurant, or find it as its owner left it."""
    caller = showcase.caller()
    store = await Store.get_or_none(owner_id=caller.owner_id, slug=SLUG)
    store_id = store.id if store else await _open(caller)
    showcase.stores.append({"id": store_id, "slug": SLUG, "store_type": "restaurant"})


async def _open(caller: Caller) -> int:
    store_id = await stores.create_store(
        caller.owner_id, TITLE, "restaurant", currency="EUR", timezone="Europe/Lisbon", slug=SLUG
    )
    await stores.change_settings(caller, store_id, SETTINGS)
    for position, (name, dishes) in enumerate(MENU.items()):
        category = await menus.add_category(caller, store_id, CategoryBody(name=name, position=position))
        for place, dish in enumerate(dishes):
            await menus.add_item(caller, store_id, _body(dish, category["id"], place))
    return store_id


def _body(dish: Dish, category_id: int, position: int) -> ItemBody:
    return ItemBody.model_validate(
        {
            "category_id": category_id,
            "position": position,
            "name": dish.name,
            "price": dish.price,
            "description": dish.description,
            "calories": dish.calories,
            "is_vegan": dish.is_vegan,
            "is_halal": dish.is_halal,
            "is_popular": dish.is_popular,
            "is_sold_out": dish.is_sold_out,
            "tax_rate": dish.tax_rate,
            "variations": [VariationBody(name=size, price=price) for size, price in dish.sizes],
            "extra_groups": [_group(choice) for choice in dish.choices],
        }
    )


def _group(choice: Choice) -> ExtraGroupBody:
    return ExtraGroupBody(
        name=choice.name,
        is_required=choice.min > 0,
        min=choice.min,
        max=choice.max,
        free_count=choice.free,
        allows_repeats=choice.repeats,
        extras=[ExtraBody(name=name, price=price) for name, price in choice.extras],
    )
