"""Pricing of orders: the published algorithm of the chapter ``pricing``, a pure function over integer minor units.

Store rules, coupons and menus are resolved before; here are only numbers, with rates in parts per million. Each step
rounds at most once, half-up.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from comanda.money import round_half_up
from comanda.rates import PPM_OF_WHOLE


@dataclass(frozen=True, slots=True)
class LineInput:
    """A line to price. Raises ``ValueError`` for negative values."""

    unit_price_minor: int
    """The item's price, or its variation's, with extras added."""
    quantity: int
    tax_rate_ppm: int = 0
    discount_minor: int = 0
    """The line's own discount, limited to the line's price."""
    is_discountable: bool = True
    """Whether the order discount applies to this line."""

    def __post_init__(self) -> None:
        if self.unit_price_minor < 0 or self.quantity < 0 or self.tax_rate_ppm < 0 or self.discount_minor < 0:
            raise ValueError(f"a line has no negative figures: {self}")


@dataclass(frozen=True, slots=True)
class PricingTerms:
    """Terms of the whole order. Raises ``ValueError`` for negative values."""

    is_tax_included: bool
    """Whether prices and fees include tax; otherwise it is added."""
    order_discount_minor: int = 0
    """The value of the coupon, limited to the eligible lines."""
    service_charge_ppm: int = 0
    service_charge_minor: int = 0
    """A fixed charge, in addition to the percentage."""
    service_charge_tax_rate_ppm: int | None = None
    """None: the service charge is not taxed."""
    delivery_fee_minor: int = 0
    delivery_tax_rate_ppm: int | None = None
    """None: the delivery fee is not taxed."""
    tip_minor: int = 0

    def __post_init__(self) -> None:
        if (
            self.order_discount_minor < 0
            or self.service_charge_ppm < 0
            or self.service_charge_minor < 0
            or (self.service_charge_tax_rate_ppm or 0) < 0
            or self.delivery_fee_minor < 0
            or (self.delivery_tax_rate_ppm or 0) < 0
            or self.tip_minor < 0
        ):
            raise ValueError(f"terms have no negative figures: {self}")


@dataclass(frozen=True, slots=True)
class PricedLine:
    """A priced line."""

    gross_minor: int
    discount_minor: int
    """The line's own discount and its share of the order discount."""
    tax_minor: int
    total_minor: int
    """Gross less discount, plus tax if it is not included."""


@dataclass(frozen=True, slots=True)
class TaxGroup:
    """The tax at one rate over lines and taxed charges, as listed on a receipt."""

    rate_ppm: int
    taxable_minor: int
    """The discounted amounts at this rate, including tax if prices include it."""
    tax_minor: int


@dataclass(frozen=True, slots=True)
class Quote:
    """A priced order; see ``price_order`` for how its figures add up."""

    lines: tuple[PricedLine, ...]
    is_tax_included: bool
    subtotal_minor: int
    order_discount_minor: int
    """The applied order discount, which is part of ``discount_total_minor``."""
    discount_total_minor: int
    service_charge_minor: int
    service_charge_tax_minor: int
    delivery_fee_minor: int
    delivery_tax_minor: int
    taxes: tuple[TaxGroup, ...]
    """One group for each rate above zero, lowest rate first."""
    tax_total_minor: int
    tip_minor: int
    total_minor: int


