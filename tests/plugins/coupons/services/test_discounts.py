"""Discounts over random orders, compared with exact fractions."""

from fractions import Fraction
from types import SimpleNamespace

import pytest
from comanda.orders import pricing
from comanda_coupons.services.discounts import CouponRefused, LoadedCoupon
from hypothesis import given
from hypothesis import strategies as st

ITEMS = {number: SimpleNamespace(category_id=number % 3) for number in range(1, 7)}


def number_lines(found):
    for position, line in enumerate(found):
        line.position, line.sold_item_id = position, line.item_id
    return found


lines = st.lists(
    st.builds(
        SimpleNamespace,
        item_id=st.sampled_from(sorted(ITEMS)),
        quantity=st.integers(1, 30),
        unit_price_minor=st.integers(0, 10**7),
    ),
    min_size=1,
    max_size=40,
).map(number_lines)
values = st.one_of(
    st.tuples(st.integers(1, 1_000_000), st.none(), st.none() | st.integers(1, 10**6)),
    st.tuples(st.none(), st.integers(1, 10**12), st.none()),
)


def create_coupon(worth=(1000, None, None), **fields):
    terms = dict.fromkeys(LoadedCoupon.__dataclass_fields__) | {"id": 1, "code": "TEN", "is_active": True}
    terms |= {name: frozenset() for name in ("modes", "item_ids", "category_ids")} | {"first_order_only": False}
    ppm, minor, most = worth
    return LoadedCoupon(**{**terms, "value_ppm": ppm, "value_minor": minor, "max_discount_minor": most, **fields})


@given(lines, values, st.frozensets(st.integers(1, 6)), st.frozensets(st.integers(0, 2)))
def test_discount_follows_terms_and_never_exceeds_eligible_lines(ordered, worth, items, categories):
    is_eligible = [
        not (items or categories) or line.item_id in items or line.item_id % 3 in categories for line in ordered
    ]
    eligible = sum(
        line.quantity * line.unit_price_minor for line, fits in zip(ordered, is_eligible, strict=True) if fits
    )
    ppm, minor, most = worth
    exact = Fraction(eligible * ppm, 1_000_000) if ppm else Fraction(min(minor, eligible))
    expected = min(int(exact + Fraction(1, 2)), eligible, most or eligible)

    coupon = create_coupon(worth, item_ids=items, category_ids=categories)
    if not expected:
        with pytest.raises(CouponRefused):
            coupon.get_discount(ordered, ITEMS, "EUR")
        return
    discount = coupon.get_discount(ordered, ITEMS, "EUR")

    assert discount.discount_minor == expected <= eligible
    assert [discount.positions is None or place in discount.positions for place in range(len(ordered))] == is_eligible
    quote = pricing.price_order(
        [pricing.LineInput(line.unit_price_minor, line.quantity) for line in ordered],
        pricing.PricingTerms(
            is_tax_included=True,
            order_discounts=(pricing.OrderDiscount(discount.discount_minor, discount.positions),),
            tip_minor=100,
        ),
    )
    assert quote.discount_total_minor == expected
    assert quote.total_minor == quote.subtotal_minor - expected + 100 >= 100
