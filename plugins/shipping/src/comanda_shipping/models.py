"""The tables of shipping: shipments, and what each of them holds."""

from tortoise import fields
from tortoise.models import Model

from comanda_shipping.states import ShipmentStatus


class Shipment(Model):
    """A parcel of one order.

    ``address`` is where it goes, if not to the order's own. ``shipped_at`` is when it left for the carrier.
    ``idempotency_key`` and ``body_hash`` are those of the request that made it.
    """

    id = fields.BigIntField(primary_key=True)
    owner_id = fields.BigIntField()
    store_id = fields.BigIntField()
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


class ShipmentLine(Model):
    """How many pieces of an order's line a shipment holds."""

    id = fields.BigIntField(primary_key=True)
    owner_id = fields.BigIntField()
    shipment_id = fields.BigIntField()
    order_line_id = fields.BigIntField()
    quantity = fields.IntField()

    class Meta:
        table = "shipping_shipment_line"
