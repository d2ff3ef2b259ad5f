"""What a coupon or a promotion takes off a number of units. A pure function over integer minor units."""

from collections.abc import Iterable
from dataclasses import dataclass

from comanda.basics import PPM_OF_WHOLE, money

from comanda_coupons.models import PromotionType

# A price of one unit, and how many units cost that.
Units = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Effect:
    """What is taken off: of units in the order of their price, so that it does not depend on how lines are written."""

    type: PromotionType
    value_ppm: int | None = None
    value_minor: int | None = None
    quantity: int | None = None
    max_discount_minor: int | None = None

    def compute_discount(self, units: Iterable[Units]) -> int:
        """Return the discount on these units, at most what they cost."""
        ordered = sorted(units, reverse=True)
        eligible = sum(price * count for price, count in ordered)
        maximum = eligible if self.max_discount_minor is None else min(eligible, self.max_discount_minor)
        return min(self._compute_whole(ordered, eligible), maximum)

    def _compute_whole(self, ordered: list[Units], eligible: int) -> int:
        value, size = self.value_minor or 0, self.quantity or 1
        match self.type:
            case PromotionType.PERCENTAGE:
                return money.round_half_up(eligible * (self.value_ppm or 0), PPM_OF_WHOLE)
            case PromotionType.FIXED:
                return value
            case PromotionType.PRICE_CUT:
                return sum(min(price, value) * count for price, count in ordered)
            case PromotionType.NTH_FREE:
                return _sum_nth(ordered, size)
            case PromotionType.BUNDLE:
                return _sum_bundles(ordered, size, value)


def _sum_nth(ordered: list[Units], size: int) -> int:
    """Return what every nth unit costs, the dearest first: the cheapest of each group."""
    total = before = 0
    for price, count in ordered:
        total += price * ((before + count) // size - before // size)
        before += count
    return total


def _sum_bundles(ordered: list[Units], size: int, bundle_price: int) -> int:
    """Return what is saved if each group of units, the dearest first, costs the price of a bundle at most."""
    saved = filled = amount = 0
    for price, count in ordered:
        left = count
        if filled:
            taken = min(size - filled, left)
            filled, amount, left = filled + taken, amount + taken * price, left - taken
            if filled < size:
                continue
            saved += max(0, amount - bundle_price)
        saved += left // size * max(0, size * price - bundle_price)
        filled = left % size
        amount = filled * price
    return saved
