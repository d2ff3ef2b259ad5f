"""The table of withdrawals."""

from comanda.platform.db import StoreRow
from tortoise import fields


class Withdrawal(StoreRow):
    """A statement that somebody withdraws from a contract, as they sent it.

    ``contract`` and ``items`` are what they wrote; ``order_id`` is the order that is certainly theirs, if there is one.
    ``acknowledged_at`` is when the acknowledgement was handed to the queue of messages; None means that the store has
    to send it. What was erased is null.
    """

    reference = fields.CharField(max_length=20)
    name = fields.CharField(max_length=255)
    email = fields.CharField(max_length=255, null=True)
    phone = fields.CharField(max_length=50, null=True)
    contract = fields.CharField(max_length=255, null=True)
    items = fields.CharField(max_length=500, null=True)
    order_id = fields.BigIntField(null=True)
    submitted_at = fields.DatetimeField()
    acknowledged_at = fields.DatetimeField(null=True)
    handled_at = fields.DatetimeField(null=True)
    handled_by = fields.CharField(max_length=50, null=True)
    idempotency_key = fields.CharField(max_length=255, null=True)
    body_hash = fields.BinaryField(null=True)

    class Meta:
        table = "legal_withdrawal"
