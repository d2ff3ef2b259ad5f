"""The combination of what the store and plugins contribute to an order. A pure function, but for the log of a conflict.

The store's service charge, coupons and the delivery fee come this way like everything else.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, Final

import orjson

from comanda.contracts.orders.charges import DELIVERY_FEE, SERVICE_CHARGE, Charge, Discount, LinePrice, OrderPromotion
from comanda.contracts.orders.participants import (
    NOTHING,
    Contribution,
    DraftLine,
    OrderRequest,
    Reservation,
    StoreParticipant,
    StoreTerms,
)
from comanda.orders.drafts import pricing
from comanda.orders.participant_calls import CORE, PluginConflict, call_step, check_answer, fail

# Whose the time of the order is; no attribute may have this name, which is a field of core's.
TIME: Final = "scheduled_for"


@dataclass(frozen=True, slots=True)
class CombinedContributions:
    """What all participants contribute to one order. ``sources`` are the plugins that set an attribute or the time.

    ``service_charge`` and ``delivery_fee`` are the charges of plugins with these codes, ``charges`` are all others.
    """

    charges: tuple[Charge, ...] = ()
    service_charge: Charge | None = None
    delivery_fee: Charge | None = None
    discounts: tuple[Discount, ...] = ()
    coupon_code: str | None = None
    promotions: tuple[OrderPromotion, ...] = ()
    scheduled_for: datetime | None = None
    attributes: Mapping[str, Any] = field(default_factory=lambda: NOTHING)
    sources: Mapping[str, str] = field(default_factory=lambda: NOTHING)


def price_lines(request: OrderRequest, parts: Sequence[StoreParticipant]) -> OrderRequest:
    """Return the request with the prices that participants give to its lines.

    Raises ``ParticipantFailed``, and ``PluginConflict`` if two of them price the same line.
    """
    prices: dict[int, LinePrice] = {}
    sources: dict[int, str] = {}
    standing = _list_standing(request)
    for part in parts:
        if part.participant.price is None:
            continue
        answer = call_step(part, part.participant.price, request, part.loaded)
        known = {line.position for line in request.lines}
        for position, price in check_answer(part, answer, Mapping, "price").items():
            if position not in known:
                fail(part, f"price names the line {position!r}, which the request does not have")
            check_answer(part, price, LinePrice, "price")
            if position in standing:
                continue
            if position in sources:
                raise PluginConflict(sources[position], part.plugin, f"the price of line {position + 1}")
            prices[position], sources[position] = price, part.plugin
    if not prices:
        return request
    return replace(request, lines=tuple(_set_price(line, prices.get(line.position)) for line in request.lines))


def _list_standing(request: OrderRequest) -> set[int]:
    """Return the positions of the lines that an amended order has had before; they keep their prices."""
    if request.amends is None:
        return set()
    pairs = zip(request.lines, request.amends.line_ids, strict=True)
    return {line.position for line, line_id in pairs if line_id is not None}


def _set_price(line: DraftLine, price: LinePrice | None) -> DraftLine:
    return line if price is None else replace(line, unit_price_minor=price.unit_price_minor, price_label=price.label)


def combine_contributions(
    request: OrderRequest,
    contributions: Sequence[tuple[StoreParticipant, Contribution]],
    field_sources: Mapping[str, str],
) -> CombinedContributions:
    """Combine what participants contribute. ``field_sources`` are the plugins of participants' fields.

    Raises ``PluginConflict`` if two of them set the same, and ``ParticipantFailed`` for what does not fit the request.
    """
    if not contributions:
        return CombinedContributions(attributes=request.fields)
    combined = _Combination(dict(request.fields), dict(field_sources))
    if has_service_charge(request.terms, request.body.type):
        combined.charges[SERVICE_CHARGE] = (CORE, None)
    positions = {line.position for line in request.lines}
    for part, contribution in contributions:
        combined.add_prices(part, contribution, positions)
        combined.promotions += contribution.promotions
        combined.add_extras(part, contribution.attributes, contribution.scheduled_for)
        for name in contribution.omitted_fields:
            if field_sources.get(name, part.plugin) != part.plugin:
                fail(part, f"omitted_fields names {name!r}, which is not one of its fields")
            combined.attributes.pop(name, None)
    return combined.to_contributions()


def add_reservation(
    combined: CombinedContributions, part: StoreParticipant, reservation: Reservation
) -> CombinedContributions:
    """Return the contributions with what a reservation settles. Raises ``PluginConflict``."""
    if not reservation.attributes and reservation.scheduled_for is None:
        return combined
    added = _Combination(dict(combined.attributes), dict(combined.sources), combined.scheduled_for)
    added.add_extras(part, reservation.attributes, reservation.scheduled_for)
    return replace(combined, attributes=added.attributes, sources=added.sources, scheduled_for=added.scheduled_for)


def has_service_charge(terms: StoreTerms, mode: str) -> bool:
    """Return whether the store's settings add a service charge to orders of a mode."""
    return mode in terms.service_charge_modes and bool(terms.service_charge_ppm or terms.service_charge_minor)


