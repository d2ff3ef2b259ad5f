"""Installation of a starter menu in a store."""

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

from comanda_restaurant.schemas.starter_menus import StarterBody
from comanda_restaurant.services.starter_items import StarterExtraGroup, StarterItem, to_item_fields
from comanda_restaurant.services.starter_menus import MENUS


async def install_starter_menu(caller: Caller, store_id: int, body: StarterBody) -> dict[str, Any]:
    """Create the categories and items of a preset in an empty menu. Emits ``MenuUpdated`` for each of them.

    Raises ``NotFound``; ``ValidationFailed`` for a store that serves no food; ``Conflict`` with ``categories_count``
    if the menu is not empty, so that a repeated call does not install it twice.
    """
    starter = MENUS[body.preset]
    async with sql.transaction():
        store = await _lock_empty_store(caller, store_id)
        menu = {
            name: [to_item_fields(_scale_prices(item, body.price_factor, store.currency)) for item in items]
            for name, items in starter.categories.items()
        }
        await create_menu(caller, store_id, menu)
    return {
        "restaurant_id": store_id,
        "preset": body.preset,
        "categories_count": len(starter.categories),
        "items_count": starter.items_count,
    }


async def _lock_empty_store(caller: Caller, store_id: int) -> Store:
    """Return and lock the caller's store, so that of two concurrent calls only one finds its menu empty."""
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


def _scale_prices(item: StarterItem, factor: float, currency: str) -> StarterItem:
    """Return the item with its prices multiplied by a factor, rounded to the currency's precision."""

    def scale(amount: float) -> float:
        minor = Decimal(repr(amount)) * Decimal(repr(factor)) * 10 ** money.get_exponent(currency)
        return money.to_number(money.round_half_up(*minor.as_integer_ratio()), currency)

    def scale_group(each: StarterExtraGroup) -> StarterExtraGroup:
        return replace(each, extras=tuple((name, scale(amount)) for name, amount in each.extras))

    return replace(
        item,
        price=scale(item.price),
        sizes=tuple((name, scale(amount)) for name, amount in item.sizes),
        extra_groups=tuple(scale_group(each) for each in item.extra_groups),
    )
