"""Payments and refunds of orders; gift cards and store credit, each with its ledger. Amounts are in minor units."""

from enum import StrEnum

from tortoise import fields
from tortoise.models import Model


class PaymentStatus(StrEnum):
    """Where a payment is; one that is pending waits for a person on a provider's page."""

    PENDING = "pending"
    SUCCEEDED = "succeeded"
    FAILED = "failed"
    CANCELLED = "cancelled"


class RefundStatus(StrEnum):
    """Where a refund, or a part of it, is; a refund is completed when no part is pending."""

    PENDING = "pending"
    COMPLETED = "completed"
    FAILED = "failed"


class CardStatus(StrEnum):
    """Whether a gift card can be spent; one whose time is over is shown as ``expired`` and stored as it was."""

    ACTIVE = "active"
    BLOCKED = "blocked"
    EXPIRED = "expired"


class EntryKind(StrEnum):
    """Why the balance of a gift card or of somebody's store credit changed."""

    ISSUE = "issue"
    GRANT = "grant"
    SPEND = "spend"
    REFUND = "refund"
    ADJUST = "adjust"


class CashEntryKind(StrEnum):
    """Why the cash that a driver holds became more or less."""

    COLLECTED = "collected"
    REFUNDED = "refunded"
    HANDED_IN = "handed_in"


class Payment(Model):
    """One tender of an order.

    ``amount_minor`` counts towards the order's total, ``tip_minor`` came on top, ``rounding_minor`` is what cash
    rounding added to them or took off. ``tendered_minor`` and ``change_minor`` are cash that was handed over, without
    the tip, and given back. ``refunded_minor`` is what has gone back of the amount, or is about to.

    ``gateway_reference`` is the provider's name of a payment on its pages, ``charge_reference`` of the money it
    collected; ``check_at`` is when it is asked next, while the payment is pending. ``driver_id`` is who took cash at
    the door.
    """

    id = fields.BigIntField(primary_key=True)
    owner_id = fields.BigIntField()
    store_id = fields.BigIntField()
    order_id = fields.BigIntField()
    method = fields.CharField(max_length=30)
    status = fields.CharField(max_length=10)
    amount_minor = fields.BigIntField()
    tip_minor = fields.BigIntField(default=0)
    rounding_minor = fields.BigIntField(default=0)
    tendered_minor = fields.BigIntField(null=True)
    change_minor = fields.BigIntField(default=0)
    refunded_minor = fields.BigIntField(default=0)
    reference = fields.CharField(max_length=255, null=True)
    card_id = fields.BigIntField(null=True)
    account_id = fields.BigIntField(null=True)
    gateway_reference = fields.CharField(max_length=255, null=True)
    charge_reference = fields.CharField(max_length=255, null=True)
    redirect_url = fields.CharField(max_length=2048, null=True)
    return_url = fields.CharField(max_length=255, null=True)
    instructions = fields.CharField(max_length=2000, null=True)
    failure = fields.CharField(max_length=500, null=True)
    expires_at = fields.DatetimeField(null=True)
    check_at = fields.DatetimeField(null=True)
    driver_id = fields.BigIntField(null=True)
    actor = fields.CharField(max_length=50)
    idempotency_key = fields.CharField(max_length=255, null=True)
    body_hash = fields.BinaryField(null=True)
    created_at = fields.DatetimeField()
    finished_at = fields.DatetimeField(null=True)

    class Meta:
        table = "payments_payment"


class Refund(Model):
    """Money that goes back to whoever paid an order; ``amount_minor`` is what was asked, less the parts that failed."""

    id = fields.BigIntField(primary_key=True)
    owner_id = fields.BigIntField()
    store_id = fields.BigIntField()
    order_id = fields.BigIntField()
    status = fields.CharField(max_length=10)
    amount_minor = fields.BigIntField()
    reason = fields.CharField(max_length=500)
    actor = fields.CharField(max_length=50)
    idempotency_key = fields.CharField(max_length=255, null=True)
    body_hash = fields.BinaryField(null=True)
    created_at = fields.DatetimeField()
    completed_at = fields.DatetimeField(null=True)

    class Meta:
        table = "payments_refund"


class RefundLine(Model):
    """How many of an order's line a refund gives money back for, and whether they go back into stock."""

    id = fields.BigIntField(primary_key=True)
    owner_id = fields.BigIntField()
    refund_id = fields.BigIntField()
    line_id = fields.BigIntField()
    quantity = fields.IntField()
    amount_minor = fields.BigIntField()
    is_restocked = fields.BooleanField()

    class Meta:
        table = "payments_refund_line"


