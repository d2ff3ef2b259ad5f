"""Records of menus, as the API returns them, from the rows of ``queries.load_menu``."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from comanda import runtime
from comanda.contracts.verticals import Vertical
from comanda.money import to_number
from comanda.photos.urls import to_url
from comanda.rates import to_percent

Row = Mapping[str, Any]


def is_sold_out(item: Row, moment: datetime) -> bool:
    """Return whether an item is sold out now, by its flag or because its counted stock is used up."""
    flagged = item["is_sold_out"] and (item["sold_out_until"] is None or item["sold_out_until"] > moment)
    return flagged or is_out_of_stock(item["stock"], allow_backorder=item["allow_backorder"])


def is_out_of_stock(stock: int | None, *, allow_backorder: bool) -> bool:
    """Return whether a counted stock is used up."""
    return stock is not None and stock <= 0 and not allow_backorder


def to_item_record(item: Row, vertical: Vertical | None, currency: str, moment: datetime) -> dict[str, Any]:
    """Return the record of an item for its owner."""
    flagged = item["is_sold_out"] and (item["sold_out_until"] is None or item["sold_out_until"] > moment)
    return {
        "id": item["id"],
        "category_id": item["category_id"],
        "name": item["name"],
        "description": item["description"],
        "image_url": item["image_url"],
        "gallery": to_gallery_record(item),
        "price": to_number(item["price_minor"], currency),
        "tax_rate": None if item["tax_rate_ppm"] is None else to_percent(item["tax_rate_ppm"]),
        "is_sold_out": flagged,
        "sold_out_until": item["sold_out_until"] if flagged else None,
        "is_popular": item["is_popular"],
        "is_active": item["is_active"],
        "position": item["position"],
        **_to_capability_fields(item, vertical),
        "variations": [to_variation_record(variant, item, currency) for variant in item["variants"]],
        "extra_groups": [to_group_record(group, currency) for group in item["groups"]],
    }


def to_public_item_record(item: Row, vertical: Vertical | None, currency: str) -> dict[str, Any]:
    """Return the record of an item for guests; the first gallery picture replaces a missing main picture."""
    gallery = to_gallery_record(item)
    return {
        "id": item["id"],
        "name": item["name"],
        "description": item["description"],
        "image_url": item["image_url"] or (gallery[0]["url"] if gallery else None),
        "gallery": gallery,
        "price": to_number(item["price_minor"], currency),
        "is_sold_out": False,
        "is_popular": item["is_popular"],
        **_to_capability_fields(item, vertical),
        "variations": [
            to_variation_record(variant, item, currency) for variant in item["variants"] if variant["is_active"]
        ],
        "extra_groups": [to_group_record(group, currency) for group in item["groups"]],
    }


def to_gallery_record(item: Row) -> list[dict[str, Any]]:
    """Return the records of an item's pictures."""
    return [to_picture_record(picture, item["name"]) for picture in item["gallery"]]


def to_picture_record(picture: Row, item_name: str) -> dict[str, Any]:
    """Return the record of a picture; an uploaded photo has an id and sizes, of which ``url`` is the largest."""
    alt = picture["alt"] or item_name
    if picture["url"] is not None:
        return {"url": picture["url"], "alt": alt}
    sizes = [{"url": to_url(picture["store_id"], picture["hash"], size["width"]), **size} for size in picture["sizes"]]
    return {"id": picture["photo_id"], "url": sizes[-1]["url"], "alt": alt, "sizes": sizes}


def to_variation_record(variant: Row, item: Row, currency: str) -> dict[str, Any]:
    """Return the record of a variant as a choice of its item."""
    return {
        "id": variant["id"],
        "name": variant["name"],
        "price": to_number(variant["price_minor"], currency),
        "is_sold_out": is_out_of_stock(variant["stock"], allow_backorder=item["allow_backorder"]),
    }


def to_group_record(group: Row, currency: str) -> dict[str, Any]:
    """Return the record of a group of extras."""
    return {
        "id": group["id"],
        "name": group["name"],
        "is_required": group["min_count"] > 0,
        "min": group["min_count"],
        "max": group["max_count"],
        "free_count": group["free_count"],
        "allows_repeats": group["allows_repeats"],
        "extras": [
            {
                "id": extra["id"],
                "name": extra["name"],
                "price": to_number(extra["price_minor"], currency),
                "is_sold_out": extra["is_sold_out"],
            }
            for extra in group["extras"]
        ],
    }


def to_variant_record(variant: Row, currency: str) -> dict[str, Any]:
    """Return the record of a variant."""
    compare_at = variant["compare_at_price_minor"]
    return {
        **{key: variant[key] for key in ("id", "item_id", "name", "sku", "barcode", "options")},
        "price": to_number(variant["price_minor"], currency),
        "compare_at_price": None if compare_at is None else to_number(compare_at, currency),
        **{key: variant[key] for key in ("stock", "is_active", "position")},
    }


def _to_capability_fields(item: Row, vertical: Vertical | None) -> dict[str, Any]:
    if vertical is None:
        return {}
    fields: dict[str, Any] = {}
    for capability in runtime.registry().item_fields(vertical):
        # Stored values are valid; the model adds the defaults.
        fields.update(capability.fields.model_validate(item["attributes"]).model_dump(mode="json"))
    if "stock" in vertical.capabilities:
        fields["stock"] = item["stock"]
        fields["allow_backorder"] = item["allow_backorder"]
    if "variants" in vertical.capabilities:
        fields["variants_count"] = len(item["variants"])
    return fields
