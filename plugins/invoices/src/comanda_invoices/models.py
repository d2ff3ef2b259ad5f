"""The tables of invoices: documents, and the numbers that they come from."""

from enum import StrEnum
from typing import Any

from tortoise import fields
from tortoise.contrib.postgres.fields import ArrayField
from tortoise.models import Model


class DocumentKind(StrEnum):
    """What a document is: an invoice, or a credit note that takes one back or a part of it."""

    INVOICE = "invoice"
    CREDIT_NOTE = "credit_note"


class Series(Model):
    """The last number of the invoices and credit notes of an owner that begin with ``prefix``."""

    id = fields.BigIntField(primary_key=True)
    owner_id = fields.BigIntField()
    prefix = fields.CharField(max_length=20)
    last_number = fields.IntField()

    class Meta:
        table = "invoices_series"


class Document(Model):
    """An invoice or a credit note, which never changes: ``content`` has all that stands in it.

    ``invoice_id`` is the invoice that a credit note is of; its amounts are negative. ``refund_keys`` are the refunds
    that it takes into account. ``cancelled_at`` is when credit notes came to the total of an invoice.
    """

    id = fields.BigIntField(primary_key=True)
    owner_id = fields.BigIntField()
    store_id = fields.BigIntField()
    order_id = fields.BigIntField()
    kind = fields.CharField(max_length=11)
    prefix = fields.CharField(max_length=20)
    number = fields.IntField()
    invoice_id = fields.BigIntField(null=True)
    issued_on = fields.DateField()
    issued_at = fields.DatetimeField()
    issued_by = fields.CharField(max_length=50)
    currency = fields.CharField(max_length=3)
    total_minor = fields.BigIntField()
    content: fields.Field[dict[str, Any]] = fields.JSONField()
    refund_keys: fields.Field[list[str]] = ArrayField(element_type="text")
    cancelled_at = fields.DatetimeField(null=True)

    class Meta:
        table = "invoices_document"
