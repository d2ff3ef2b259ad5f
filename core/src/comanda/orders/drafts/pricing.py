"""Pricing of orders: the published algorithm of the chapter ``pricing``, a pure function over integer minor units.

Store rules, coupons and menus are resolved before; here are only numbers, with rates in parts per million. Each step
rounds at most once, half-up.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from comanda.basics.money import round_half_up
from comanda.basics.rates import PPM_OF_WHOLE


@dataclass(frozen=True, slots=True)
class LineInput:
    """A line to price. Raises ``ValueError`` for negative values."""

    unit_price_minor: int
    """The item's price, or its variation's, with extras added."""
    quantity: int
    tax_rate_ppm: int = 0
    discount_minor: int = 0
    """The line's own discount, limited to the line's price."""

    def __post_init__(self) -> None:
        if self.unit_price_minor < 0 or self.quantity < 0 or self.tax_rate_ppm < 0 or self.discount_minor < 0:
            raise ValueError(f"a line has no negative figures: {self}")


@dataclass(frozen=True, slots=True)
class OrderDiscount:
    """A discount on several lines, such as a coupon. Raises ``ValueError`` for a negative amount."""

    amount_minor: int
    """Its value, limited to what is left of the eligible lines' prices."""
    lines: frozenset[int] | None = None
    """The eligible lines, counted from 0; None is all of them."""

    def __post_init__(self) -> None:
        if self.amount_minor < 0:
            raise ValueError(f"a discount has no negative figures: {self}")


@dataclass(frozen=True, slots=True)
class ChargeInput:
    """A charge besides the service charge and the delivery fee. Raises ``ValueError`` for negative values."""

    amount_minor: int
    tax_rate_ppm: int | None = None
    """None: the charge is not taxed."""

    def __post_init__(self) -> None:
        if self.amount_minor < 0 or (self.tax_rate_ppm or 0) < 0:
            raise ValueError(f"a charge has no negative figures: {self}")


