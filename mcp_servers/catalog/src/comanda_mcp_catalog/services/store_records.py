"""Records of listed stores and their items."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from typing import Final
from zoneinfo import ZoneInfo

import orjson
from comanda import runtime
from comanda.contracts.fulfillment import FulfillmentMode
from comanda.contracts.verticals import ItemCapability, Values
from comanda.db import sql
from comanda.menu.records import find_sold_out_moment
from comanda.money import Money
from comanda.plugin_calls import PluginFailed
from comanda.stores.records import Opening, find_vertical, get_opening, parse_stored_hours

from comanda_mcp_catalog.schemas import Diet

MAX_DESCRIPTION_LENGTH: Final = 300


@dataclass(frozen=True, slots=True)
class ListedStore:
    """A listed store, and whether it is open. ``label`` is its type for display."""

    id: int
    title: str
    slug: str
    url: str
    store_type: str
    label: str
    address: str | None
    country: str | None
    currency: str
    timezone: str
    opening: Opening


@dataclass(frozen=True, slots=True)
class ListedStoreDetail:
    """A listed store with its hours, order types and the names of its menu categories."""

    store: ListedStore
    hours: Mapping[str, object] | None
    modes: tuple[FulfillmentMode, ...]
    categories: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FoundItem:
    """An item that can be ordered now; ``price`` is that of its cheapest variation."""

    id: int
    name: str
    description: str | None
    price: Money
    is_popular: bool
    dietary: tuple[Diet, ...]


@dataclass(frozen=True, slots=True)
class StoreItems:
    """A listed store and its matching items."""

    store: ListedStore
    items: tuple[FoundItem, ...]


def to_listed_store(row: sql.Row, moment: datetime) -> ListedStore:
    """Return a row as a store in a list."""
    vertical = find_vertical(row["store_type"])
    return ListedStore(
        id=row["id"],
        title=row["title"],
        slug=row["slug"],
        url=runtime.registry().store_url(runtime.settings().site_url, row["slug"]),
        store_type=row["store_type"],
        label=vertical.label if vertical else row["store_type"],
        address=row["address"],
        country=row["country"],
        currency=row["currency"],
        timezone=row["timezone"],
        opening=get_opening(row, moment),
    )


def to_store_detail(row: sql.Row, moment: datetime) -> ListedStoreDetail:
    """Return a row as a store in full."""
    vertical = find_vertical(row["store_type"])
    declared = runtime.registry().fulfillment_modes
    return ListedStoreDetail(
        store=to_listed_store(row, moment),
        hours=parse_stored_hours(row["hours"]),
        modes=tuple(declared[code] for code in vertical.fulfillment_modes) if vertical else (),
        categories=tuple(orjson.loads(row["categories"])),
    )


def group_items_by_store(rows: Iterable[sql.Row], moment: datetime) -> list[StoreItems]:
    """Return stores with their items from rows sorted by store; stores without available items are left out."""
    found = []
    for _, group in groupby(rows, key=lambda row: row["id"]):
        mine = list(group)
        items = tuple(_to_item(row) for row in mine if not _is_sold_out(row, moment))
        if items:
            found.append(StoreItems(to_listed_store(mine[0], moment), items))
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
        dietary=tuple(diet for diet in Diet if attributes.get(f"is_{diet}") is True),
    )


def _is_sold_out(row: sql.Row, moment: datetime) -> bool:
    """Return whether an item's capability fields prevent its sale, such as an expiry date in the past."""
    vertical = find_vertical(row["store_type"])
    attributes = orjson.loads(row["attributes"])
    if vertical is None or not attributes:
        return vertical is None
    zone = ZoneInfo(row["timezone"])
    ends = [_find_sold_out_moment(each, attributes, zone) for each in runtime.registry().item_fields(vertical)]
    return any(end is not None and end <= moment for end in ends)


def _find_sold_out_moment(capability: ItemCapability, attributes: Values, zone: ZoneInfo) -> datetime | None:
    try:
        return find_sold_out_moment(capability, attributes, zone)
    except PluginFailed:
        return None
