import json
from collections.abc import Callable
from dataclasses import asdict, replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from comanda.basics.money import to_decimal_string
from comanda.orders.drafts.pricing import (
    ChargeInput,
    LineInput,
    OrderDiscount,
    PricingTerms,
    Quote,
    allocate,
    calculate_charge_tax,
    price_order,
)
from hypothesis import given
from hypothesis import strategies as st

HERE = Path(__file__).parent
VECTORS: list[dict[str, Any]] = json.loads((HERE / "pricing_vectors.json").read_text())["vectors"]
PAGE = HERE.parents[3] / "core/src/comanda/web/docs/pricing.md"

AMOUNTS = st.integers(0, 300) | st.integers(0, 10**9)
RATES = st.sampled_from([0, 1, 100, 25_000, 70_000, 82_500, 88_750, 190_000, 1_000_000, 3_000_000])
LINES = st.builds(
    LineInput,
    unit_price_minor=AMOUNTS,
    quantity=st.integers(0, 30),
    tax_rate_ppm=RATES,
    discount_minor=st.just(0) | AMOUNTS,
)
ORDERS = st.lists(LINES, max_size=8)
COUPONS = st.builds(OrderDiscount, amount_minor=AMOUNTS)
ELIGIBLE = st.sampled_from([None, frozenset(), frozenset({0}), frozenset({1, 2, 5})])
DISCOUNTS = st.builds(OrderDiscount, amount_minor=AMOUNTS, lines=ELIGIBLE)
CHARGES = st.builds(ChargeInput, amount_minor=AMOUNTS, tax_rate_ppm=st.none() | RATES)
TERMS = st.builds(
    PricingTerms,
    is_tax_included=st.booleans(),
    order_discounts=st.lists(DISCOUNTS, max_size=2).map(tuple),
    service_charge_ppm=st.sampled_from([0, 1, 100_000, 125_000, 2_000_000]),
    service_charge_minor=st.just(0) | AMOUNTS,
    service_charge_tax_rate_ppm=st.none() | RATES,
    delivery_fee_minor=st.just(0) | AMOUNTS,
    delivery_tax_rate_ppm=st.none() | RATES,
    charges=st.lists(CHARGES, max_size=3).map(tuple),
    tip_minor=st.just(0) | AMOUNTS,
)


def order_figures(quote: Quote) -> Quote:
    return replace(quote, lines=())


def to_terms(given: dict[str, Any]) -> PricingTerms:
    discounts = [
        OrderDiscount(each["amount_minor"], frozenset(each["lines"]) if "lines" in each else None)
        for each in given.get("order_discounts", ())
    ]
    charges = [ChargeInput(**each) for each in given.get("charges", ())]
    return PricingTerms(**{**given, "order_discounts": tuple(discounts), "charges": tuple(charges)})


# The published vectors


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["name"])
def test_a_published_vector_prices_to_every_figure(vector: dict[str, Any]) -> None:
    quote = price_order([LineInput(**line) for line in vector["lines"]], to_terms(vector["terms"]))

    assert json.loads(json.dumps(asdict(quote))) == vector["expected"]
    assert to_decimal_string(quote.total_minor, vector["currency"]) == vector["total"]


def test_the_page_lists_every_vector_with_its_total() -> None:
    rows = [[cell.strip() for cell in row.split("|")[1:-1]] for row in PAGE.read_text().splitlines() if "|" in row]
    listed = [(row[0].strip("`"), row[2]) for row in rows if row[0].startswith("`")]

    assert listed == [(vector["name"], f"{vector['total']} {vector['currency']}") for vector in VECTORS]


# A second implementation: slow, in fractions, straight from the page


def nearest(value: Fraction) -> int:
    whole = value.numerator // value.denominator
    return whole + (value - whole >= Fraction(1, 2))


def by_largest_remainder(amount: int, weights: list[int], ranks: list[int]) -> list[int]:
    """Hand out units one at a time, each to the part furthest below its exact share; ``ranks`` settles ties."""
    exact = [Fraction(amount * weight, sum(weights) or 1) for weight in weights]
    shares = [int(part) for part in exact]
    while sum(shares) < amount:
        neediest = min(range(len(weights)), key=lambda i: (shares[i] - exact[i], ranks[i], i))
        shares[neediest] += 1
    return shares