class RefundPart(Model):
    """What a refund gives back of one payment, to the tender that it was made with."""

    id = fields.BigIntField(primary_key=True)
    owner_id = fields.BigIntField()
    refund_id = fields.BigIntField()
    payment_id = fields.BigIntField()
    amount_minor = fields.BigIntField()
    status = fields.CharField(max_length=10)
    gateway_reference = fields.CharField(max_length=255, null=True)
    failure = fields.CharField(max_length=500, null=True)
    check_at = fields.DatetimeField(null=True)

    class Meta:
        table = "payments_refund_part"


class GiftCard(Model):
    """Money that whoever knows the code may spend at one store. The code itself is not kept, only its hash."""

    id = fields.BigIntField(primary_key=True)
    owner_id = fields.BigIntField()
    store_id = fields.BigIntField()
    customer_id = fields.BigIntField(null=True)
    code_hash = fields.BinaryField()
    code_last4 = fields.CharField(max_length=4)
    status = fields.CharField(max_length=10)
    currency = fields.CharField(max_length=3)
    initial_minor = fields.BigIntField()
    balance_minor = fields.BigIntField(default=0)
    note = fields.CharField(max_length=500, null=True)
    expires_at = fields.DatetimeField(null=True)
    idempotency_key = fields.CharField(max_length=255, null=True)
    body_hash = fields.BinaryField(null=True)
    issued_at = fields.DatetimeField()

    class Meta:
        table = "payments_gift_card"


class GiftCardEntry(Model):
    """One change of a gift card's balance."""

    id = fields.BigIntField(primary_key=True)
    owner_id = fields.BigIntField()
    card_id = fields.BigIntField()
    kind = fields.CharField(max_length=10)
    amount_minor = fields.BigIntField()
    balance_minor = fields.BigIntField()
    order_id = fields.BigIntField(null=True)
    note = fields.CharField(max_length=500, null=True)
    actor = fields.CharField(max_length=50)
    idempotency_key = fields.CharField(max_length=255, null=True)
    body_hash = fields.BinaryField(null=True)
    created_at = fields.DatetimeField()

    class Meta:
        table = "payments_gift_card_entry"


class CreditAccount(Model):
    """What a store owes one of its customers."""

    id = fields.BigIntField(primary_key=True)
    owner_id = fields.BigIntField()
    store_id = fields.BigIntField()
    customer_id = fields.BigIntField()
    currency = fields.CharField(max_length=3)
    balance_minor = fields.BigIntField(default=0)
    created_at = fields.DatetimeField()

    class Meta:
        table = "payments_credit_account"


class CreditEntry(Model):
    """One change of a customer's store credit."""

    id = fields.BigIntField(primary_key=True)
    owner_id = fields.BigIntField()
    account_id = fields.BigIntField()
    kind = fields.CharField(max_length=10)
    amount_minor = fields.BigIntField()
    balance_minor = fields.BigIntField()
    order_id = fields.BigIntField(null=True)
    note = fields.CharField(max_length=500, null=True)
    actor = fields.CharField(max_length=50)
    idempotency_key = fields.CharField(max_length=255, null=True)
    body_hash = fields.BinaryField(null=True)
    created_at = fields.DatetimeField()

    class Meta:
        table = "payments_credit_entry"


class DriverCash(Model):
    """The cash of one store that a driver took at doors and has not handed in, with the name they had last."""

    id = fields.BigIntField(primary_key=True)
    owner_id = fields.BigIntField()
    store_id = fields.BigIntField()
    driver_id = fields.BigIntField()
    driver_name = fields.CharField(max_length=255)
    currency = fields.CharField(max_length=3)
    balance_minor = fields.BigIntField(default=0)
    created_at = fields.DatetimeField()

    class Meta:
        table = "payments_driver_cash"


class DriverCashEntry(Model):
    """One change of the cash that a driver holds."""

    id = fields.BigIntField(primary_key=True)
    owner_id = fields.BigIntField()
    cash_id = fields.BigIntField()
    kind = fields.CharField(max_length=10)
    amount_minor = fields.BigIntField()
    balance_minor = fields.BigIntField()
    order_id = fields.BigIntField(null=True)
    payment_id = fields.BigIntField(null=True)
    refund_id = fields.BigIntField(null=True)
    actor = fields.CharField(max_length=50)
    created_at = fields.DatetimeField()

    class Meta:
        table = "payments_driver_cash_entry"
