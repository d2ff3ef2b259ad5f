"""Price lists as the menu's snapshots hold them: when and for what each is, and what items cost by it. No database."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from enum import StrEnum
from typing import Any
from zoneinfo import ZoneInfo

import orjson

from comanda.basics.money import MAX_MINOR
from comanda.basics.rates import PPM_OF_PERCENT
from comanda.contracts import time_windows
from comanda.contracts.stores.menu_items import Item
from comanda.contracts.stores.verticals import Orderability
from comanda.contracts.time_windows import WeeklyTimes
from comanda.menu.changes.price_rules import PriceRule


class PriceChannel(StrEnum):
    """Where an order comes from: the store's page, an agent of a guest, the app, the till, or the owner's programs."""

    STOREFRONT = "storefront"
    AGENT = "agent"
    CUSTOMER = "customer"
    STAFF = "staff"
    OWNER = "owner"


@dataclass(frozen=True, slots=True)
class PriceList:
    """A price list that is switched on. Empty ``modes`` and ``channels`` are all of them, and without ``times`` always.

    ``prices`` are those of items and, by the id of a variant, of their variants. ``rule`` changes the other prices of
    the items of its categories, of all items if there are none.
    """

    id: int
    name: str
    modes: frozenset[str]
    channels: frozenset[str]
    times: WeeklyTimes | None
    rule: PriceRule | None
    category_ids: frozenset[int]
    prices: Mapping[int, Mapping[int | None, int]]

    def is_for(self, mode: str | None, channel: str) -> bool:
        """Return whether it is for orders of a mode in a channel; None is for all modes alike."""
        return (not self.modes or mode in self.modes) and (not self.channels or channel in self.channels)

    def find_state(self, zone: ZoneInfo, moment: datetime) -> Orderability:
        """Return whether it holds at a moment, and when that changes."""
        if self.times is None:
            return Orderability(True)
        return time_windows.find_state(self.times, zone, moment.astimezone(UTC))

    def covers(self, item: Item) -> bool:
        """Return whether it says what an item costs."""
        return item.id in self.prices or self.is_rule_for(item)

    def is_rule_for(self, item: Item) -> bool:
        """Return whether its rule changes the prices of an item."""
        return self.rule is not None and (not self.category_ids or item.category_id in self.category_ids)

    def price(self, item: Item, variant_id: int | None, price_minor: int) -> int:
        """Return what an item or its variant costs instead of the menu's price."""
        fixed = self.prices.get(item.id, {}).get(variant_id)
        return self.change(item, price_minor) if fixed is None else fixed

    def change(self, item: Item, price_minor: int) -> int:
        """Return a price of an item, such as that of its extra, as the rule changes it; never less than nothing."""
        if self.rule is None or not self.is_rule_for(item):
            return price_minor
        return min(max(self.rule.apply(price_minor), 0), MAX_MINOR)


def read_price_lists(text: str) -> tuple[PriceList, ...]:
    """Return the price lists of a store from the text that the database returns."""
    return tuple([to_price_list(row) for row in orjson.loads(text)]) if text != "[]" else ()


def to_price_list(row: Mapping[str, Any]) -> PriceList:
    """Return a price list from the columns of its row."""
    prices: dict[int, dict[int | None, int]] = {}
    for item_id, variant_id, price_minor in row["prices"]:
        prices.setdefault(item_id, {})[variant_id] = price_minor
    return PriceList(
        id=row["id"],
        name=row["name"],
        modes=frozenset(row["modes"]),
        channels=frozenset(row["channels"]),
        times=time_windows.to_weekly_times(row["valid_at"]) if row["valid_at"] else None,
        rule=_to_rule(row),
        category_ids=frozenset(row["category_ids"]),
        prices=prices,
    )


def _to_rule(row: Mapping[str, Any]) -> PriceRule | None:
    percent_ppm, amount_minor, step_minor = row["percent_ppm"], row["amount_minor"], row["step_minor"]
    if percent_ppm is None and amount_minor is None and step_minor is None:
        return None
    percent = None if percent_ppm is None else Decimal(percent_ppm) / PPM_OF_PERCENT
    return PriceRule(percent, amount_minor or 0, step_minor or 1, row["minus_minor"])


def list_current(
    lists: Sequence[PriceList], zone: ZoneInfo, moment: datetime
) -> tuple[tuple[PriceList, ...], list[datetime]]:
    """Return the lists that hold at a moment, in their order, and the moments at which that changes."""
    states = [(each, each.find_state(zone, moment)) for each in lists]
    current = tuple([each for each, state in states if state.is_orderable])
    return current, [state.changes_at for _, state in states if state.changes_at is not None]
