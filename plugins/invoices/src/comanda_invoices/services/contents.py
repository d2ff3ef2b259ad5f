"""What stands in invoices and credit notes: pure functions of an order, of its payments, and of what was credited."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from typing import Final
from zoneinfo import ZoneInfo

from comanda.basics import Money, round_half_up
from comanda.orders import Order, OrderLine, allocate
from comanda.web import N_
from comanda_payments.api import MoneyMovement

from comanda_invoices.records import (
    Buyer,
    InvoiceAdjustment,
    InvoiceContent,
    OrderInvoiceLine,
    OrderInvoicePayment,
    Seller,
    TaxAmount,
)

DISCOUNT: Final = N_("Discount")
SERVICE_CHARGE: Final = N_("Service charge")
DELIVERY: Final = N_("Delivery")
ADDED_TAX: Final = N_("Tax")
# What says of an order's timeline when it was supplied, the best first.
SUPPLIED_STAGES: Final = ("delivered_at", "completed_at", "ready_at")
MULTIPLICATION_SIGN: Final = "\u00d7"
# The tip among what is credited by tax rate.
TIP: Final = -1


def create_invoice(
    order: Order, seller: Seller, buyer: Buyer, movements: Iterable[MoneyMovement], zone: ZoneInfo
) -> InvoiceContent:
    """Return the invoice of an order as it is now."""

    def to_money(minor: int) -> Money:
        return Money(minor, order.currency)

    adjustments = [
        (DISCOUNT, -order.discount_total_minor),
        (SERVICE_CHARGE, order.service_charge_minor),
        (DELIVERY, order.delivery_fee_minor),
        *((charge.label, charge.amount_minor) for charge in order.charges),
        (ADDED_TAX, 0 if order.is_tax_included else order.tax_total_minor),
    ]
    return InvoiceContent(
        order_number=order.number,
        supplied_on=_get_supply_day(order, zone),
        seller=seller,
        buyer=buyer,
        lines=[_to_line(line, order.currency) for line in order.lines if _is_sold(line)],
        adjustments=[InvoiceAdjustment(label, to_money(minor)) for label, minor in adjustments if minor],
        is_tax_included=order.is_tax_included,
        taxes=[
            TaxAmount(row.rate_ppm, to_money(row.net_minor), to_money(row.tax_minor), to_money(row.gross_minor))
            for row in order.tax_rows
        ],
        tip=to_money(order.tip_minor),
        total=to_money(order.total_minor),
        payments=[
            OrderInvoicePayment(
                each.method,
                to_money(each.amount_minor + each.tip_minor + each.rounding_minor),
                to_money(each.tip_minor),
                each.moved_at.astimezone(zone).date(),
            )
            for each in movements
            if not each.is_refund
        ],
    )


def create_credit_note(
    invoice: InvoiceContent,
    earlier: Sequence[InvoiceContent],
    amount_minor: int,
    weights: Mapping[int, int],
    reason: str,
) -> InvoiceContent:
    """Return the credit note of an amount of an invoice, of which ``earlier`` ones have credited a part.

    ``weights`` is what lines that are refunded cost by tax rate. The amount is divided like them, or else like all that
    is left of the invoice. Taxes of all credit notes add up to those of the invoice when its total is credited.
    """
    currency = invoice.total.currency
    left = {row.rate: row.gross.minor for row in invoice.taxes} | {TIP: invoice.tip.minor}
    credited_tax = dict.fromkeys(left, 0)
    for note in earlier:
        left[TIP] += note.tip.minor
        for row in note.taxes:
            left[row.rate] += row.gross.minor
            credited_tax[row.rate] -= row.tax.minor
    chosen = {rate: min(weights.get(rate, 0), gross) for rate, gross in left.items()}
    if sum(chosen.values()) < amount_minor or not amount_minor:
        chosen = left
    shares = dict(zip(chosen, allocate(amount_minor, list(chosen.values())), strict=True))
    taxes = []
    for row in invoice.taxes:
        if shares[row.rate]:
            done_minor = row.gross.minor - left[row.rate] + shares[row.rate]
            tax_minor = round_half_up(row.tax.minor * done_minor, row.gross.minor) - credited_tax[row.rate]
            amounts = (tax_minor - shares[row.rate], -tax_minor, -shares[row.rate])
            taxes.append(TaxAmount(row.rate, *(Money(minor, currency) for minor in amounts)))
    return InvoiceContent(
        order_number=invoice.order_number,
        supplied_on=invoice.supplied_on,
        seller=invoice.seller,
        buyer=invoice.buyer,
        lines=[],
        adjustments=[],
        is_tax_included=invoice.is_tax_included,
        taxes=taxes,
        tip=Money(-shares[TIP], currency),
        total=Money(-amount_minor, currency),
        payments=[],
        reason=reason,
    )


def _get_supply_day(order: Order, zone: ZoneInfo) -> date:
    moments = [order.timeline[stage] for stage in SUPPLIED_STAGES if stage in order.timeline]
    moment = next(iter(moments), order.scheduled_for or order.created_at)
    return moment.astimezone(zone).date()


def _is_sold(line: OrderLine) -> bool:
    """Return whether a line is left in the order, and not only the name of a combo."""
    return line.quantity > 0 and not (line.is_heading and not line.unit_price_minor)


def _to_line(line: OrderLine, currency: str) -> OrderInvoiceLine:
    options = [line.price_label] if line.price_label else []
    options += [line.variation["name"]] if line.variation else []
    for extra in line.extras:
        count = f"{extra['quantity']} {MULTIPLICATION_SIGN} " if extra["quantity"] > 1 else ""
        options.append(f"{count}{extra['name']}")
    return OrderInvoiceLine(
        name=line.name,
        options=", ".join(options),
        quantity=line.quantity,
        unit_price=Money(line.unit_price_minor, currency),
        tax_rate=line.tax_rate_ppm,
        amount=Money(line.unit_price_minor * line.quantity, currency),
    )