def price_request(request: OrderRequest, combined: CombinedContributions, tip_minor: int) -> pricing.Quote:
    """Price a request with what is contributed to it."""
    terms, mode = request.terms, request.body.type
    delivery, discounts = combined.delivery_fee, combined.discounts
    default_rate = terms.mode_tax_rates.get(mode, terms.tax_rate_ppm)
    if (service := combined.service_charge) is not None:
        service_ppm, service_minor, service_rate = 0, service.amount_minor, service.tax_rate_ppm
    else:
        is_charged = mode in terms.service_charge_modes
        service_ppm = terms.service_charge_ppm if is_charged else 0
        service_minor = terms.service_charge_minor if is_charged else 0
        service_rate = default_rate if terms.is_service_charge_taxed else None
    return pricing.price_order(
        [pricing.LineInput(line.unit_price_minor, line.quantity, line.tax_rate_ppm) for line in request.lines],
        pricing.PricingTerms(
            is_tax_included=terms.is_tax_included,
            order_discounts=tuple(_to_order_discount(discount, request.lines) for discount in discounts),
            service_charge_ppm=service_ppm,
            service_charge_minor=service_minor,
            service_charge_tax_rate_ppm=service_rate,
            delivery_fee_minor=0 if delivery is None else delivery.amount_minor,
            delivery_tax_rate_ppm=None if delivery is None else delivery.tax_rate_ppm,
            charges=tuple(pricing.ChargeInput(each.amount_minor, each.tax_rate_ppm) for each in combined.charges),
            tip_minor=tip_minor,
        ),
    )


def _to_order_discount(discount: Discount, lines: Sequence[DraftLine]) -> pricing.OrderDiscount:
    if discount.positions is None:
        return pricing.OrderDiscount(discount.amount_minor)
    indexes = (index for index, line in enumerate(lines) if line.position in discount.positions)
    return pricing.OrderDiscount(discount.amount_minor, frozenset(indexes))


@dataclass(slots=True)
class _Combination:
    """What has been combined so far, each with the plugin that it comes from."""

    attributes: dict[str, Any]
    sources: dict[str, str] = field(default_factory=dict)
    scheduled_for: datetime | None = None
    charges: dict[str, tuple[str, Charge | None]] = field(default_factory=dict)
    discounts: dict[str, tuple[str, Discount]] = field(default_factory=dict)
    coupon: tuple[str, str] | None = None
    promotions: list[OrderPromotion] = field(default_factory=list)

    def add_prices(self, part: StoreParticipant, contribution: Contribution, positions: Collection[int]) -> None:
        for charge in contribution.charges:
            if charge.code in self.charges:
                raise PluginConflict(self.charges[charge.code][0], part.plugin, f"the charge {charge.code}")
            self.charges[charge.code] = (part.plugin, charge)
        for discount in contribution.discounts:
            if discount.code in self.discounts:
                raise PluginConflict(self.discounts[discount.code][0], part.plugin, f"the discount {discount.code}")
            if discount.positions is not None and not discount.positions.issubset(positions):
                fail(part, f"the discount {discount.code} names lines that the request does not have")
            self.discounts[discount.code] = (part.plugin, discount)
        if contribution.coupon_code is not None:
            if self.coupon is not None and self.coupon[1] != contribution.coupon_code:
                raise PluginConflict(self.coupon[0], part.plugin, "the coupon code")
            self.coupon = (part.plugin, contribution.coupon_code)

    def add_extras(self, part: StoreParticipant, attributes: Mapping[str, Any], scheduled_for: datetime | None) -> None:
        for name, value in attributes.items():
            if self.sources.get(name, part.plugin) != part.plugin and self.attributes.get(name) != value:
                raise PluginConflict(self.sources[name], part.plugin, f"the attribute {name}")
            try:
                orjson.dumps(value)
            except orjson.JSONEncodeError as error:
                fail(part, f"the attribute {name} is no JSON: {error}")
            self.attributes[name], self.sources[name] = value, part.plugin
        if scheduled_for is None:
            return
        if self.scheduled_for not in {None, scheduled_for} and self.sources[TIME] != part.plugin:
            raise PluginConflict(self.sources[TIME], part.plugin, "the time of the order")
        self.scheduled_for, self.sources[TIME] = scheduled_for, part.plugin

    def to_contributions(self) -> CombinedContributions:
        charges = {code: charge for code, (_, charge) in self.charges.items() if charge is not None}
        return CombinedContributions(
            service_charge=charges.pop(SERVICE_CHARGE, None),
            delivery_fee=charges.pop(DELIVERY_FEE, None),
            charges=tuple(charges.values()),
            discounts=tuple(discount for _, discount in self.discounts.values()),
            coupon_code=None if self.coupon is None else self.coupon[1],
            promotions=tuple(self.promotions),
            scheduled_for=self.scheduled_for,
            attributes=self.attributes,
            sources=self.sources,
        )
