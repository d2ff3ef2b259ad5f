"""What a coupon takes off, over random orders: checked against exact fractions."""

from fractions import Fraction
from types import SimpleNamespace

import pytest
from comanda.orders import pricing
from comanda_coupons.guests import Guest, phone_key
from comanda_coupons.offers import CouponRefused, Offer
from hypothesis import given
from hypothesis import strategies as st

ITEMS = {number: {"category_id": number % 3} for number in range(1, 7)}
lines = st.lists(
    st.builds(
        SimpleNamespace,
        item_id=st.sampled_from(sorted(ITEMS)),
        quantity=st.integers(1, 30),
        unit_price_minor=st.integers(0, 10**7),
    ),
    min_size=1,
    max_size=40,
)
worths = st.one_of(
    st.tuples(st.integers(1, 1_000_000), st.none(), st.none() | st.integers(1, 10**6)),
    st.tuples(st.none(), st.integers(1, 10**12), st.none()),
)


def offer(worth=(1000, None, None), **fields):
    terms = dict.fromkeys(Offer.__dataclass_fields__) | {"id": 1, "code": "TEN", "is_active": True}
    terms |= {name: frozenset() for name in ("modes", "item_ids", "category_ids")} | {"first_order_only": False}
    ppm, minor, most = worth
    return Offer(**{**terms, "value_ppm": ppm, "value_minor": minor, "max_discount_minor": most, **fields})


@given(lines, worths, st.frozensets(st.integers(1, 6)), st.frozensets(st.integers(0, 2)))
def test_a_discount_is_what_the_terms_say_and_never_more_than_the_eligible_lines_cost(
    ordered, worth, items, categories
):
    is_eligible = [
        not (items or categories) or line.item_id in items or line.item_id % 3 in categories for line in ordered
    ]
    eligible = sum(
        line.quantity * line.unit_price_minor for line, fits in zip(ordered, is_eligible, strict=True) if fits
    )
    ppm, minor, most = worth
    exact = Fraction(eligible * ppm, 1_000_000) if ppm else Fraction(min(minor, eligible))
    expected = min(int(exact + Fraction(1, 2)), eligible, most or eligible)

    made = offer(worth, item_ids=items, category_ids=categories)
    if not expected:
        with pytest.raises(CouponRefused):
            made.worth(ordered, ITEMS, "EUR")
        return
    found = made.worth(ordered, ITEMS, "EUR")

    assert found.discount_minor == expected <= eligible
    assert [found.positions is None or place in found.positions for place in range(len(ordered))] == is_eligible
    quote = pricing.price_order(
        [
            pricing.LineInput(line.unit_price_minor, line.quantity, is_discountable=fits)
            for line, fits in zip(ordered, is_eligible, strict=True)
        ],
        pricing.PricingTerms(is_tax_included=True, order_discount_minor=found.discount_minor, tip_minor=100),
    )
    assert quote.discount_total_minor == expected
    assert quote.total_minor == quote.subtotal_minor - expected + 100 >= 100


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("+351 912 345 678", "12345678"),
        ("912345678", "12345678"),
        ("(0)151-2345 6789", "23456789"),
        ("12345", "12345"),
        ("1234", None),
        ("call me", None),
        ("٩١٢٣٤٥٦٧٨", None),
        ("", None),
        (None, None),
    ],
)
def test_a_phone_number_is_known_by_its_last_digits(text, key):
    assert phone_key(text) == key


def test_the_names_of_a_guest_come_in_one_order():
    assert Guest(7, "12345678").names == ["customer:7", "phone:12345678"]
    assert (Guest().names, Guest().is_known) == ([], False)
