"""What slips show of an order."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any

from comanda.basics import extend_record, rates
from comanda.menu import list_order_facts
from comanda.orders import Order, OrderLine, fold_combos
from comanda.stores import Store

from comanda_printing.services.layouts.facts import Amount, Heading, KitchenFacts, ReceiptFacts, SlipLine


def build_ticket(order: Order, zone: str, lines: Iterable[OrderLine]) -> KitchenFacts:
    """Return the kitchen ticket of some lines of an order, by course."""
    listed = sorted(lines, key=lambda line: (line.course or 0, line.position))
    number = max([line.round for line in listed], default=1)
    return KitchenFacts(
        build_heading(order, zone), order.amendments, number, tuple(_to_slip_line(line) for line in listed)
    )


def build_receipt(order: Order, store: Store) -> ReceiptFacts:
    return ReceiptFacts(
        heading=build_heading(order, store.timezone),
        store=store.title,
        contact=tuple(text for text in (store.address, store.phone) if text),
        currency=order.currency,
        lines=tuple(_to_slip_line(line) for line in fold_combos(order.lines)),
        amounts=tuple(_list_amounts(order)),
    )


def build_heading(order: Order, zone: str) -> Heading:
    """Return which order a slip is about."""
    return Heading(
        number=order.number,
        mode=order.type,
        table=order.table_number,
        room=order.room_number,
        customer=order.customer_name,
        note=order.note,
        placed_at=order.created_at,
        due_at=order.scheduled_for,
        zone=zone,
        facts=list_order_facts(order.attributes),
    )


def _to_slip_line(line: OrderLine) -> SlipLine:
    return extend_record(
        SlipLine,
        line,
        variation=None if line.variation is None else str(line.variation["name"]),
        extras=tuple(_describe_extra(extra) for extra in line.extras),
        total_minor=line.unit_price_minor * line.quantity,
    )


def _describe_extra(extra: Mapping[str, Any]) -> str:
    return f"{extra['quantity']} x {extra['name']}" if extra["quantity"] > 1 else str(extra["name"])


def _list_amounts(order: Order) -> Iterable[Amount]:
    yield Amount("subtotal", order.subtotal_minor)
    yield from _list_discounts(order)
    if order.service_charge_minor:
        yield Amount("service_charge", order.service_charge_minor)
    if order.delivery_fee_minor:
        yield Amount("delivery_fee", order.delivery_fee_minor)
    for charge in order.charges:
        yield Amount(f"charge:{charge.code}", charge.amount_minor, charge.label)
    yield from _list_taxes(order)
    if order.tip_minor:
        yield Amount("tip", order.tip_minor)
    yield Amount("total", order.total_minor)
    if order.rounding_minor:
        yield Amount("rounding", order.rounding_minor)
    if order.paid_minor:
        yield Amount("paid", order.paid_minor)
    if order.refunded_minor:
        yield Amount("refunded", -order.refunded_minor)
    if order.amount_due_minor:
        yield Amount("due", order.amount_due_minor)


def _list_discounts(order: Order) -> Iterable[Amount]:
    if order.discount_total_minor:
        yield Amount("discount", -order.discount_total_minor, order.coupon_code)
    for promotion in order.promotions:
        yield Amount("promotion", -promotion.amount_minor, promotion.name)


def _list_taxes(order: Order) -> Iterable[Amount]:
    """Return the taxes by rate, or in one sum if charges are taxed that the order has no rates of."""
    code = "tax_included" if order.is_tax_included else "tax"
    by_rate: dict[int, int] = defaultdict(int)
    taxed = [(part.tax_rate_ppm, part.tax_minor) for part in order.lines]
    for rate_ppm, tax_minor in [*taxed, *((charge.tax_rate_ppm, charge.tax_minor) for charge in order.charges)]:
        if tax_minor:
            by_rate[rate_ppm or 0] += tax_minor
    if sum(by_rate.values()) != order.tax_total_minor:
        return [Amount(code, order.tax_total_minor)]
    return [Amount(code, minor, f"{rates.to_percent(rate)}") for rate, minor in sorted(by_rate.items())]