@dataclass(frozen=True, slots=True)
class PricingTerms:
    """Terms of the whole order. Raises ``ValueError`` for negative values."""

    is_tax_included: bool
    """Whether prices and fees include tax; otherwise it is added."""
    order_discounts: tuple[OrderDiscount, ...] = ()
    """Applied one after the other, each to what those before have left."""
    service_charge_ppm: int = 0
    service_charge_minor: int = 0
    """A fixed charge, in addition to the percentage."""
    service_charge_tax_rate_ppm: int | None = None
    """None: the service charge is not taxed."""
    delivery_fee_minor: int = 0
    delivery_tax_rate_ppm: int | None = None
    """None: the delivery fee is not taxed."""
    charges: tuple[ChargeInput, ...] = ()
    tip_minor: int = 0

    def __post_init__(self) -> None:
        if (
            self.service_charge_ppm < 0
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
    """The line's own discount and its shares of the order discounts."""
    tax_minor: int
    total_minor: int
    """Gross less discount, plus tax if it is not included."""

    def __add__(self, other: "PricedLine") -> "PricedLine":
        """Return the sum of two lines."""
        return PricedLine(
            self.gross_minor + other.gross_minor,
            self.discount_minor + other.discount_minor,
            self.tax_minor + other.tax_minor,
            self.total_minor + other.total_minor,
        )


@dataclass(frozen=True, slots=True)
class PricedCharge:
    """A priced charge."""

    amount_minor: int
    tax_minor: int


@dataclass(frozen=True, slots=True)
class TaxGroup:
    """The tax at one rate over lines and taxed charges, as listed on a receipt."""

    rate_ppm: int
    taxable_minor: int
    """The discounted amounts at this rate, including tax if prices include it."""
    tax_minor: int


@dataclass(frozen=True, slots=True)
class TaxRow:
    """A row of an order's tax table: what it costs at one rate."""

    rate_ppm: int
    net_minor: int
    tax_minor: int

    @property
    def gross_minor(self) -> int:
        """Net and tax."""
        return self.net_minor + self.tax_minor


@dataclass(frozen=True, slots=True)
class Quote:
    """A priced order; see ``price_order`` for how its figures add up."""

    lines: tuple[PricedLine, ...]
    is_tax_included: bool
    subtotal_minor: int
    order_discount_minor: int
    """What was applied of the order discounts, which is part of ``discount_total_minor``."""
    discount_total_minor: int
    service_charge_minor: int
    service_charge_tax_minor: int
    delivery_fee_minor: int
    delivery_tax_minor: int
    charges: tuple[PricedCharge, ...]
    taxes: tuple[TaxGroup, ...]
    """One group for each rate above zero, lowest rate first."""
    tax_total_minor: int
    tip_minor: int
    total_minor: int

    @property
    def tax_rows(self) -> list[TaxRow]:
        """The tax table."""
        return list_tax_rows(self.taxes, self.total_minor - self.tip_minor, is_tax_included=self.is_tax_included)


def price_order(lines: Sequence[LineInput], terms: PricingTerms) -> Quote:
    """Price an order.

    These hold for every quote, with all figures at least zero:

    - total = subtotal - discount_total + service_charge + delivery_fee + the charges' amounts
      + (tax_total unless included) + tip
    - subtotal, discount_total = the sums of the lines' gross and discount; no line's discount exceeds its gross
    - tax_total = the lines' tax + service_charge_tax + delivery_tax + the charges' tax = the sum over ``taxes``
    - a line's total = gross - discount + (tax unless included)
    - the order of the lines changes no figure; an order discount never raises the total; included tax never changes the
      total
    """
    gross = [line.unit_price_minor * line.quantity for line in lines]
    discounts = [min(line.discount_minor, amount) for line, amount in zip(lines, gross, strict=True)]
    order_discount = sum([_spread_discount(discount, lines, gross, discounts) for discount in terms.order_discounts])
    subtotal = sum(gross)
    discount_total = sum(discounts)
    discounted = subtotal - discount_total

    service_charge = terms.service_charge_minor
    if terms.service_charge_ppm:
        service_charge += round_half_up(discounted * terms.service_charge_ppm, PPM_OF_WHOLE)
    delivery_fee, charges = terms.delivery_fee_minor, terms.charges

    # All charges come after the lines and share rate groups with them.
    rates = [line.tax_rate_ppm for line in lines]
    rates += (terms.service_charge_tax_rate_ppm or 0, terms.delivery_tax_rate_ppm or 0)
    rates += [charge.tax_rate_ppm or 0 for charge in charges]
    tax = [0] * len(rates)
    taxes: tuple[TaxGroup, ...] = ()
    if any(rates):
        taxable = [amount - discount for amount, discount in zip(gross, discounts, strict=True)]
        taxable += (service_charge, delivery_fee)
        taxable += [charge.amount_minor for charge in charges]
        taxes = _spread_tax(tax, taxable, rates, is_tax_included=terms.is_tax_included)
    tax_total = sum(tax)
    added = 0 if terms.is_tax_included else 1

    total = discounted + service_charge + delivery_fee + added * tax_total + terms.tip_minor
    total += sum([charge.amount_minor for charge in charges])
    service_at = len(lines)
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
        service_charge_tax_minor=tax[service_at],
        delivery_fee_minor=delivery_fee,
        delivery_tax_minor=tax[service_at + 1],
        charges=tuple([PricedCharge(charge.amount_minor, tax[service_at + 2 + i]) for i, charge in enumerate(charges)]),
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


def calculate_charge_tax(charge: ChargeInput, *, is_tax_included: bool) -> int:
    """Return the tax of a charge that is added to an order after it was placed: it is rounded for itself."""
    rate = charge.tax_rate_ppm or 0
    return round_half_up(charge.amount_minor * rate, PPM_OF_WHOLE + rate if is_tax_included else PPM_OF_WHOLE)


def list_tax_rows(taxes: Sequence[TaxGroup], gross_minor: int, *, is_tax_included: bool) -> list[TaxRow]:
    """Return the tax table of an order that costs ``gross_minor`` without its tip, lowest rate first.

    What no group has taxed is a row of rate 0, so that the rows' gross amounts add up.
    """
    rows = [
        TaxRow(each.rate_ppm, each.taxable_minor - (each.tax_minor if is_tax_included else 0), each.tax_minor)
        for each in taxes
    ]
    untaxed_minor = gross_minor - sum(row.gross_minor for row in rows)
    return [TaxRow(0, untaxed_minor, 0), *rows] if untaxed_minor else rows


def merge_taxes(*groups: TaxGroup) -> tuple[TaxGroup, ...]:
    """Return one group for each rate above zero, lowest rate first, with the sums of the groups given."""
    sums: dict[int, TaxGroup] = {}
    for group in groups:
        known = sums.get(group.rate_ppm, TaxGroup(group.rate_ppm, 0, 0))
        sums[group.rate_ppm] = TaxGroup(
            group.rate_ppm, known.taxable_minor + group.taxable_minor, known.tax_minor + group.tax_minor
        )
    return tuple(sums[rate] for rate in sorted(sums) if rate)


def _spread_discount(
    discount: OrderDiscount, lines: Sequence[LineInput], gross: list[int], discounts: list[int]
) -> int:
    """Add each eligible line's share to ``discounts`` and return the part of the amount that was applied."""
    # Lines that tie for the last cent may have different tax rates, and the total must not depend on their order: the
    # higher rate wins the tie, and only lines of the same rate go by position.
    order = sorted(range(len(lines)), key=lambda i: lines[i].tax_rate_ppm, reverse=True)
    eligible = discount.lines
    weights = [gross[i] - discounts[i] if eligible is None or i in eligible else 0 for i in order]
    given = min(discount.amount_minor, sum(weights))
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