def price_order(lines: Sequence[LineInput], terms: PricingTerms) -> Quote:
    """Price an order.

    These hold for every quote, with all figures at least zero:

    - total = subtotal - discount_total + service_charge + delivery_fee + (tax_total unless included) + tip
    - subtotal, discount_total = the sums of the lines' gross and discount; no line's discount exceeds its gross
    - tax_total = the lines' tax + service_charge_tax + delivery_tax = the sum over ``taxes``
    - a line's total = gross - discount + (tax unless included)
    - the order of the lines changes no figure; an order discount never raises the total; included tax never changes the
      total
    """
    gross = [line.unit_price_minor * line.quantity for line in lines]
    discounts = [min(line.discount_minor, amount) for line, amount in zip(lines, gross, strict=True)]
    order_discount = 0
    if terms.order_discount_minor:
        order_discount = _spread_discount(terms.order_discount_minor, lines, gross, discounts)
    subtotal = sum(gross)
    discount_total = sum(discounts)
    discounted = subtotal - discount_total

    service_charge = terms.service_charge_minor
    if terms.service_charge_ppm:
        service_charge += round_half_up(discounted * terms.service_charge_ppm, PPM_OF_WHOLE)
    delivery_fee = terms.delivery_fee_minor

    # The two charges come after the lines and share rate groups with them.
    rates = [line.tax_rate_ppm for line in lines]
    rates += (terms.service_charge_tax_rate_ppm or 0, terms.delivery_tax_rate_ppm or 0)
    tax = [0] * len(rates)
    taxes: tuple[TaxGroup, ...] = ()
    if any(rates):
        taxable = [amount - discount for amount, discount in zip(gross, discounts, strict=True)]
        taxable += (service_charge, delivery_fee)
        taxes = _spread_tax(tax, taxable, rates, is_tax_included=terms.is_tax_included)
    tax_total = sum(tax)
    added = 0 if terms.is_tax_included else 1

    total = discounted + service_charge + delivery_fee + added * tax_total + terms.tip_minor
    return Quote(
        lines=tuple(
            [
                PricedLine(gross[i], discounts[i], tax[i], gross[i] - discounts[i] + added * tax[i])
                for i in range(len(gross))
            ]
        ),
        is_tax_included=terms.is_tax_included,
        subtotal_minor=subtotal,
        order_discount_minor=order_discount,
        discount_total_minor=discount_total,
        service_charge_minor=service_charge,
        service_charge_tax_minor=tax[-2],
        delivery_fee_minor=delivery_fee,
        delivery_tax_minor=tax[-1],
        taxes=taxes,
        tax_total_minor=tax_total,
        tip_minor=terms.tip_minor,
        total_minor=total,
    )


def allocate(amount: int, weights: Sequence[int]) -> list[int]:
    """Split an amount in proportion to weights by largest remainder; equal remainders go in order of position.

    The shares sum to ``amount``; a weight of zero gets nothing; no share exceeds its weight while ``amount`` is within
    their sum. Raises ``ValueError`` for negative values, and for an amount if all weights are zero.
    """
    if amount < 0 or min(weights, default=0) < 0:
        raise ValueError("neither the amount nor a weight may be negative")
    if not amount:
        return [0] * len(weights)
    whole = sum(weights)
    if not whole:
        raise ValueError(f"no weight to allocate {amount} to")
    shares = [amount * weight // whole for weight in weights]
    if left := amount - sum(shares):
        remainders = [amount * weight % whole for weight in weights]
        # A reversed sort is stable, so the earlier of two equals comes first.
        for position in sorted(range(len(weights)), key=remainders.__getitem__, reverse=True)[:left]:
            shares[position] += 1
    return shares


def _spread_discount(amount: int, lines: Sequence[LineInput], gross: list[int], discounts: list[int]) -> int:
    """Add each eligible line's share to ``discounts`` and return the part of ``amount`` that was applied."""
    # Lines that tie for the last cent may have different tax rates, and the total must not depend on their order: the
    # higher rate wins the tie, and only lines of the same rate go by position.
    order = sorted(range(len(lines)), key=lambda i: lines[i].tax_rate_ppm, reverse=True)
    weights = [gross[i] - discounts[i] if lines[i].is_discountable else 0 for i in order]
    given = min(amount, sum(weights))
    for i, share in zip(order, allocate(given, weights), strict=True):
        discounts[i] += share
    return given


def _spread_tax(tax: list[int], taxable: list[int], rates: list[int], *, is_tax_included: bool) -> tuple[TaxGroup, ...]:
    """Round the tax of each rate once and write each part's share into ``tax``."""
    members: dict[int, list[int]] = {}
    for i, rate in enumerate(rates):
        if rate:
            members.setdefault(rate, []).append(i)
    groups = []
    for rate in sorted(members):
        weights = [taxable[i] for i in members[rate]]
        base = sum(weights)
        group_tax = round_half_up(base * rate, PPM_OF_WHOLE + rate if is_tax_included else PPM_OF_WHOLE)
        for i, share in zip(members[rate], allocate(group_tax, weights), strict=True):
            tax[i] = share
        groups.append(TaxGroup(rate, base, group_tax))
    return tuple(groups)
