"""The demo restaurant, opened once and through the services that its owner would use."""

from typing import Any

from comanda.accounts.kinds import Caller
from comanda.demo import DemoStore, Showcase, fill_menu

from comanda_restaurant.demo_menu import MENU, Choice, Dish

STORE = DemoStore(
    store_type="restaurant",
    title="Trattoria da Alba",
    slug="trattoria-da-alba",
    settings={
        "country": "PT",
        "phone": "+351 21 555 0140",
        "address": "Rua das Oliveiras 14, 1200-310 Lisboa",
        "day_start": "05:00",
        "tax_rate": 13,
        "mode_tax_rates": {"on-table": 13, "takeaway": 13, "delivery": 23, "room_service": 23},
        "is_tax_included": True,
        "service_charge_rate": 5,
        "service_charge_modes": ["on-table"],
    },
)


async def fill(showcase: Showcase) -> None:
    """Open the restaurant, or find it as its owner left it."""
    await showcase.open(STORE, _furnish)


async def _furnish(caller: Caller, store_id: int) -> None:
    await fill_menu(caller, store_id, {course: [_item(dish) for dish in dishes] for course, dishes in MENU.items()})


def _item(dish: Dish) -> dict[str, Any]:
    return {
        "name": dish.name,
        "price": dish.price,
        "description": dish.description,
        "calories": dish.calories,
        "is_vegan": dish.is_vegan,
        "is_halal": dish.is_halal,
        "is_popular": dish.is_popular,
        "is_sold_out": dish.is_sold_out,
        "tax_rate": dish.tax_rate,
        "variations": [{"name": size, "price": price} for size, price in dish.sizes],
        "extra_groups": [_group(choice) for choice in dish.choices],
    }


def _group(choice: Choice) -> dict[str, Any]:
    return {
        "name": choice.name,
        "is_required": choice.min > 0,
        "min": choice.min,
        "max": choice.max,
        "free_count": choice.free,
        "allows_repeats": choice.repeats,
        "extras": [{"name": name, "price": price} for name, price in choice.extras],
    }
