"""Stores and items as the public sees them, made from rows."""

from collections.abc import Iterable
from datetime import datetime
from itertools import groupby
from typing import Any, Final
from zoneinfo import ZoneInfo

import orjson
from comanda import runtime
from comanda.db import sql
from comanda.money import to_number
from comanda.stores.records import find_vertical, to_hours_record, to_opening_record

from comanda_mcp_catalog.schemas import Diet

LONGEST_DESCRIPTION: Final = 300
AS_THEY_ARE: Final = ("id", "title", "slug", "store_type", "address", "country", "currency", "timezone")


def listed_record(row: sql.Row, moment: datetime) -> dict[str, Any]:
    """Make a store in a list."""
    vertical = find_vertical(row["store_type"])
    return {
        **{name: row[name] for name in AS_THEY_ARE},
        "url": f"{runtime.settings().site_url}/s/{row['slug']}",
        "label": vertical.label if vertical else row["store_type"],
        **to_opening_record(row, moment),
    }


def detail_record(row: sql.Row, moment: datetime) -> dict[str, Any]:
    """Make a store in full."""
    vertical = find_vertical(row["store_type"])
    declared = runtime.registry().fulfillment_modes
    modes = [declared[code] for code in vertical.fulfillment_modes] if vertical else []
    return {
        **listed_record(row, moment),
        "hours": to_hours_record(row["hours"]),
        "modes": [{"code": mode.code, "label": mode.label} for mode in modes],
        "categories": orjson.loads(row["categories"]),
    }


def stores_with_items(rows: Iterable[sql.Row], moment: datetime) -> list[dict[str, Any]]:
    """Make stores with their items from rows in the order of stores; one without any that can be had is left out."""
    found = []
    for _, group in groupby(rows, key=lambda row: row["id"]):
        mine = list(group)
        items = [_item_record(row) for row in mine if not _is_gone(row, moment)]
        if items:
            found.append({**listed_record(mine[0], moment), "items": items})
    return found


def _item_record(row: sql.Row) -> dict[str, Any]:
    attributes = orjson.loads(row["attributes"])
    description = row["description"]
    if description is not None and len(description) > LONGEST_DESCRIPTION:
        description = f"{description[: LONGEST_DESCRIPTION - 1]}…"
    return {
        "id": row["item_id"],
        "name": row["name"],
        "description": description,
        "price": to_number(row["price_minor"], row["currency"]),
        "is_popular": row["is_popular"],
        "dietary": [diet for diet in Diet if attributes.get(f"is_{diet}") is True],
    }


def _is_gone(row: sql.Row, moment: datetime) -> bool:
    """Tell whether the fields of an item's capabilities keep it from being sold, such as a day of use that is over."""
    vertical = find_vertical(row["store_type"])
    attributes = orjson.loads(row["attributes"])
    if vertical is None or not attributes:
        return vertical is None
    limits = [each.sold_out_from for each in runtime.registry().item_fields(vertical) if each.sold_out_from]
    ends = [limit(attributes, ZoneInfo(row["timezone"])) for limit in limits]
    return any(end is not None and end <= moment for end in ends)
