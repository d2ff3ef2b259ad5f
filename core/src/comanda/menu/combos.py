"""Combos: items whose extras point to other items of the menu, of which they then consist."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from comanda.basics.errors import ValidationFailed
from comanda.basics.money import round_half_up
from comanda.basics.rates import PPM_OF_WHOLE
from comanda.contracts.stores.menu_items import Extra, ExtraGroup, Item, OfferedItem
from comanda.menu.combo_choices import IS_PART_OF_COMBO, Candidate, find_wrong_choices, has_choices
from comanda.menu.schemas import ExtraGroupBody
from comanda.platform.db import sql
from comanda.stores.models import Store

# What extras of one item point to: whether it is in the store, is a combo itself, and needs choices of its own.
SELECT_CHOICES: Final = """
    SELECT i.id, i.name,
        ARRAY(SELECT v.id FROM core_variant v WHERE v.item_id = i.id AND v.owner_id = $2) AS variants,
        EXISTS (SELECT FROM core_extra_group g JOIN core_extra e ON e.group_id = g.id AND e.owner_id = g.owner_id
                WHERE g.item_id = i.id AND g.owner_id = $2 AND e.item_id IS NOT NULL) OR i.id = $4 AS is_combo,
        EXISTS (SELECT FROM core_extra_group g
                WHERE g.item_id = i.id AND g.owner_id = $2 AND g.min_count > 0) AS needs_choices
    FROM core_menu_item i WHERE i.id = ANY($1::bigint[]) AND i.owner_id = $2 AND i.store_id = $3
"""
IS_PART: Final = "SELECT EXISTS (SELECT FROM core_extra WHERE item_id = $1 AND owner_id = $2)"


def is_combo(item: Item) -> bool:
    """Return whether an item consists of those that its extras point to."""
    return any(extra.item_id is not None for group in item.groups for extra in group.extras)


def resolve_combo(combo: OfferedItem, items: Mapping[int, OfferedItem], before: OfferedItem | None) -> OfferedItem:
    """Return a combo whose extras say what they add to its price, and are sold out with their items.

    The one from ``before`` if it is the same.
    """
    groups = tuple([_resolve_group(group, items) for group in combo.groups])
    found = replace(combo, groups=groups, extra_by_id={extra.id: extra for group in groups for extra in group.extras})
    return before if before is not None and found == before else found


def _resolve_group(group: ExtraGroup, items: Mapping[int, OfferedItem]) -> ExtraGroup:
    extras = [_resolve_extra(each, group.item_discount_ppm, items) for each in group.extras]
    return replace(group, extras=tuple(extras))


def _resolve_extra(extra: Extra, discount_ppm: int | None, items: Mapping[int, OfferedItem]) -> Extra:
    if extra.item_id is None:
        return extra
    item = items.get(extra.item_id)
    variant = None if item is None or extra.variant_id is None else item.variant_by_id.get(extra.variant_id)
    is_gone = (
        item is None
        or not item.is_available
        or item.is_combo
        or _needs_choices(item)
        or (extra.variant_id is not None and (variant is None or item.is_used_up(variant.stock)))
    )
    price_minor = extra.price_minor + get_own_price(extra, discount_ppm, items)
    return replace(extra, price_minor=price_minor, is_sold_out=extra.is_sold_out or is_gone)


def get_own_price(extra: Extra, discount_ppm: int | None, items: Mapping[int, OfferedItem]) -> int:
    """Return what an extra adds to the price of a combo for its item: nothing, if the price includes the item."""
    item = None if extra.item_id is None else items.get(extra.item_id)
    if item is None or discount_ppm is None:
        return 0
    variant = None if extra.variant_id is None else item.variant_by_id.get(extra.variant_id)
    price_minor = (variant or item).price_minor
    return price_minor - round_half_up(price_minor * discount_ppm, PPM_OF_WHOLE)


def _needs_choices(item: Item) -> bool:
    """Return whether guests have to choose extras of an item, for which combos have no place."""
    return any(group.min_count for group in item.groups)


async def check_choices(store: Store, item_id: int, groups: Sequence[ExtraGroupBody]) -> None:
    """Check the extras of an item that point to items. Raises ``ValidationFailed``."""
    if not has_choices(groups):
        return
    ids = [extra.item_id for group in groups for extra in group.extras if extra.item_id is not None]
    candidates = {
        row["id"]: Candidate(row["name"], row["variants"], row["is_combo"], row["needs_choices"])
        for row in await sql.fetch(SELECT_CHOICES, ids, store.owner_id, store.id, item_id)
    }
    errors = find_wrong_choices(groups, candidates)
    if not errors and await sql.fetch_value(IS_PART, item_id, store.owner_id):
        errors["extra_groups"] = IS_PART_OF_COMBO
    if errors:
        raise ValidationFailed({path: [text] for path, text in errors.items()})
