"""What a coupon is worth for an order, or why it is worth nothing: pure, no database."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any, Protocol

from comanda import money
from comanda.db import sql
from comanda.rates import PPM_OF_WHOLE


class Reason(StrEnum):
    """Why a coupon does not apply, for programs."""

    UNKNOWN = "unknown"
    EXPIRED = "expired"
    NOT_STARTED = "not_started"
    MINIMUM = "minimum"
    USED_UP = "used_up"
    NOT_APPLICABLE = "not_applicable"


class CouponRefused(Exception):
    """A coupon that does not apply: a sentence for the guest, and the reason."""

    def __init__(self, reason: Reason, sentence: str) -> None:
        super().__init__(sentence)
        self.reason = reason
        self.sentence = sentence


class Priced(Protocol):
    """A line of an order, as far as a coupon looks at it."""

    @property
    def item_id(self) -> int: ...
    @property
    def quantity(self) -> int: ...
    @property
    def unit_price_minor(self) -> int: ...


@dataclass(frozen=True, slots=True)
class Worth:
    """What a coupon takes off, and off which lines, by position; ``positions`` None are all of them."""

    discount_minor: int
    positions: frozenset[int] | None


@dataclass(frozen=True, slots=True)
class Offer:
    """A coupon as orders see it; the fields are those of the table. Exactly one of the two values is set."""

    id: int
    code: str
    value_ppm: int | None
    value_minor: int | None
    min_subtotal_minor: int | None
    max_discount_minor: int | None
    starts_at: datetime | None
    ends_at: datetime | None
    is_active: bool
    modes: frozenset[str]
    item_ids: frozenset[int]
    category_ids: frozenset[int]
    first_order_only: bool

    def check_time(self, moment: datetime) -> None:
        """Raise ``CouponRefused`` unless the coupon is in use at a moment; its end is not part of its time."""
        if not self.is_active:
            # Whether a code exists that is not in use is nobody's business.
            raise unknown(self.code)
        if self.starts_at is not None and moment < self.starts_at:
            raise CouponRefused(Reason.NOT_STARTED, f"The coupon {self.code} cannot be used yet.")
        if self.ends_at is not None and moment >= self.ends_at:
            raise CouponRefused(Reason.EXPIRED, f"The coupon {self.code} has expired.")

    def check_mode(self, mode: str) -> None:
        """Raise ``CouponRefused`` for orders of another mode."""
        if self.modes and mode not in self.modes:
            allowed = ", ".join(sorted(self.modes))
            raise not_applicable(f"The coupon {self.code} is for orders of the type {allowed}.")

    def worth(self, lines: Sequence[Priced], items: Mapping[int, Mapping[str, Any]], currency: str) -> Worth:
        """Tell what the coupon takes off these lines: never more than those it applies to cost.

        Raises ``CouponRefused`` where the subtotal is too low, and where nothing would be taken off.
        """
        gross = [line.unit_price_minor * line.quantity for line in lines]
        if self.min_subtotal_minor is not None and sum(gross) < self.min_subtotal_minor:
            least = money.to_decimal_string(self.min_subtotal_minor, currency)
            raise CouponRefused(Reason.MINIMUM, f"The coupon {self.code} is for orders of {least} {currency} or more.")
        positions = None
        if self.item_ids or self.category_ids:
            positions = frozenset(place for place, line in enumerate(lines) if self._covers(line.item_id, items))
        discount = self._off(sum(gross if positions is None else (gross[place] for place in positions)))
        if not discount:
            raise not_applicable(f"The coupon {self.code} takes nothing off these items.")
        return Worth(discount, positions)

    def _covers(self, item_id: int, items: Mapping[int, Mapping[str, Any]]) -> bool:
        return item_id in self.item_ids or items[item_id]["category_id"] in self.category_ids

    def _off(self, eligible_minor: int) -> int:
        if self.value_ppm is not None:
            discount = money.round_half_up(eligible_minor * self.value_ppm, PPM_OF_WHOLE)
        else:
            discount = self.value_minor or 0
        most = eligible_minor if self.max_discount_minor is None else min(eligible_minor, self.max_discount_minor)
        return min(discount, most)


def unknown(code: str) -> CouponRefused:
    """Refuse a code that is none."""
    return CouponRefused(Reason.UNKNOWN, f"There is no coupon {code}.")


def used_up(sentence: str) -> CouponRefused:
    """Refuse a coupon of which no use is left."""
    return CouponRefused(Reason.USED_UP, sentence)


def not_applicable(sentence: str) -> CouponRefused:
    """Refuse a coupon that is not for this order."""
    return CouponRefused(Reason.NOT_APPLICABLE, sentence)


def offer_of(row: sql.Row) -> Offer:
    """Make an offer of a row of the table."""
    fields: dict[str, Any] = {name: row[name] for name in Offer.__dataclass_fields__}
    fields |= {name: frozenset(fields[name]) for name in ("modes", "item_ids", "category_ids")}
    return Offer(**fields)
