"""Items as JSON for owners and for guests, and whole menus for owners.

Plain functions instead of models, because menus are large and are encoded at every change.
"""

from collections.abc import Mapping
from typing import Any, Final

from comanda.basics import money
from comanda.basics.encoding import to_json
from comanda.basics.rates import to_percent
from comanda.contracts.stores.menu_items import Extra, ExtraGroup, Item, ItemVariant, Picture
from comanda.contracts.stores.verticals import Orderability, Vertical
from comanda.menu.capabilities.attribute_values import complete_values
from comanda.menu.columns import build_json, list_fields, list_shown
from comanda.menu.reading.queries import MenuData
from comanda.menu.records import MenuCategory, StoreItem
from comanda.platform import runtime

Json = dict[str, Any]

_to_item_json = build_json(Item, list_shown(Item), "gallery")
_to_public_item_json = build_json(Item, list_shown(Item, is_public=True), "gallery")
_to_category_json = build_json(MenuCategory, list_shown(MenuCategory))
_to_variation_json = build_json(ItemVariant, list_shown(ItemVariant, is_public=True))
# Only those who serve combos have these fields in their menus.
OF_COMBOS: Final = frozenset({"item_id", "variant_id", "item_discount_ppm"})
_to_group_json = build_json(
    ExtraGroup, [each for each in list_shown(ExtraGroup, is_public=True) if each.name not in OF_COMBOS]
)
_to_extra_json = build_json(Extra, [each for each in list_shown(Extra, is_public=True) if each.name not in OF_COMBOS])
_to_choice_json = build_json(Extra, list_shown(Extra, is_public=True))
_CAPABILITY_FIELDS = [each for each in list_fields(Item).values() if each.column.capability]


def to_owner_menu_json(data: MenuData, vertical: Vertical | None, limited: Mapping[int, Orderability]) -> bytes:
    """Return a menu for its owner: all categories with all their items, and when the ``limited`` ones are sold."""
    by_category: dict[int, list[Json]] = {category.id: [] for category in data.categories}
    for item in data.items:
        found = StoreItem(item, vertical, data.store["currency"], limited.get(item.id))
        by_category[item.category_id].append(to_store_item_json(found))
    return to_json(
        [
            {**_to_category_json(category, data.store["currency"]), "items": by_category[category.id]}
            for category in data.categories
        ]
    )


def to_store_item_json(found: StoreItem) -> Json:
    """Return an item of a store for its owner."""
    item = to_item_json(found.item, found.vertical, found.currency)
    if found.orderability is None:
        return item
    now = {"is_sold_now": found.orderability.is_orderable, "sold_now_changes_at": found.orderability.changes_at}
    return {**item, **now}


def to_item_json(item: Item, vertical: Vertical | None, currency: str) -> Json:
    """Return an item for its owner."""
    return {
        **_to_item_json(item, currency),
        "gallery": [to_picture_json(picture) for picture in item.gallery],
        **_to_prior_price(item, currency),
        **to_capability_fields(item, vertical),
        "variations": [to_variation_json(variant, item, currency) for variant in item.variants],
        "extra_groups": [to_group_json(group, currency) for group in item.groups],
    }


def to_public_item_json(item: Item, vertical: Vertical | None, currency: str) -> Json:
    """Return an item for guests; the first gallery picture replaces a missing main picture."""
    return {
        **_to_public_item_json(item, currency),
        "image_url": item.image_url or (item.gallery[0].url if item.gallery else None),
        "gallery": [to_picture_json(picture) for picture in item.gallery],
        "is_sold_out": False,
        **_to_prior_price(item, currency),
        **to_capability_fields(item, vertical),
        "variations": [to_variation_json(variant, item, currency) for variant in item.variants if variant.is_active],
        "extra_groups": [to_group_json(group, currency) for group in item.groups],
    }


def to_picture_json(picture: Picture) -> Json:
    """Return a picture; only an uploaded photo has ``id`` and ``sizes``."""
    if picture.photo_id is None:
        return {"url": picture.url, "alt": picture.alt}
    sizes = [{"url": size.url, "width": size.width, "height": size.height} for size in picture.sizes]
    return {"id": picture.photo_id, "url": picture.url, "alt": picture.alt, "sizes": sizes}


def to_capability_fields(item: Item, vertical: Vertical | None) -> Mapping[str, Any]:
    """Return the fields of the store's item capabilities, with their defaults, and what is counted."""
    if vertical is None:
        return {}
    fields: Json = {}
    for capability in runtime.registry().item_fields(vertical):
        fields.update(complete_values(capability.fields, item.attributes))
    for each in _CAPABILITY_FIELDS:
        if each.column.capability in vertical.capabilities:
            fields[each.field] = getattr(item, each.name)
    if "variants" in vertical.capabilities:
        fields["variants_count"] = len(item.variants)
    return fields


def to_variation_json(variant: ItemVariant, item: Item, currency: str) -> Json:
    """Return a variant as a choice of its item."""
    return {
        **_to_variation_json(variant, currency),
        "is_sold_out": item.is_used_up(variant.stock),
        **_to_prior_price(variant, currency),
    }


def _to_prior_price(sold: Item | ItemVariant, currency: str) -> Json:
    """Return what guests have to read beside a price that is announced as reduced."""
    prior = sold.prior_price_minor
    return {} if prior is None or prior <= sold.price_minor else {"prior_price": money.to_number(prior, currency)}


def to_group_json(group: ExtraGroup, currency: str) -> Json:
    """Return a group of extras; only choices of combos have ``item_id``, ``variation`` and ``item_discount``."""
    discount = group.item_discount_ppm
    return {
        "id": group.id,
        "name": group.name,
        "is_required": group.min_count > 0,
        **_to_group_json(group, currency),
        **({} if discount is None else {"item_discount": to_percent(discount)}),
        "extras": [
            (_to_extra_json if extra.item_id is None else _to_choice_json)(extra, currency) for extra in group.extras
        ],
    }
