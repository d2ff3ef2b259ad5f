"""Rows of listed stores and their items as records."""

from collections.abc import Iterable
from dataclasses import asdict
from datetime import datetime
from itertools import groupby
from typing import Final
from zoneinfo import ZoneInfo

import orjson
from comanda.basics import Money
from comanda.menu import find_orderability, list_limits
from comanda.platform import runtime
from comanda.platform.db import sql
from comanda.stores import HoursOut, find_vertical, get_opening, parse_stored_hours

from comanda_mcp_catalog.records import Diet, FoundItem, ListedMode, ListedStore, ListedStoreDetail, StoreWithItems

MAX_DESCRIPTION_LENGTH: Final = 300


def to_listed_store(row: sql.Row, moment: datetime) -> ListedStore:
    """Return a row as a store in a list."""
    vertical, opening = find_vertical(row["store_type"]), get_opening(row, moment)
    names = ("id", "title", "slug", "store_type", "address", "country", "currency", "timezone")
    return ListedStore(
        **{name: row[name] for name in names},
        url=runtime.registry().store_url(runtime.settings().site_url, row["slug"]),
        label=vertical.label if vertical else row["store_type"],
        is_open=opening.is_open,
        next_open_at=opening.next_open_at,
        closes_at=opening.closes_at,
    )


def to_store_detail(row: sql.Row, moment: datetime) -> ListedStoreDetail:
    """Return a row as a store in full."""
    vertical = find_vertical(row["store_type"])
    declared = runtime.registry().fulfillment_modes
    hours = parse_stored_hours(row["hours"])
    return ListedStoreDetail(
        **asdict(to_listed_store(row, moment)),
        hours=None if hours is None else HoursOut.model_validate(hours),
        modes=[ListedMode(code, declared[code].label) for code in vertical.fulfillment_modes] if vertical else [],
        categories=orjson.loads(row["categories"]),
    )


def group_items_by_store(rows: Iterable[sql.Row], moment: datetime) -> list[StoreWithItems]:
    """Return stores with their items from rows sorted by store; stores without available items are left out."""
    found = []
    for _, group in groupby(rows, key=lambda row: row["id"]):
        mine = list(group)
        items = [_to_item(row) for row in mine if not _is_sold_out(row, moment)]
        if items:
            found.append(StoreWithItems(**asdict(to_listed_store(mine[0], moment)), items=items))
    return found


def _to_item(row: sql.Row) -> FoundItem:
    attributes = orjson.loads(row["attributes"])
    description = row["description"]
    if description is not None and len(description) > MAX_DESCRIPTION_LENGTH:
        description = f"{description[: MAX_DESCRIPTION_LENGTH - 1]}…"
    return FoundItem(
        id=row["item_id"],
        name=row["name"],
        description=description,
        price=Money(row["price_minor"], row["currency"]),
        is_popular=row["is_popular"],
        dietary=[diet for diet in Diet if attributes.get(f"is_{diet}") is True],
    )


def _is_sold_out(row: sql.Row, moment: datetime) -> bool:
    """Return whether an item's capability fields prevent its sale, such as an expiry date in the past."""
    vertical = find_vertical(row["store_type"])
    attributes = orjson.loads(row["attributes"])
    if vertical is None or not attributes:
        return vertical is None
    found = find_orderability(list_limits(vertical), attributes, ZoneInfo(row["timezone"]), moment)
    return not found.is_orderable
