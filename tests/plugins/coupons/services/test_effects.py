"""What promotions take off units, compared with a plain count of single units."""

import pytest
from comanda_coupons.models import PromotionType
from comanda_coupons.services.effects import Effect
from hypothesis import given
from hypothesis import strategies as st

units = st.lists(st.tuples(st.integers(0, 5000), st.integers(1, 30)), max_size=8)
effects = st.one_of(
    st.builds(Effect, st.just(PromotionType.PERCENTAGE), value_ppm=st.integers(1, 1_000_000)),
    st.builds(
        Effect, st.sampled_from([PromotionType.FIXED, PromotionType.PRICE_CUT]), value_minor=st.integers(1, 9000)
    ),
    st.builds(Effect, st.just(PromotionType.NTH_FREE), quantity=st.integers(2, 20)),
    st.builds(
        Effect, st.just(PromotionType.BUNDLE), value_minor=st.integers(1, 30000), quantity=st.integers(2, 20)
    ),
)  # fmt: skip


def expand(found):
    return sorted((price for price, count in found for _ in range(count)), reverse=True)


@given(units, st.integers(2, 20))
def test_every_nth_unit_is_the_cheapest_of_its_group(found, size):
    prices = expand(found)

    discount = Effect(PromotionType.NTH_FREE, quantity=size).compute_discount(found)

    assert discount == sum(prices[size - 1 :: size])


@given(units, st.integers(2, 20), st.integers(1, 30000))
def test_bundle_costs_its_price_or_what_its_units_cost(found, size, price):
    prices = expand(found)
    groups = [prices[start : start + size] for start in range(0, len(prices) - size + 1, size)]

    discount = Effect(PromotionType.BUNDLE, value_minor=price, quantity=size).compute_discount(found)

    assert discount == sum(max(0, sum(group) - price) for group in groups)


@given(units, effects, st.randoms())
def test_discount_depends_on_units_and_not_on_lines(found, effect, random):
    split = [(price, 1) for price, count in found for _ in range(count)]
    random.shuffle(split)

    assert effect.compute_discount(split) == effect.compute_discount(found)
    assert 0 <= effect.compute_discount(found) <= sum(price * count for price, count in found)


@given(units, effects, st.tuples(st.integers(0, 5000), st.integers(1, 30)))
def test_another_unit_never_makes_the_discount_less(found, effect, added):
    assert effect.compute_discount([*found, added]) >= effect.compute_discount(found)


@pytest.mark.parametrize(
    ("effect", "discount"),
    [
        (Effect(PromotionType.NTH_FREE, quantity=2), 500),
        (Effect(PromotionType.NTH_FREE, quantity=3), 300),
        (Effect(PromotionType.BUNDLE, value_minor=800, quantity=2), 200),
        (Effect(PromotionType.PRICE_CUT, value_minor=250), 950),
        (Effect(PromotionType.NTH_FREE, quantity=2, max_discount_minor=120), 120),
    ],
)
def test_examples_of_the_chapter(effect, discount):
    assert effect.compute_discount([(200, 1), (300, 2), (700, 1)]) == discount
