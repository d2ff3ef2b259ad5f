"""Puts a menu to begin with on the menu of a store."""

from dataclasses import replace
from decimal import Decimal
from typing import Any

from comanda import money
from comanda.contracts.callers import Caller
from comanda.contracts.verticals import VerticalGroup
from comanda.db import sql
from comanda.demo_data.builder import create_menu
from comanda.errors import Conflict, NotFound, ValidationFailed
from comanda.menu.models import Category
from comanda.stores.models import Store
from comanda.stores.records import find_vertical

from comanda_restaurant.dishes import Choice, Dish, item_fields
from comanda_restaurant.schemas import StarterBody
from comanda_restaurant.starters import MENUS


async def install_starter(caller: Caller, store_id: int, body: StarterBody) -> dict[str, Any]:
    """Fill an empty menu with a preset. Emits ``MenuUpdated`` for each category and each item.

    Raises ``NotFound``; ``ValidationFailed`` for a store that serves no food; ``Conflict`` with ``categories_count``
    when the menu is not empty, so that a call that is sent twice fills it once.
    """
    starter = MENUS[body.preset]
    async with sql.transaction():
        store = await _empty_store(caller, store_id)
        menu = {
            name: [item_fields(_priced(dish, body.price_factor, store.currency)) for dish in dishes]
            for name, dishes in starter.categories.items()
        }
        await create_menu(caller, store_id, menu)
    return {
        "restaurant_id": store_id,
        "preset": body.preset,
        "categories_count": len(starter.categories),
        "items_count": starter.items_count,
    }


async def _empty_store(caller: Caller, store_id: int) -> Store:
    """Return and lock the caller's store. Two calls at once would otherwise both find its menu empty."""
    store = None
    if caller.reaches(store_id):
        store = await Store.select_for_update().get_or_none(id=store_id, owner_id=caller.owner_id)
    if store is None:
        raise NotFound
    vertical = find_vertical(store.store_type)
    if vertical is None or vertical.group is not VerticalGroup.FOOD:
        raise ValidationFailed(preset=["These menus are for stores that serve food."])
    count = await Category.filter(store_id=store.id, owner_id=store.owner_id).count()
    if count:
        raise Conflict("This store has a menu already.", extras={"categories_count": count})
    return store


def _priced(dish: Dish, factor: float, currency: str) -> Dish:
    """Return the dish with its prices times a factor, rounded to what the currency can express."""

    def price(amount: float) -> float:
        minor = Decimal(repr(amount)) * Decimal(repr(factor)) * 10 ** money.get_exponent(currency)
        return money.to_number(money.round_half_up(*minor.as_integer_ratio()), currency)

    def choice(each: Choice) -> Choice:
        return replace(each, extras=tuple((name, price(amount)) for name, amount in each.extras))

    return replace(
        dish,
        price=price(dish.price),
        sizes=tuple((name, price(amount)) for name, amount in dish.sizes),
        choices=tuple(choice(each) for each in dish.choices),
    )
