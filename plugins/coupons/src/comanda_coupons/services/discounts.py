"""The discount of a coupon on an order, or the reason why there is none. No database."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any, Protocol

from comanda.basics import Sentence, money
from comanda.contracts import OfferedItem
from comanda.platform.db import sql

from comanda_coupons.models import PromotionType
from comanda_coupons.services.effects import Effect


class CouponRefusalReason(StrEnum):
    """The reason why a coupon does not apply, as a code."""

    UNKNOWN = "unknown"
    EXPIRED = "expired"
    NOT_STARTED = "not_started"
    MINIMUM = "minimum"
    USED_UP = "used_up"
    NOT_APPLICABLE = "not_applicable"


class CouponRefused(Exception):
    """The coupon does not apply; carries a message for the guest and the reason."""

    def __init__(self, reason: CouponRefusalReason, message: str) -> None:
        super().__init__(message)
        self.reason = reason
        self.message = message


class DiscountableLine(Protocol):
    """The fields of an order line that a discount depends on."""

    @property
    def position(self) -> int: ...
    @property
    def sold_item_id(self) -> int: ...
    @property
    def quantity(self) -> int: ...
    @property
    def unit_price_minor(self) -> int: ...


@dataclass(frozen=True, slots=True)
class CouponDiscount:
    """A discount and the positions of the lines it applies to; ``positions`` None means all."""

    discount_minor: int
    positions: frozenset[int] | None


@dataclass(frozen=True, slots=True)
class LoadedCoupon:
    """A coupon as loaded for pricing orders, with the fields of the table. Exactly one of the two values is set."""

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

    def check_period(self, moment: datetime) -> None:
        """Raise ``CouponRefused`` unless the coupon is active and valid at a moment; ``ends_at`` is exclusive."""
        if not self.is_active:
            # Guests must not learn that an inactive code exists.
            raise create_unknown_error(self.code)
        if self.starts_at is not None and moment < self.starts_at:
            raise CouponRefused(
                CouponRefusalReason.NOT_STARTED, Sentence("The coupon %(code)s is not valid yet.", code=self.code)
            )
        if self.ends_at is not None and moment >= self.ends_at:
            raise CouponRefused(
                CouponRefusalReason.EXPIRED, Sentence("The coupon %(code)s has expired.", code=self.code)
            )

    def check_mode(self, mode: str) -> None:
        """Raise ``CouponRefused`` if the coupon does not apply to the order's mode."""
        if self.modes and mode not in self.modes:
            allowed = ", ".join(sorted(self.modes))
            raise create_not_applicable_error(
                Sentence(
                    "The coupon %(code)s is only valid for orders of the type %(types)s.", code=self.code, types=allowed
                )
            )

    def get_discount(
        self,
        lines: Sequence[DiscountableLine],
        items: Mapping[int, OfferedItem],
        currency: str,
        left: Mapping[int, int] | None = None,
    ) -> CouponDiscount:
        """Return the discount on these lines, at most the total of the lines it applies to.

        ``left`` is what promotions have left of each line, by position; None is all of it. Raises ``CouponRefused`` if
        the subtotal is too low, or the discount would be 0.
        """
        gross = [line.unit_price_minor * line.quantity for line in lines]
        available = gross if left is None else [left[line.position] for line in lines]
        if self.min_subtotal_minor is not None and sum(gross) < self.min_subtotal_minor:
            minimum = money.to_decimal_string(self.min_subtotal_minor, currency)
            raise CouponRefused(
                CouponRefusalReason.MINIMUM,
                Sentence(
                    "The coupon %(code)s is only valid for orders of %(amount)s or more.",
                    code=self.code,
                    amount=f"{minimum} {currency}",
                ),
            )
        positions = None
        if self.item_ids or self.category_ids:
            positions = frozenset(line.position for line in lines if self._covers(line.sold_item_id, items))
        eligible = sum(amount for line, amount in zip(lines, available, strict=True) if _includes(positions, line))
        discount = self._effect.compute_discount([(eligible, 1)])
        if not discount:
            raise create_not_applicable_error(
                Sentence("The coupon %(code)s does not apply to these items.", code=self.code)
            )
        return CouponDiscount(discount, positions)

    def _covers(self, item_id: int, items: Mapping[int, OfferedItem]) -> bool:
        return item_id in self.item_ids or items[item_id].category_id in self.category_ids

    @property
    def _effect(self) -> Effect:
        kind = PromotionType.FIXED if self.value_ppm is None else PromotionType.PERCENTAGE
        return Effect(kind, self.value_ppm, self.value_minor, max_discount_minor=self.max_discount_minor)


def _includes(positions: frozenset[int] | None, line: DiscountableLine) -> bool:
    return positions is None or line.position in positions


def create_unknown_error(code: str) -> CouponRefused:
    return CouponRefused(CouponRefusalReason.UNKNOWN, f'"{code}" is not a valid code.')


def create_used_up_error(message: str) -> CouponRefused:
    """Create the error for a coupon with no redemption left."""
    return CouponRefused(CouponRefusalReason.USED_UP, message)


def create_not_applicable_error(message: str) -> CouponRefused:
    """Create the error for a coupon that does not apply to the order."""
    return CouponRefused(CouponRefusalReason.NOT_APPLICABLE, message)


def to_loaded_coupon(row: sql.Row) -> LoadedCoupon:
    """Return the coupon in a row of the table."""
    fields: dict[str, Any] = {name: row[name] for name in LoadedCoupon.__dataclass_fields__}
    fields |= {name: frozenset(fields[name]) for name in ("modes", "item_ids", "category_ids")}
    return LoadedCoupon(**fields)