def figures_by_the_page(lines: list[LineInput], terms: PricingTerms) -> dict[str, object]:
    gross = [line.unit_price_minor * line.quantity for line in lines]
    own = [min(line.discount_minor, amount) for line, amount in zip(lines, gross, strict=True)]
    shares = [0] * len(lines)
    for discount in terms.order_discounts:
        eligible = [
            gross[i] - own[i] - shares[i] if discount.lines is None or i in discount.lines else 0
            for i in range(len(lines))
        ]
        given_discount = min(discount.amount_minor, sum(eligible))
        more = by_largest_remainder(given_discount, eligible, [-line.tax_rate_ppm for line in lines])
        shares = [sum(pair) for pair in zip(shares, more, strict=True)]
    net = [g - d - s for g, d, s in zip(gross, own, shares, strict=True)]
    service = nearest(Fraction(sum(net) * terms.service_charge_ppm, 1_000_000)) + terms.service_charge_minor

    parts = [(amount, line.tax_rate_ppm) for amount, line in zip(net, lines, strict=True)]
    parts += [(service, terms.service_charge_tax_rate_ppm or 0)]
    parts += [(terms.delivery_fee_minor, terms.delivery_tax_rate_ppm or 0)]
    parts += [(charge.amount_minor, charge.tax_rate_ppm or 0) for charge in terms.charges]
    tax = [0] * len(parts)
    for rate in {rate for _, rate in parts}:
        weights = [amount if its_rate == rate else 0 for amount, its_rate in parts]
        fraction = Fraction(rate, 1_000_000)
        share = fraction / (1 + fraction) if terms.is_tax_included else fraction
        group = by_largest_remainder(nearest(sum(weights) * share), weights, [0] * len(parts))
        tax = [sum(pair) for pair in zip(tax, group, strict=True)]

    added = [0] * len(parts) if terms.is_tax_included else tax
    charges = sum(charge.amount_minor for charge in terms.charges)
    due = sum(net) + service + terms.delivery_fee_minor + charges + sum(added) + terms.tip_minor
    at = len(lines)
    return {
        "lines": [
            (gross[i], own[i] + shares[i], tax[i], gross[i] - own[i] - shares[i] + added[i]) for i in range(len(lines))
        ],
        "charges": (service, tax[at], terms.delivery_fee_minor, tax[at + 1]),
        "others": [(charge.amount_minor, tax[at + 2 + i]) for i, charge in enumerate(terms.charges)],
        "total": due,
    }


@given(ORDERS, TERMS)
def test_every_order_prices_as_the_page_says(lines: list[LineInput], terms: PricingTerms) -> None:
    quote = price_order(lines, terms)

    assert {
        "lines": [(line.gross_minor, line.discount_minor, line.tax_minor, line.total_minor) for line in quote.lines],
        "charges": (
            quote.service_charge_minor,
            quote.service_charge_tax_minor,
            quote.delivery_fee_minor,
            quote.delivery_tax_minor,
        ),
        "others": [(charge.amount_minor, charge.tax_minor) for charge in quote.charges],
        "total": quote.total_minor,
    } == figures_by_the_page(lines, terms)


# What holds for every order


@given(ORDERS, TERMS)
def test_figures_add_up_to_the_total(lines: list[LineInput], terms: PricingTerms) -> None:
    quote = price_order(lines, terms)

    added_tax = 0 if quote.is_tax_included else quote.tax_total_minor
    assert quote.total_minor == (
        quote.subtotal_minor
        - quote.discount_total_minor
        + quote.service_charge_minor
        + quote.delivery_fee_minor
        + sum(charge.amount_minor for charge in quote.charges)
        + added_tax
        + quote.tip_minor
    )


@given(ORDERS, TERMS)
def test_tax_table_adds_up_to_the_total(lines: list[LineInput], terms: PricingTerms) -> None:
    quote = price_order(lines, terms)
    rows = quote.tax_rows

    assert sum(row.gross_minor for row in rows) == quote.total_minor - quote.tip_minor
    assert sum(row.tax_minor for row in rows) == quote.tax_total_minor
    assert [row.rate_ppm for row in rows] == sorted({row.rate_ppm for row in rows})


@given(ORDERS, TERMS)
def test_the_lines_add_up_to_the_order(lines: list[LineInput], terms: PricingTerms) -> None:
    quote = price_order(lines, terms)

    charge_tax = quote.service_charge_tax_minor + quote.delivery_tax_minor
    charge_tax += sum(charge.tax_minor for charge in quote.charges)
    assert sum(line.gross_minor for line in quote.lines) == quote.subtotal_minor
    assert sum(line.discount_minor for line in quote.lines) == quote.discount_total_minor
    assert sum(line.tax_minor for line in quote.lines) + charge_tax == quote.tax_total_minor
    assert sum(group.tax_minor for group in quote.taxes) == quote.tax_total_minor
    assert sum(line.total_minor for line in quote.lines) == (
        quote.total_minor
        - quote.service_charge_minor
        - quote.delivery_fee_minor
        - sum(charge.amount_minor for charge in quote.charges)
        - (0 if quote.is_tax_included else charge_tax)
        - quote.tip_minor
    )


@given(ORDERS, TERMS)
def test_no_figure_is_negative(lines: list[LineInput], terms: PricingTerms) -> None:
    quote = price_order(lines, terms)

    figures = asdict(order_figures(quote))
    groups = figures.pop("taxes") + figures.pop("charges")
    assert all(value >= 0 for record in (figures, *groups) for key, value in record.items() if key != "lines")
    assert all(value >= 0 for line in quote.lines for value in asdict(line).values())
    assert all(line.discount_minor <= line.gross_minor for line in quote.lines)


