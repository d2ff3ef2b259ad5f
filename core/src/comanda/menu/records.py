"""Menus as the API shows them. Records are made from the dicts that ``reading`` returns."""

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
    """Tell whether an item cannot be ordered now: by its flag, or because its counted stock is used up."""
    flagged = item["is_sold_out"] and (item["sold_out_until"] is None or item["sold_out_until"] > moment)
    return flagged or is_out_of_stock(item["stock"], allow_backorder=item["allow_backorder"])


def is_out_of_stock(stock: int | None, *, allow_backorder: bool) -> bool:
    """Tell whether a counted stock is used up."""
    return stock is not None and stock <= 0 and not allow_backorder


def item_record(item: Row, vertical: Vertical | None, currency: str, moment: datetime) -> dict[str, Any]:
    """Make an item as its owner sees it."""
    flagged = item["is_sold_out"] and (item["sold_out_until"] is None or item["sold_out_until"] > moment)
    return {
        "id": item["id"],
        "category_id": item["category_id"],
        "name": item["name"],
        "description": item["description"],
        "image_url": item["image_url"],
        "gallery": gallery_record(item),
        "price": to_number(item["price_minor"], currency),
        "tax_rate": None if item["tax_rate_ppm"] is None else to_percent(item["tax_rate_ppm"]),
        "is_sold_out": flagged,
        "sold_out_until": item["sold_out_until"] if flagged else None,
        "is_popular": item["is_popular"],
        "is_active": item["is_active"],
        "position": item["position"],
        **_capability_fields(item, vertical),
        "variations": [variation_record(variant, item, currency) for variant in item["variants"]],
        "extra_groups": [group_record(group, currency) for group in item["groups"]],
    }


def public_item_record(item: Row, vertical: Vertical | None, currency: str) -> dict[str, Any]:
    """Make an item as guests see it; without a main picture it is the first one of the gallery."""
    gallery = gallery_record(item)
    return {
        "id": item["id"],
        "name": item["name"],
        "description": item["description"],
        "image_url": item["image_url"] or (gallery[0]["url"] if gallery else None),
        "gallery": gallery,
        "price": to_number(item["price_minor"], currency),
        "is_sold_out": False,
        "is_popular": item["is_popular"],
        **_capability_fields(item, vertical),
        "variations": [
            variation_record(variant, item, currency) for variant in item["variants"] if variant["is_active"]
        ],
        "extra_groups": [group_record(group, currency) for group in item["groups"]],
    }


def gallery_record(item: Row) -> list[dict[str, Any]]:
    """Make the pictures of an item."""
    return [picture_record(picture, item["name"]) for picture in item["gallery"]]


def picture_record(picture: Row, item_name: str) -> dict[str, Any]:
    """Make a picture: of an uploaded photo with its id and its sizes, the largest of them being ``url``."""
    alt = picture["alt"] or item_name
    if picture["url"] is not None:
        return {"url": picture["url"], "alt": alt}
    sizes = [{"url": to_url(picture["store_id"], picture["hash"], size["width"]), **size} for size in picture["sizes"]]
    return {"id": picture["photo_id"], "url": sizes[-1]["url"], "alt": alt, "sizes": sizes}


def variation_record(variant: Row, item: Row, currency: str) -> dict[str, Any]:
    """Make a variant as a choice of its item."""
    return {
        "id": variant["id"],
        "name": variant["name"],
        "price": to_number(variant["price_minor"], currency),
        "is_sold_out": is_out_of_stock(variant["stock"], allow_backorder=item["allow_backorder"]),
    }


def group_record(group: Row, currency: str) -> dict[str, Any]:
    """Make a group of extras."""
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


def variant_record(variant: Row, currency: str) -> dict[str, Any]:
    """Make a variant on its own."""
    compare_at = variant["compare_at_price_minor"]
    return {
        **{key: variant[key] for key in ("id", "item_id", "name", "sku", "barcode", "options")},
        "price": to_number(variant["price_minor"], currency),
        "compare_at_price": None if compare_at is None else to_number(compare_at, currency),
        **{key: variant[key] for key in ("stock", "is_active", "position")},
    }


def _capability_fields(item: Row, vertical: Vertical | None) -> dict[str, Any]:
    if vertical is None:
        return {}
    fields: dict[str, Any] = {}
    for capability in runtime.registry().item_fields(vertical):
        # Stored values have been validated; the model fills in what the item was saved without.
        fields.update(capability.fields.model_validate(item["attributes"]).model_dump(mode="json"))
    if "stock" in vertical.capabilities:
        fields["stock"] = item["stock"]
        fields["allow_backorder"] = item["allow_backorder"]
    if "variants" in vertical.capabilities:
        fields["variants_count"] = len(item["variants"])
    return fields
