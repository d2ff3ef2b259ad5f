"""Public records of stores and items."""

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

MAX_DESCRIPTION_LENGTH: Final = 300
PLAIN_COLUMNS: Final = ("id", "title", "slug", "store_type", "address", "country", "currency", "timezone")


def to_listed_store(row: sql.Row, moment: datetime) -> dict[str, Any]:
    """Return a row as a store in a list."""
    vertical = find_vertical(row["store_type"])
    return {
        **{name: row[name] for name in PLAIN_COLUMNS},
        "url": runtime.registry().store_url(runtime.settings().site_url, row["slug"]),
        "label": vertical.label if vertical else row["store_type"],
        **to_opening_record(row, moment),
    }


def to_store_detail(row: sql.Row, moment: datetime) -> dict[str, Any]:
    """Return a row as a store in full."""
    vertical = find_vertical(row["store_type"])
    declared = runtime.registry().fulfillment_modes
    modes = [declared[code] for code in vertical.fulfillment_modes] if vertical else []
    return {
        **to_listed_store(row, moment),
        "hours": to_hours_record(row["hours"]),
        "modes": [{"code": mode.code, "label": mode.label} for mode in modes],
        "categories": orjson.loads(row["categories"]),
    }


def group_items_by_store(rows: Iterable[sql.Row], moment: datetime) -> list[dict[str, Any]]:
    """Return stores with their items from rows sorted by store; stores without available items are left out."""
    found = []
    for _, group in groupby(rows, key=lambda row: row["id"]):
        mine = list(group)
        items = [_to_item(row) for row in mine if not _is_sold_out(row, moment)]
        if items:
            found.append({**to_listed_store(mine[0], moment), "items": items})
    return found


def _to_item(row: sql.Row) -> dict[str, Any]:
    attributes = orjson.loads(row["attributes"])
    description = row["description"]
    if description is not None and len(description) > MAX_DESCRIPTION_LENGTH:
        description = f"{description[: MAX_DESCRIPTION_LENGTH - 1]}…"
    return {
        "id": row["item_id"],
        "name": row["name"],
        "description": description,
        "price": to_number(row["price_minor"], row["currency"]),
        "is_popular": row["is_popular"],
        "dietary": [diet for diet in Diet if attributes.get(f"is_{diet}") is True],
    }


def _is_sold_out(row: sql.Row, moment: datetime) -> bool:
    """Return whether an item's capability fields prevent its sale, such as an expiry date in the past."""
    vertical = find_vertical(row["store_type"])
    attributes = orjson.loads(row["attributes"])
    if vertical is None or not attributes:
        return vertical is None
    limits = [each.sold_out_from for each in runtime.registry().item_fields(vertical) if each.sold_out_from]
    ends = [limit(attributes, ZoneInfo(row["timezone"])) for limit in limits]
    return any(end is not None and end <= moment for end in ends)