@given(
    ORDERS.flatmap(lambda lines: st.tuples(st.just(lines), st.permutations(lines))),
    TERMS,
    st.lists(COUPONS, max_size=1),
)
def test_line_order_changes_no_figure(
    sequences: tuple[list[LineInput], list[LineInput]], terms: PricingTerms, coupons: list[OrderDiscount]
) -> None:
    terms = replace(terms, order_discounts=tuple(coupons))
    one, other = (order_figures(price_order(lines, terms)) for lines in sequences)

    assert one == other


@given(ORDERS, TERMS)
def test_a_coupon_never_raises_the_total(lines: list[LineInput], terms: PricingTerms) -> None:
    without = price_order(lines, replace(terms, order_discounts=()))

    assert price_order(lines, terms).total_minor <= without.total_minor


@given(ORDERS, TERMS, RATES, AMOUNTS)
def test_larger_coupon_never_costs_more_at_one_rate(
    lines: list[LineInput], terms: PricingTerms, rate: int, more: int
) -> None:
    same_rate = [replace(line, tax_rate_ppm=rate) for line in lines]
    small = replace(terms, order_discounts=(OrderDiscount(more // 2),))
    large = replace(terms, order_discounts=(OrderDiscount(more),))

    assert price_order(same_rate, large).total_minor <= price_order(same_rate, small).total_minor


@given(ORDERS, TERMS)
def test_included_tax_never_changes_what_the_guest_pays(lines: list[LineInput], terms: PricingTerms) -> None:
    included = replace(terms, is_tax_included=True)
    untaxed = replace(
        included,
        service_charge_tax_rate_ppm=None,
        delivery_tax_rate_ppm=None,
        charges=tuple(ChargeInput(charge.amount_minor) for charge in included.charges),
    )

    taxed_quote = price_order(lines, included)
    untaxed_quote = price_order([replace(line, tax_rate_ppm=0) for line in lines], untaxed)

    assert taxed_quote.total_minor == untaxed_quote.total_minor


# Allocate and what it refuses


@pytest.mark.parametrize(
    ("amount", "weights", "shares"),
    [
        (1000, [1, 1, 1], [334, 333, 333]),
        (2, [1, 1, 1], [1, 1, 0]),
        (10, [6, 3, 1], [6, 3, 1]),
        (10, [1, 5, 1], [2, 7, 1]),
        (1, [0, 3, 3], [0, 1, 0]),
        (7, [5], [7]),
        (0, [0, 0], [0, 0]),
        (0, [], []),
    ],
)
def test_an_amount_is_split_by_largest_remainder(amount: int, weights: list[int], shares: list[int]) -> None:
    assert allocate(amount, weights) == shares


@given(st.integers(0, 10**12), st.lists(AMOUNTS, min_size=1).filter(any))
def test_every_share_is_within_one_unit_of_exact(amount: int, weights: list[int]) -> None:
    shares = allocate(amount, weights)

    assert sum(shares) == amount
    for share, weight in zip(shares, weights, strict=True):
        assert abs(share - Fraction(amount * weight, sum(weights))) < 1
        assert share == 0 or weight > 0
        assert share <= weight or amount > sum(weights)


@pytest.mark.parametrize(("amount", "weights"), [(-1, [1]), (1, [2, -1]), (1, []), (1, [0, 0])])
def test_an_amount_that_cannot_be_split_is_refused(amount: int, weights: list[int]) -> None:
    with pytest.raises(ValueError, match=r"negative|no weight"):
        allocate(amount, weights)


@pytest.mark.parametrize("field", ["unit_price_minor", "quantity", "tax_rate_ppm", "discount_minor"])
def test_a_line_with_a_negative_figure_is_refused(field: str) -> None:
    figures: dict[str, Any] = {"unit_price_minor": 100, "quantity": 1} | {field: -1}

    with pytest.raises(ValueError, match="no negative figures"):
        LineInput(**figures)


NUMBERS = [name for name in PricingTerms.__slots__ if name not in {"is_tax_included", "order_discounts", "charges"}]


@pytest.mark.parametrize("field", NUMBERS)
def test_terms_with_a_negative_figure_are_refused(field: str) -> None:
    figures: dict[str, Any] = {"is_tax_included": False, field: -1}

    with pytest.raises(ValueError, match="no negative figures"):
        PricingTerms(**figures)


@pytest.mark.parametrize("build", [OrderDiscount, ChargeInput, lambda amount: ChargeInput(1, amount)])
def test_negative_discounts_and_charges_are_refused(build: Callable[[int], object]) -> None:
    with pytest.raises(ValueError, match="no negative figures"):
        build(-1)


@pytest.mark.parametrize(
    ("rate", "is_included", "tax"), [(190_000, True, 160), (190_000, False, 190), (None, False, 0), (75_000, False, 75)]
)
def test_tax_of_a_later_charge_is_rounded_alone(rate: int | None, is_included: bool, tax: int) -> None:
    assert calculate_charge_tax(ChargeInput(1000, rate), is_tax_included=is_included) == tax
