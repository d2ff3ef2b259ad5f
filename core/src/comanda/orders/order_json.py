"""The JSON of orders for routes and tools, from plain functions, because every request for an order runs them."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any, Final

from comanda.basics.money import get_exponent, to_number
from comanda.basics.rates import to_percent
from comanda.contracts.orders.participants import ChosenExtra, ChosenVariation
from comanda.contracts.orders.sections import section_keys
from comanda.contracts.requests.paging import RecordPage
from comanda.orders.drafts.draft import OrderDraft
from comanda.orders.drafts.pricing import TaxRow
from comanda.orders.idempotency import to_sent_key
from comanda.orders.records import (
    GivenDiscount,
    Order,
    OrderCharge,
    OrderLine,
    fold_combos,
    list_charges,
    set_promotions,
)
from comanda.orders.schemas import LineOut, OrderOut

# Null unless the section of a plugin fills them.
ORDER_SECTION_KEYS: Final = dict.fromkeys(section_keys(OrderOut))
LINE_SECTION_KEYS: Final = dict.fromkeys(section_keys(LineOut))


def to_order_json(order: Order) -> dict[str, Any]:
    """Return the ``OrderOut`` of an order."""
    scale = 10 ** get_exponent(order.currency)
    return {
        **to_order_summary_json(order),
        **ORDER_SECTION_KEYS,
        "items": [to_line_json(line, scale) for line in order.lines],
        "timeline": order.timeline,
        "amendments": order.amendments,
        "discounts": [_to_discount_json(discount, order.currency) for discount in order.given_discounts],
        "voided_items": [asdict(line) for line in order.voided],
        **order.sections,
    }


def _to_discount_json(discount: GivenDiscount, currency: str) -> dict[str, Any]:
    return {
        "id": discount.id,
        "code": discount.code,
        "reason": discount.label,
        "percent": None if discount.rate_ppm is None else to_percent(discount.rate_ppm),
        "amount": None if discount.amount_minor is None else to_number(discount.amount_minor, currency),
        "line_id": discount.line_id,
    }


def to_order_summary_json(order: Order) -> dict[str, Any]:
    """Return the ``OrderSummary`` of an order in a list."""
    scale = 10 ** get_exponent(order.currency)
    return {
        **order.attributes,
        "id": order.id,
        "number": order.number,
        "restaurant_id": order.store_id,
        "type": order.type,
        "status": order.status,
        "delivery_status": order.delivery_status,
        "payment_status": order.payment_status,
        "is_paid": order.is_paid,
        "currency": order.currency,
        "subtotal": order.subtotal_minor / scale,
        "discount_total": order.discount_total_minor / scale,
        "coupon_code": order.coupon_code,
        "service_charge": order.service_charge_minor / scale,
        "delivery_fee": order.delivery_fee_minor / scale,
        "charges": [to_charge_json(charge, scale) for charge in order.charges],
        "tax_total": order.tax_total_minor / scale,
        "tax_included": order.is_tax_included,
        "taxes": to_taxes_json(order.tax_rows, scale),
        "tip_amount": order.tip_minor / scale,
        "rounding": order.rounding_minor / scale,
        "total": order.total_minor / scale,
        "paid_total": order.paid_minor / scale,
        "refunded_total": order.refunded_minor / scale,
        "amount_due": order.amount_due_minor / scale,
        "customer_id": order.customer_id,
        "customer_name": order.customer_name,
        "phone": order.phone,
        "address": order.address,
        "table_number": order.table_number,
        "room_number": order.room_number,
        "scheduled_for": order.scheduled_for,
        "note": order.note,
        "source": order.source,
        "client_uuid": to_sent_key(order.client_uuid),
        "track_token": order.track_token,
        "business_date": order.business_date,
        "created_at": order.created_at,
        "updated_at": order.updated_at,
    }


def to_line_json(line: OrderLine, scale: int) -> dict[str, Any]:
    """Return the ``LineOut`` of a line; ``scale`` is the number of minor units in one unit of the currency."""
    return {
        "id": line.id,
        "item_id": line.item_id,
        "name": line.name,
        "quantity": line.quantity,
        "unit_price": line.unit_price_minor / scale,
        "price_label": line.price_label,
        "variation": line.variation,
        "extras": line.extras,
        "note": line.note,
        "discount": line.discount_minor / scale,
        "tax": line.tax_minor / scale,
        "line_total": line.total_minor / scale,
        "round": line.round,
        "seat": line.seat,
        "course": line.course,
        "voided_quantity": line.voided_quantity,
        "combo": line.combo,
        **LINE_SECTION_KEYS,
        **line.sections,
    }


def to_charge_json(charge: OrderCharge, scale: int) -> dict[str, Any]:
    """Return the ``OrderChargeOut`` of a charge."""
    return {
        "code": charge.code,
        "label": charge.label,
        "amount": charge.amount_minor / scale,
        "tax": charge.tax_minor / scale,
        "is_refundable": charge.is_refundable,
    }


def to_taxes_json(rows: Sequence[TaxRow], scale: int) -> list[dict[str, Any]]:
    """Return the ``TaxOut`` of each row of a tax table."""
    return [
        {
            "rate": to_percent(row.rate_ppm),
            "net": row.net_minor / scale,
            "tax": row.tax_minor / scale,
            "gross": row.gross_minor / scale,
        }
        for row in rows
    ]


def to_quote_json(draft: OrderDraft) -> dict[str, Any]:
    """Return the ``QuoteOut`` of an order that is not placed."""
    quote, scale = draft.quote, 10 ** get_exponent(draft.currency)
    return {
        **set_promotions({}, draft.contributions.promotions, draft.currency),
        "type": draft.request.body.type,
        "currency": draft.currency,
        "items": [
            {
                "item_id": line.item_id,
                "name": line.name,
                "quantity": line.quantity,
                "unit_price": line.unit_price_minor / scale,
                "price_label": line.price_label,
                "variation": to_variation_json(line.variation, scale),
                "extras": to_extras_json(line.extras, scale),
                "note": line.note,
                "combo": None if line.combo is None else asdict(line.combo),
                "discount": priced.discount_minor / scale,
                "tax": priced.tax_minor / scale,
                "line_total": priced.total_minor / scale,
            }
            for line, priced in zip(draft.lines, quote.lines, strict=True)
        ],
        "subtotal": quote.subtotal_minor / scale,
        "discount_total": quote.discount_total_minor / scale,
        "coupon_code": draft.contributions.coupon_code,
        "service_charge": quote.service_charge_minor / scale,
        "delivery_fee": quote.delivery_fee_minor / scale,
        "charges": [to_charge_json(each, scale) for each in list_charges(quote, draft.contributions.charges)],
        "tax_total": quote.tax_total_minor / scale,
        "tax_included": quote.is_tax_included,
        "taxes": to_taxes_json(quote.tax_rows, scale),
        "tip_amount": quote.tip_minor / scale,
        "total": quote.total_minor / scale,
    }


def to_variation_json(variation: ChosenVariation | None, scale: int) -> dict[str, Any] | None:
    """Return the ``Choice`` of a line's variation."""
    if variation is None:
        return None
    return {"id": variation.id, "name": variation.name, "price": _to_number(variation.price_minor, scale)}


def to_extras_json(extras: Sequence[ChosenExtra], scale: int) -> list[dict[str, Any]]:
    """Return the ``ExtraChoice`` of each extra of a line."""
    return [
        {"id": one.id, "name": one.name, "price": _to_number(one.price_minor, scale), "quantity": one.quantity}
        for one in extras
    ]


def _to_number(minor: int, scale: int) -> int | float:
    return minor if scale == 1 else minor / scale


def to_order_page_json(page: RecordPage[Order]) -> dict[str, Any]:
    """Return the ``Page[OrderSummary]`` of a list."""
    return page.to_json(to_order_summary_json)


def to_tracking_json(order: Order) -> dict[str, Any]:
    """Return the ``Tracking`` of an order that was found by its track token."""
    return {
        "id": order.id,
        "status": order.status,
        "delivery_status": order.delivery_status,
        "is_paid": order.is_paid,
        "total": to_number(order.total_minor, order.currency),
        "amount_due": to_number(order.amount_due_minor, order.currency),
        "charges": [to_charge_json(charge, 10 ** get_exponent(order.currency)) for charge in order.charges],
        "timeline": order.timeline,
        "items": [{"name": line.name, "quantity": line.quantity} for line in fold_combos(order.lines)],
        **order.sections,
    }
