"""What agents can do: look at the menus to begin with."""

from typing import Any

from comanda.contracts.mcp import Arguments, Tool, ToolCall
from pydantic import BaseModel, Field

from comanda_restaurant.dishes import Choice, Dish
from comanda_restaurant.starters import MENUS, Preset
from comanda_restaurant.starters.menus import StarterMenu


class ListStarterMenus(Arguments):
    """Which menu to show in full."""

    preset: Preset | None = Field(
        None, description="One menu, to be shown with its items; left out, an overview of all of them."
    )


class Priced(BaseModel):
    """A variation, whose price replaces the item's, or an extra, whose price is added."""

    name: str
    price: float


class StarterGroup(BaseModel):
    """Extras that are chosen together."""

    name: str
    min: int
    max: int | None
    free_count: int = Field(description="How many of the chosen cost nothing.")
    allows_repeats: bool
    extras: list[Priced]


class StarterItem(BaseModel):
    """An item of a menu to begin with."""

    name: str
    description: str
    price: float
    is_vegan: bool
    is_halal: bool
    calories: int | None = Field(description="Kilocalories per portion.")
    is_popular: bool
    variations: list[Priced]
    extra_groups: list[StarterGroup]


class StarterCategory(BaseModel):
    """A category of a menu to begin with."""

    name: str
    items_count: int
    items: list[StarterItem] = Field(description="Empty in the overview.")


class StarterMenuOut(BaseModel):
    """A menu to begin with."""

    preset: Preset
    title: str
    description: str
    items_count: int
    categories: list[StarterCategory]


class StarterMenus(BaseModel):
    """Menus to begin with. Prices have no currency: they suit euro and dollar."""

    menus: list[StarterMenuOut]


async def list_starter_menus(call: ToolCall, arguments: ListStarterMenus) -> dict[str, Any]:
    """Show one menu to begin with, or list them."""
    if arguments.preset is not None:
        return {"menus": [_menu(arguments.preset, MENUS[arguments.preset], with_items=True)]}
    return {"menus": [_menu(preset, menu, with_items=False) for preset, menu in MENUS.items()]}


def _menu(preset: Preset, menu: StarterMenu, *, with_items: bool) -> dict[str, Any]:
    categories = [
        {"name": name, "items_count": len(dishes), "items": [_item(dish) for dish in dishes] if with_items else []}
        for name, dishes in menu.categories.items()
    ]
    return {
        "preset": preset,
        "title": menu.title,
        "description": menu.description,
        "items_count": menu.items_count,
        "categories": categories,
    }


def _item(dish: Dish) -> dict[str, Any]:
    return {
        "name": dish.name,
        "description": dish.description,
        "price": dish.price,
        "is_vegan": dish.is_vegan,
        "is_halal": dish.is_halal,
        "calories": dish.calories,
        "is_popular": dish.is_popular,
        "variations": [{"name": name, "price": price} for name, price in dish.sizes],
        "extra_groups": [_group(choice) for choice in dish.choices],
    }


def _group(choice: Choice) -> dict[str, Any]:
    return {
        "name": choice.name,
        "min": choice.min,
        "max": choice.max,
        "free_count": choice.free,
        "allows_repeats": choice.repeats,
        "extras": [{"name": name, "price": price} for name, price in choice.extras],
    }


TOOLS = (
    Tool(
        name="list_starter_menus",
        title="List starter menus",
        description=(
            "Shows complete menus to begin a restaurant with: cafe, pizzeria, burger, bakery, lounge. Without a preset "
            "it gives an overview; with one, all items with prices, dietary facts, variations and extras."
        ),
        servers=("catalog",),
        arguments=ListStarterMenus,
        result=StarterMenus,
        handler=list_starter_menus,
        is_read_only=True,
    ),
)
