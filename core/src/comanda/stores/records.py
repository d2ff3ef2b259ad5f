"""Stores as the API shows them."""

from collections.abc import Mapping
from typing import Any

from comanda import runtime
from comanda.db import sql
from comanda.verticals import Vertical

COLUMNS = """id, owner_id, title, slug, store_type, template, currency, timezone, country, phone, address,
    is_published, is_listed, created_at"""


def vertical_of(store_type: str) -> Vertical | None:
    """Return the vertical of a store type, or None when its plugin is not installed any more."""
    return runtime.registry().verticals.get(store_type)


def vertical_record(store_type: str) -> dict[str, Any]:
    """Describe a store type; one whose plugin is gone keeps its name and can do nothing."""
    vertical = vertical_of(store_type)
    if vertical is None:
        return {"label": store_type, "group": None, "capabilities": {}, "fulfillment_modes": []}
    return {
        "label": vertical.label,
        "group": vertical.group.value,
        "capabilities": {code: code in vertical.capabilities for code in runtime.registry().capabilities()},
        "fulfillment_modes": list(vertical.fulfillment_modes),
    }


def store_record(row: sql.Row | Mapping[str, Any]) -> dict[str, Any]:
    """Make a store's record from a row that has ``COLUMNS``."""
    return {
        "id": row["id"],
        "title": row["title"],
        "slug": row["slug"],
        "url": f"{runtime.settings().site_url}/s/{row['slug']}",
        "template": row["template"],
        "created_at": row["created_at"],
        "store_type": row["store_type"],
        "vertical": vertical_record(row["store_type"]),
    }
