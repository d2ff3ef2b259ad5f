"""The rule by which promotions are stacked, over random orders, and when promotions are on."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from zoneinfo import ZoneInfo

import pytest
from comanda.contracts import DraftLine, Orderability, OrderBody, time_windows
from comanda.orders import pricing
from comanda_coupons.models import PromotionType
from comanda_coupons.services.effects import Effect
from comanda_coupons.services.promotion_pricing import LoadedPromotion, get_left, price_promotions
from hypothesis import assume, given
from hypothesis import strategies as st

MONDAY = datetime(2030, 1, 7, 9, tzinfo=UTC)
LISBON = ZoneInfo("Europe/Lisbon")
ITEMS = {number: SimpleNamespace(category_id=number % 3) for number in range(1, 7)}
ALWAYS = LoadedPromotion(
    id=1, name="Offer", effect=Effect(PromotionType.PERCENTAGE, value_ppm=100_000), min_subtotal_minor=None,
    starts_at=None, ends_at=None, times=None, modes=frozenset(), channels=frozenset(), item_ids=frozenset(),
    category_ids=frozenset(), is_active=True, is_over=False, has_limit=False,
)  # fmt: skip


def create_request(lines):
    return SimpleNamespace(
        terms=SimpleNamespace(zone=LISBON),
        body=OrderBody.model_construct(type="takeaway"),
        audience="owner",
        lines=tuple(replace(line, position=position) for position, line in enumerate(lines)),
        items=ITEMS,
        subtotal_minor=sum(line.unit_price_minor * line.quantity for line in lines),
        amends=None,
    )


lines = st.lists(
    st.builds(
        DraftLine, position=st.just(0), item_id=st.sampled_from(sorted(ITEMS)), variant_id=st.none(), name=st.just("x"),
        quantity=st.integers(1, 6), unit_price_minor=st.integers(0, 3000), tax_rate_ppm=st.just(100_000),
        variation=st.none(), extras=st.just(()), note=st.none(), stock_key=st.none(),
    ),
    min_size=1,
    max_size=8,
)  # fmt: skip
effects = st.one_of(
    st.builds(Effect, st.just(PromotionType.PERCENTAGE), value_ppm=st.integers(1, 1_000_000)),
    st.builds(
        Effect, st.sampled_from([PromotionType.FIXED, PromotionType.PRICE_CUT]), value_minor=st.integers(1, 3000)
    ),
    st.builds(Effect, st.just(PromotionType.NTH_FREE), quantity=st.integers(2, 4)),
    st.builds(Effect, st.just(PromotionType.BUNDLE), value_minor=st.integers(1, 5000), quantity=st.integers(2, 4)),
)
promotions = st.lists(
    st.builds(
        lambda effect, items, categories, minimum: replace(
            ALWAYS, effect=effect, item_ids=items, category_ids=categories, min_subtotal_minor=minimum
        ),
        effects,
        st.frozensets(st.integers(1, 6), max_size=3),
        st.frozensets(st.integers(0, 2), max_size=1),
        st.none() | st.integers(0, 9000),
    ),
    max_size=5,
).map(lambda found: [replace(each, id=number) for number, each in enumerate(found, 1)])


def sum_discounts(request, found):
    return {each.candidate.promotion.id: each.discount_minor for each in price_promotions(request, found)}


@given(lines, promotions)
def test_promotions_take_off_what_they_say_and_never_more_than_lines_cost(ordered, found):
    request = create_request(ordered)

    priced = [each for each in price_promotions(request, found) if each.positions]

    left = get_left(request.lines, priced)
    assert all(amount >= 0 for amount in left.values())
    assert sum(left.values()) == request.subtotal_minor - sum(each.discount_minor for each in priced)
    of_lines = [each for each in priced if not each.candidate.promotion.is_for_order]
    assert len(priced) - len(of_lines) <= 1
    positions = [position for each in of_lines for position in each.positions]
    assert len(positions) == len(set(positions))
    quote = pricing.price_order(
        [pricing.LineInput(line.unit_price_minor, line.quantity, line.tax_rate_ppm) for line in request.lines],
        pricing.PricingTerms(
            is_tax_included=True,
            order_discounts=tuple(pricing.OrderDiscount(each.discount_minor, each.positions) for each in priced),
        ),
    )
    assert quote.total_minor == sum(line.total_minor for line in quote.lines) == sum(left.values())


@given(lines, promotions, st.randoms())
def test_order_and_grouping_of_lines_change_no_discount(ordered, found, random):
    split = [replace(line, quantity=1) for line in ordered for _ in range(line.quantity)]
    random.shuffle(split)

    assert sum_discounts(create_request(split), found) == sum_discounts(create_request(ordered), found)


@given(lines, promotions)
def test_order_of_promotions_changes_nothing(ordered, found):
    request = create_request(ordered)

    assert sum_discounts(request, found[::-1]) == sum_discounts(request, found)


@given(lines, promotions)
def test_first_of_the_promotions_of_lines_takes_the_most_off(ordered, found):
    request = create_request(ordered)
    of_lines = [each for each in found if not each.is_for_order]
    alone = [sum(sum_discounts(request, [each]).values()) for each in of_lines]
    assume(any(alone))

    first = price_promotions(request, of_lines)[0]

    assert first.discount_minor == max(alone)


def find_period(moment, zone=LISBON, **terms):
    windows = terms.pop("windows", ())
    times = time_windows.to_weekly_times(windows) if windows else None
    return replace(ALWAYS, times=times, **terms).find_period(zone, moment)


@pytest.mark.parametrize(
    ("moment", "terms", "period"),
    [
        (MONDAY, {}, Orderability(True)),
        (MONDAY, {"is_active": False}, Orderability(False)),
        (MONDAY, {"is_over": True}, Orderability(False)),
        (MONDAY, {"ends_at": MONDAY}, Orderability(False)),
        (MONDAY, {"ends_at": MONDAY + timedelta(hours=1)}, Orderability(True, MONDAY + timedelta(hours=1))),
        (MONDAY, {"starts_at": MONDAY + timedelta(hours=1)}, Orderability(False, MONDAY + timedelta(hours=1))),
        # A window across midnight belongs to the evening on which it begins.
        (datetime(2030, 1, 12, 0, 30, tzinfo=UTC), {"windows": [{"days": ["fri"], "from": "22:00", "until": "01:00"}]},
         Orderability(True, datetime(2030, 1, 12, 1, tzinfo=UTC))),
        (datetime(2030, 1, 11, 0, 30, tzinfo=UTC), {"windows": [{"days": ["fri"], "from": "22:00", "until": "01:00"}]},
         Orderability(False, datetime(2030, 1, 11, 22, tzinfo=UTC))),
        # Clocks go back on October 27th 2030 at 02:00: the hour from one to two is there twice.
        (datetime(2030, 10, 27, 1, 30, tzinfo=UTC), {"windows": [{"from": "23:00", "until": "02:00"}]},
         Orderability(True, datetime(2030, 10, 27, 2, tzinfo=UTC))),
        # They go forward on March 31st 2030 at 01:00: a window of that hour is not there.
        (datetime(2030, 3, 31, 0, 59, tzinfo=UTC), {"windows": [{"from": "01:00", "until": "02:00"}]},
         Orderability(False, datetime(2030, 4, 1, 0, tzinfo=UTC))),
        # The end comes within a window.
        (MONDAY, {"windows": [{"from": "08:00", "until": "12:00"}], "ends_at": MONDAY + timedelta(minutes=5)},
         Orderability(True, MONDAY + timedelta(minutes=5))),
    ],
)  # fmt: skip
def test_promotion_is_on_by_windows_and_period(moment, terms, period):
    assert find_period(moment, **terms) == period


def test_windows_are_those_of_the_time_zone_of_the_store():
    windows = [{"from": "17:00", "until": "19:00"}]

    assert find_period(MONDAY, ZoneInfo("Asia/Tokyo"), windows=windows).is_orderable
    assert not find_period(MONDAY, windows=windows).is_orderable
