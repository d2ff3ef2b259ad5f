"""Charts of accounts: which account each kind of money has, unless a store says otherwise."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final


class ChartName(StrEnum):
    """A chart of accounts; the last two are those that DATEV has for Germany."""

    GENERAL = "general"
    SKR03 = "skr03"
    SKR04 = "skr04"


class Purpose(StrEnum):
    """What an account is for, other than revenue and taxes, which differ by rate."""

    CHECKS = "checks"
    CASH = "cash"
    CARD = "card"
    ONLINE = "online"
    GIFT_CARDS = "gift_cards"
    STORE_CREDIT = "store_credit"
    TIPS = "tips"
    ROUNDING = "rounding"
    DEPOSITS = "deposits"
    KEPT_DEPOSITS = "kept_deposits"
    DRAWER_DIFFERENCES = "drawer_differences"


@dataclass(frozen=True, slots=True)
class Chart:
    """The accounts of a chart. ``revenue`` and ``taxes`` are by tax rate in parts per million.

    ``other_revenue`` and ``other_tax`` are for rates that are not listed; without an account for a tax, its revenue is
    booked with the tax, which the books divide by the account.
    """

    accounts: Mapping[Purpose, str]
    revenue: Mapping[int, str]
    other_revenue: str | None = None
    other_tax: str | None = None
    code: str = ""


CHARTS: Final[Mapping[ChartName, Chart]] = {
    ChartName.GENERAL: Chart(
        accounts={
            Purpose.CHECKS: "1200",
            Purpose.CASH: "1000",
            Purpose.CARD: "1100",
            Purpose.ONLINE: "1150",
            Purpose.GIFT_CARDS: "2300",
            Purpose.STORE_CREDIT: "2350",
            Purpose.TIPS: "2400",
            Purpose.ROUNDING: "4900",
            Purpose.DEPOSITS: "2500",
            Purpose.KEPT_DEPOSITS: "4800",
            Purpose.DRAWER_DIFFERENCES: "6900",
        },
        revenue={},
        other_revenue="4000",
        other_tax="2200",
    ),
    ChartName.SKR03: Chart(
        accounts={
            Purpose.CHECKS: "1410",
            Purpose.CASH: "1000",
            Purpose.CARD: "1360",
            Purpose.ONLINE: "1360",
            Purpose.GIFT_CARDS: "1700",
            Purpose.STORE_CREDIT: "1700",
            Purpose.TIPS: "1590",
            Purpose.ROUNDING: "2709",
            Purpose.DEPOSITS: "1710",
            Purpose.KEPT_DEPOSITS: "2742",
            Purpose.DRAWER_DIFFERENCES: "4900",
        },
        revenue={190_000: "8400", 70_000: "8300", 0: "8200"},
        code="03",
    ),
    ChartName.SKR04: Chart(
        accounts={
            Purpose.CHECKS: "1210",
            Purpose.CASH: "1600",
            Purpose.CARD: "1460",
            Purpose.ONLINE: "1460",
            Purpose.GIFT_CARDS: "3500",
            Purpose.STORE_CREDIT: "3500",
            Purpose.TIPS: "1370",
            Purpose.ROUNDING: "4839",
            Purpose.DEPOSITS: "3250",
            Purpose.KEPT_DEPOSITS: "4970",
            Purpose.DRAWER_DIFFERENCES: "6300",
        },
        revenue={190_000: "4400", 70_000: "4300", 0: "4200"},
        code="04",
    ),
}
