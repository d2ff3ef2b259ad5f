"""The tables of shipments and their contents."""

from enum import StrEnum

from comanda.platform.db import OwnerRow, StoreRow
from tortoise import fields


class ShipmentStatus(StrEnum):
    """The status of a shipment."""

    PENDING = "pending"
    LABEL_CREATED = "label_created"
    IN_TRANSIT = "in_transit"
    OUT_FOR_DELIVERY = "out_for_delivery"
    DELIVERED = "delivered"
    RETURNED = "returned"
    FAILED = "failed"


class Shipment(StoreRow):
    """A shipment of one order.

    ``address`` is null if it goes to the order's address. ``shipped_at`` is when it was handed to the carrier.
    ``idempotency_key`` and ``body_hash`` are those of the request that created it.
    """

    order_id = fields.BigIntField()
    address = fields.CharField(max_length=500, null=True)
    carrier = fields.CharField(max_length=100, null=True)
    service = fields.CharField(max_length=100, null=True)
    tracking_number = fields.CharField(max_length=100, null=True)
    tracking_url = fields.CharField(max_length=1000, null=True)
    status = fields.CharField(max_length=20, default=ShipmentStatus.PENDING.value)
    shipped_at = fields.DatetimeField(null=True)
    delivered_at = fields.DatetimeField(null=True)
    idempotency_key = fields.CharField(max_length=255, null=True)
    body_hash = fields.BinaryField(null=True)
    created_at = fields.DatetimeField()
    updated_at = fields.DatetimeField()

    class Meta:
        table = "shipping_shipment"


class ShipmentLine(OwnerRow):
    """The quantity of an order line in a shipment."""

    shipment_id = fields.BigIntField()
    order_line_id = fields.BigIntField()
    quantity = fields.IntField()

    class Meta:
        table = "shipping_shipment_line"
