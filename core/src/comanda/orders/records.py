"""Records of orders, as the API returns them, from rows or from inserted values."""

from collections.abc import Mapping, Sequence
from typing import Any

import orjson

from comanda.contracts.sections import section_keys
from comanda.money import get_exponent
from comanda.orders import balance
from comanda.orders.balance import calculate_amount_due, is_paid
from comanda.orders.idempotency import to_sent_key
from comanda.orders.schemas import LineOut, OrderOut

Row = balance.Row

ORDER_COLUMNS = """o.id, o.owner_id, o.store_id, o.number, o.business_date, o.type, o.status, o.delivery_status,
    o.payment_status, o.currency, o.subtotal_minor, o.discount_total_minor, o.coupon_code, o.service_charge_minor,
    o.delivery_fee_minor, o.tax_total_minor, o.is_tax_included, o.tip_minor, o.rounding_minor, o.total_minor,
    o.paid_minor, o.refunded_minor, o.paid_at, o.customer_id, o.customer_name, o.phone, o.address, o.table_number,
    o.room_number, o.scheduled_for, o.note, o.source, o.client_uuid, o.track_token, o.timeline, o.attributes,
    o.created_at, o.updated_at"""


# Null until the sections of plugins fill them.
ORDER_SECTION_KEYS = section_keys(OrderOut)
LINE_SECTION_KEYS = section_keys(LineOut)


def to_order_summary(order: Row) -> dict[str, Any]:
    """Return the record of an order in a list."""
    scale = 10 ** get_exponent(order["currency"])
    attributes = order["attributes"]
    return {
        **(orjson.loads(attributes) if attributes else {}),
        "id": order["id"],
        "number": order["number"],
        "restaurant_id": order["store_id"],
        "type": order["type"],
        "status": order["status"],
        "delivery_status": order["delivery_status"],
        "payment_status": order["payment_status"],
        "is_paid": is_paid(order),
        "currency": order["currency"],
        "subtotal": order["subtotal_minor"] / scale,
        "discount_total": order["discount_total_minor"] / scale,
        "coupon_code": order["coupon_code"],
        "service_charge": order["service_charge_minor"] / scale,
        "delivery_fee": order["delivery_fee_minor"] / scale,
        "tax_total": order["tax_total_minor"] / scale,
        "tax_included": order["is_tax_included"],
        "tip_amount": order["tip_minor"] / scale,
        "rounding": order["rounding_minor"] / scale,
        "total": order["total_minor"] / scale,
        "paid_total": order["paid_minor"] / scale,
        "refunded_total": order["refunded_minor"] / scale,
        "amount_due": calculate_amount_due(order) / scale,
        "customer_id": order["customer_id"],
        "customer_name": order["customer_name"],
        "phone": order["phone"],
        "address": order["address"],
        "table_number": order["table_number"],
        "room_number": order["room_number"],
        "scheduled_for": order["scheduled_for"],
        "note": order["note"],
        "source": order["source"],
        "client_uuid": to_sent_key(order["client_uuid"]),
        "track_token": order["track_token"],
        "business_date": order["business_date"],
        "created_at": order["created_at"],
        "updated_at": order["updated_at"],
    }


def to_order_record(order: Row, lines: Sequence[Row], timeline: Mapping[str, str]) -> dict[str, Any]:
    """Return the record of an order with its lines."""
    scale = 10 ** get_exponent(order["currency"])
    return {
        **to_order_summary(order),
        **dict.fromkeys(ORDER_SECTION_KEYS),
        "items": [to_line_record(line, scale) for line in lines],
        "timeline": timeline,
    }


def to_line_record(line: Row, scale: int) -> dict[str, Any]:
    """Return the record of a line."""
    return {
        "id": line["id"],
        "item_id": line["item_id"],
        "name": line["name"],
        "quantity": line["quantity"],
        "unit_price": line["unit_price_minor"] / scale,
        "variation": line["variation"],
        "extras": line["extras"],
        "note": line["note"],
        "discount": line["discount_minor"] / scale,
        "tax": line["tax_minor"] / scale,
        "line_total": line["total_minor"] / scale,
        **dict.fromkeys(LINE_SECTION_KEYS),
    }
