"""Records of stores, as the API returns them."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

import orjson

from comanda import runtime
from comanda.contracts import opening_hours
from comanda.contracts.verticals import Vertical
from comanda.db import sql

STORE_COLUMNS = """id, owner_id, title, slug, store_type, template, currency, timezone, country, phone, address,
    is_published, is_listed, created_at"""


def find_vertical(store_type: str) -> Vertical | None:
    """Return the vertical of a store type, or None if its plugin is no longer installed."""
    return runtime.registry().verticals.get(store_type)


def to_vertical_record(store_type: str) -> dict[str, Any]:
    """Return the record of a store type; without its plugin it keeps its name and has no capabilities."""
    vertical = find_vertical(store_type)
    if vertical is None:
        return {"label": store_type, "group": None, "capabilities": {}, "fulfillment_modes": []}
    return {
        "label": vertical.label,
        "group": vertical.group.value,
        "capabilities": {code: code in vertical.capabilities for code in runtime.registry().capabilities()},
        "fulfillment_modes": list(vertical.fulfillment_modes),
    }


def to_store_record(row: sql.Row | Mapping[str, Any]) -> dict[str, Any]:
    """Return a store's record from a row with ``STORE_COLUMNS``."""
    return {
        "id": row["id"],
        "title": row["title"],
        "slug": row["slug"],
        "url": runtime.registry().store_url(runtime.settings().site_url, row["slug"]),
        "template": row["template"],
        "created_at": row["created_at"],
        "store_type": row["store_type"],
        "vertical": to_vertical_record(row["store_type"]),
    }


def to_opening_record(row: sql.Row | Mapping[str, Any], moment: datetime) -> dict[str, Any]:
    """Return whether a store is open, and when it opens or closes next.

    The row has ``hours``, ``timezone`` and ``is_published``; a store that is not published is not open.
    """
    configured = opening_hours.parse_hours(row["hours"])
    zone = ZoneInfo(row["timezone"])
    if configured is None or not row["is_published"]:
        return {"is_open": row["is_published"], "next_open_at": None, "closes_at": None}
    is_open = configured.is_open(zone, moment)
    return {
        "is_open": is_open,
        "next_open_at": None if is_open else configured.next_open_at(zone, moment),
        "closes_at": configured.closes_at(zone, moment) if is_open else None,
    }


def to_hours_record(stored: str | None) -> dict[str, Any] | None:
    """Return a store's hours from its column, with the days in order."""
    if stored is None:
        return None
    document = orjson.loads(stored)
    return {name: document[name] for name in (*opening_hours.DAYS, "exceptions")}
