"""Installation of a starter menu in a store."""

from dataclasses import replace
from decimal import Decimal

from comanda.basics import Conflict, NotFound, Sentence, ValidationFailed, money
from comanda.contracts import Caller, VerticalGroup
from comanda.operations.demo_data import create_menu
from comanda.platform import require_quota
from comanda.platform.db import sql
from comanda.stores import Store, find_store, find_vertical

from comanda_restaurant.records import InstalledMenu
from comanda_restaurant.schemas import StarterBody
from comanda_restaurant.services.starter_items import StarterExtraGroup, StarterItem, to_item_fields
from comanda_restaurant.services.starter_menus import MENUS

COUNT_CATEGORIES = "SELECT count(*) FROM core_menu_category_v1 WHERE store_id = $1 AND owner_id = $2"


async def install_starter_menu(caller: Caller, store_id: int, body: StarterBody) -> InstalledMenu:
    """Create the categories and items of a preset in an empty menu. Emits ``MenuUpdated`` for each of them.

    Raises ``NotFound``; ``ValidationFailed`` for a store that serves no food; ``Conflict`` with ``categories_count``
    if the menu is not empty, so that a repeated call does not install it twice; ``ValidationFailed`` with the reason
    ``quota_reached`` if the owner's plan does not allow that many items.
    """
    starter = MENUS[body.preset]
    async with sql.transaction():
        await _get_empty_store(caller, store_id)
        # Before the store is locked, in the order in which single items are created.
        await require_quota(caller.owner_id, "items", adding=starter.items_count)
        # Locked, so that of two concurrent calls only one finds its menu empty.
        store = await _get_empty_store(caller, store_id, is_locked=True)
        menu = {
            name: [to_item_fields(_scale_prices(item, body.price_factor, store.currency)) for item in items]
            for name, items in starter.categories.items()
        }
        await create_menu(caller, store_id, menu)
    return InstalledMenu(store_id, body.preset, len(starter.categories), starter.items_count)


async def check_store(caller: Caller, store_id: int) -> None:
    """Raise ``NotFound`` for another owner's store, and ``ValidationFailed`` for one that serves no food."""
    await _get_food_store(caller, store_id, is_locked=False)


async def _get_empty_store(caller: Caller, store_id: int, *, is_locked: bool = False) -> Store:
    store = await _get_food_store(caller, store_id, is_locked=is_locked)
    count = await sql.fetch_value(COUNT_CATEGORIES, store.id, store.owner_id)
    if count:
        raise Conflict(Sentence("This store has a menu already."), extras={"categories_count": count})
    return store


async def _get_food_store(caller: Caller, store_id: int, *, is_locked: bool) -> Store:
    store = None
    if caller.reaches(store_id):
        store = await find_store(caller.owner_id, store_id, is_locked=is_locked)
    if store is None:
        raise NotFound
    vertical = find_vertical(store.store_type)
    if vertical is None or vertical.group is not VerticalGroup.FOOD:
        raise ValidationFailed(preset=[Sentence("These menus are for stores that serve food.")])
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
