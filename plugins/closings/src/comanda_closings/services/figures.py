"""What an order and its payments count for: pure functions, whose sums are all that reports and closings show."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Final
from zoneinfo import ZoneInfo

import orjson
from comanda.basics import PPM_OF_WHOLE, round_half_up
from comanda.contracts import Status
from comanda.orders import allocate, calculate_amount_due, pricing
from comanda.platform.db import sql
from comanda_payments.api import MoneyMovement

COMP: Final = "comp"
MERGED_INTO: Final = "merged_into"
SERVED_BY: Final = "served_by"
STAFF_PREFIX: Final = "staff:"


class Section(StrEnum):
    """What the totals of a day are divided by; each has codes of its own, such as tax rates in parts per million."""

    FIGURE = "figure"
    TAX = "tax"
    REFUND_TAX = "refund_tax"
    REFUND_TIP = "refund_tip"
    ALLOWANCE = "allowance"
    TENDER = "tender"
    REFUND = "refund"
    PREPAID = "prepaid"
    HOUR = "hour"
    CATEGORY = "category"
    CHANNEL = "channel"
    MODE = "mode"
    STAFF = "staff"
    TIP = "tip"


class Figure(StrEnum):
    """The codes of the section ``figure``."""

    GROSS_SALES = "gross_sales"
    VOIDS = "voids"
    CANCELLED = "cancelled"
    DISCOUNTS = "discounts"
    COMPS = "comps"
    SERVICE_CHARGES = "service_charges"
    DELIVERY_FEES = "delivery_fees"
    OTHER_CHARGES = "other_charges"
    ADDED_TAX = "added_tax"
    ORDER_TIPS = "order_tips"
    PAYMENTS = "payments"
    PAYMENT_TIPS = "payment_tips"
    ROUNDING = "rounding"
    REFUNDS = "refunds"
    PREPAYMENTS = "prepayments"
    PREPAID_STAYS = "prepaid_stays"
    KEPT_DEPOSITS = "kept_deposits"
    DRAWER_DIFFERENCES = "drawer_differences"


Key = tuple[str, str]
Amounts = tuple[int, int, int]


@dataclass(slots=True)
class Sums:
    """Counts, amounts and taxes by section and code."""

    by_key: dict[Key, Amounts] = field(default_factory=dict)

    def add(self, section: str, code: str, count: int, amount_minor: int, tax_minor: int = 0) -> None:
        """Add to one sum; what comes to nothing is left out."""
        known = self.by_key.get((section, code), (0, 0, 0))
        after = (known[0] + count, known[1] + amount_minor, known[2] + tax_minor)
        if any(after):
            self.by_key[section, code] = after
        else:
            self.by_key.pop((section, code), None)

    def add_all(self, other: "Sums", sign: int = 1) -> None:
        """Add other sums, or take them off with a ``sign`` of -1."""
        for (section, code), (count, amount_minor, tax_minor) in other.by_key.items():
            self.add(section, code, sign * count, sign * amount_minor, sign * tax_minor)

    def to_json(self) -> list[list[Any]]:
        """Return the sums as they are stored."""
        return [[*key, *amounts] for key, amounts in sorted(self.by_key.items())]

    @classmethod
    def from_json(cls, stored: Iterable[list[Any]]) -> "Sums":
        """Return stored sums."""
        return cls({(section, code): (count, amount, tax) for section, code, count, amount, tax in stored})


def count_sale(
    order: sql.Row, lines: Iterable[Mapping[str, Any]], categories: Mapping[int, str], zone: ZoneInfo
) -> Sums:
    """Return what was sold with an order, as it is now. The order has the columns of ``day_counts.SELECT_ORDERS``.

    A void or a cancellation takes nothing off the gross sales, but has a figure of its own, so that it counts on its
    own day. ``categories`` has the code of each item's category.
    """
    sums = Sums()
    # What is left of an order that was merged into another one was never an order of its own.
    orders = 0 if MERGED_INTO in orjson.loads(order["attributes"] or "{}") else 1
    discounts_minor, comps_minor = order["discount_total_minor"], _sum_comps(order, lines)
    net_minor = order["subtotal_minor"] - discounts_minor
    sums.add(Section.FIGURE, Figure.GROSS_SALES, orders, order["subtotal_minor"] + order["voided_minor"])
    sums.add(Section.FIGURE, Figure.VOIDS, order["voided_quantity"], order["voided_minor"])
    sums.add(Section.FIGURE, Figure.DISCOUNTS, int(discounts_minor > comps_minor), discounts_minor - comps_minor)
    sums.add(Section.FIGURE, Figure.COMPS, int(comps_minor > 0), comps_minor)
    if order["status"] == Status.CANCELLED:
        sums.add(Section.FIGURE, Figure.CANCELLED, orders, net_minor)
        return sums
    _add_charges(sums, order)
    for row in _list_tax_rows(order):
        sums.add(Section.TAX, str(row.rate_ppm), 1, row.net_minor, row.tax_minor)
    server = get_server(order)
    hour = order["created_at"].astimezone(zone).hour
    for section, code in (
        (Section.HOUR, f"{hour:02}"),
        (Section.CHANNEL, order["source"]),
        (Section.MODE, order["type"]),
        (Section.STAFF, server),
    ):
        sums.add(section, code, 1, net_minor)
    for line in lines:
        code = categories[line["item_id"]]
        sums.add(Section.CATEGORY, code, line["quantity"], line["gross_minor"] - line["discount_minor"])
    if order["tip_minor"]:
        sums.add(Section.TIP, server, 1, order["tip_minor"])
    return sums


def count_movement(movement: MoneyMovement, order: sql.Row) -> Sums:
    """Return what a payment or a part of a refund counts for. Its tip is that of who serves the order, or took it."""
    sums = Sums()
    if movement.is_refund:
        sums.add(Section.FIGURE, Figure.REFUNDS, 1, movement.amount_minor)
        sums.add(Section.REFUND, movement.method, 1, movement.amount_minor)
        shares, tip_minor = _divide_refund(movement, order)
        for rate_ppm, gross_minor in shares.items():
            _add_gross(sums, Section.REFUND_TAX, rate_ppm, gross_minor)
        sums.add(Section.REFUND_TIP, "", 1 if tip_minor else 0, tip_minor)
        return sums
    sums.add(Section.FIGURE, Figure.PAYMENTS, 1, movement.amount_minor)
    sums.add(Section.TENDER, movement.method, 1, movement.amount_minor + movement.tip_minor + movement.rounding_minor)
    sums.add(Section.FIGURE, Figure.ROUNDING, int(movement.rounding_minor != 0), movement.rounding_minor)
    if movement.tip_minor:
        taker = movement.actor if movement.actor.startswith(STAFF_PREFIX) else ""
        sums.add(Section.FIGURE, Figure.PAYMENT_TIPS, 1, movement.tip_minor)
        sums.add(Section.TIP, get_server(order) or taker, 1, movement.tip_minor)
    return sums


def count_allowances(order: sql.Row, money: Sums) -> Sums:
    """Return what of an order's refunds, which ``money`` has by tax rate, lowers what was sold.

    A refund of what was cancelled, voided or paid twice does not: that is in no sale any more, or never was. Nor does
    one that is due again. The code is a tax rate, or empty for what is given back of a tip.
    """
    sums = Sums()
    if order["status"] == Status.CANCELLED:
        return sums
    refunded = {
        code: net + tax for (section, code), (_, net, tax) in money.by_key.items() if section == Section.REFUND_TAX
    }
    tip_minor = money.by_key.get((Section.REFUND_TIP, ""), (0, 0, 0))[1]
    parts = [(code, gross - tip_minor if code == "0" else gross) for code, gross in sorted(refunded.items())]
    kept_minor = order["paid_minor"] - order["refunded_minor"]
    allowed_minor = order["total_minor"] - kept_minor - calculate_amount_due(order)
    weights = [tip_minor, *(gross for _, gross in parts)]
    shares = allocate(max(0, min(allowed_minor, sum(weights))), weights) if any(weights) else [0] * len(weights)
    sums.add(Section.ALLOWANCE, "", int(shares[0] > 0), shares[0])
    for (code, _), gross_minor in zip(parts, shares[1:], strict=True):
        _add_gross(sums, Section.ALLOWANCE, int(code), gross_minor)
    return sums


def get_server(order: sql.Row) -> str:
    """Return who serves an order, such as ``staff:12``, or nobody."""
    return str(orjson.loads(order["attributes"] or "{}").get(SERVED_BY, ""))


def _add_charges(sums: Sums, order: sql.Row) -> None:
    for figure, amount_minor in (
        (Figure.SERVICE_CHARGES, order["service_charge_minor"]),
        (Figure.DELIVERY_FEES, order["delivery_fee_minor"]),
        (Figure.OTHER_CHARGES, order["charges_minor"]),
        (Figure.ADDED_TAX, 0 if order["is_tax_included"] else order["tax_total_minor"]),
        (Figure.ORDER_TIPS, order["tip_minor"]),
    ):
        sums.add(Section.FIGURE, figure, int(amount_minor > 0), amount_minor)


def _sum_comps(order: sql.Row, lines: Iterable[Mapping[str, Any]]) -> int:
    """Return what was taken off the lines that cost nothing, because somebody said so."""
    given = [each for each in orjson.loads(order["given_discounts"] or "[]") if each["code"] == COMP]
    if not given:
        return 0
    ids = {each["line_id"] for each in given}
    return sum(line["discount_minor"] for line in lines if None in ids or line["id"] in ids)


def _divide_refund(movement: MoneyMovement, order: sql.Row) -> tuple[dict[int, int], int]:
    """Divide a refund by tax rate, and return what of rate 0 is tip, which is not taxed.

    It is divided as its lines are taxed, or else as all that the order costs.
    """
    if movement.lines_by_rate:
        weights, tip_weight = dict(movement.lines_by_rate), 0
    else:
        weights = {row.rate_ppm: max(0, row.gross_minor) for row in _list_tax_rows(order)}
        tip_weight = order["tip_minor"]
    weights[0] = weights.get(0, 0) + tip_weight
    if not any(weights.values()):
        weights[0] = 1
    shares = dict(zip(weights, allocate(movement.amount_minor, list(weights.values())), strict=True))
    return shares, allocate(shares[0], [tip_weight, weights[0] - tip_weight])[0]


def _add_gross(sums: Sums, section: Section, rate_ppm: int, gross_minor: int) -> None:
    """Add an amount with its tax at a rate, unless it is nothing."""
    if gross_minor:
        tax_minor = round_half_up(gross_minor * rate_ppm, PPM_OF_WHOLE + rate_ppm)
        sums.add(section, str(rate_ppm), 1, gross_minor - tax_minor, tax_minor)


def _list_tax_rows(order: sql.Row) -> list[pricing.TaxRow]:
    taxes = [pricing.TaxGroup(**group) for group in orjson.loads(order["taxes"] or "[]")]
    gross_minor = order["total_minor"] - order["tip_minor"]
    return pricing.list_tax_rows(taxes, gross_minor, is_tax_included=order["is_tax_included"])
