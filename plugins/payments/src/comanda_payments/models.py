"""Payments and refunds of orders and prepayments; gift cards and store credit. Amounts are in minor units."""

from enum import StrEnum

from tortoise import fields
from tortoise.contrib.postgres.fields import ArrayField
from tortoise.models import Model


class TenderStatus(StrEnum):
    """The status of a payment; a pending one waits for the payer on a provider's page."""

    PENDING = "pending"
    SUCCEEDED = "succeeded"
    FAILED = "failed"
    CANCELLED = "cancelled"


class RefundStatus(StrEnum):
    """The status of a refund or of a part of it; a refund is completed once no part is pending."""

    PENDING = "pending"
    COMPLETED = "completed"
    FAILED = "failed"


class PrepaymentKind(StrEnum):
    """What is paid in advance: a gift card that a store's page sells, or the deposit of a reservation."""

    GIFT_CARD = "gift_card"
    DEPOSIT = "deposit"


class PrepaymentStatus(StrEnum):
    """The status of a prepayment: it can be paid while it is ``open``, and is owed to the payer while it is ``paid``.

    ``applied`` went to an order or the nights of a stay, ``kept`` is revenue without them. ``refunding`` waits for the
    provider.
    """

    OPEN = "open"
    PAID = "paid"
    APPLIED = "applied"
    KEPT = "kept"
    REFUNDING = "refunding"
    REFUNDED = "refunded"
    CANCELLED = "cancelled"


class GiftCardStatus(StrEnum):
    """The status of a gift card; ``expired`` follows from ``expires_at`` and is not stored."""

    ACTIVE = "active"
    BLOCKED = "blocked"
    EXPIRED = "expired"


class LedgerEntryKind(StrEnum):
    """The kind of an entry in the ledger of a gift card or of store credit."""

    ISSUE = "issue"
    GRANT = "grant"
    SPEND = "spend"
    REFUND = "refund"
    ADJUST = "adjust"


class DriverCashEntryKind(StrEnum):
    """The kind of a change of the cash that a driver holds."""

    COLLECTED = "collected"
    REFUNDED = "refunded"
    HANDED_IN = "handed_in"


class PaymentAccount(Model):
    """An account of an owner at a payment provider, for one store or for all; ``check_at`` is its next check.

    ``credentials`` are an encrypted JSON object, empty for an account that is connected to the operator's.
    """

    id = fields.BigIntField(primary_key=True)
    owner_id = fields.BigIntField()
    store_id = fields.BigIntField(null=True)
    provider = fields.CharField(max_length=30)
    mode = fields.CharField(max_length=4)
    state = fields.CharField(max_length=10)
    reason = fields.CharField(max_length=500, null=True)
    capabilities: fields.Field[list[str]] = ArrayField(element_type="text")
    external_id = fields.CharField(max_length=255, null=True)
    credentials = fields.TextField(default="")
    check_at = fields.DatetimeField(null=True)
    created_at = fields.DatetimeField()

    class Meta:
        table = "payments_account"


class PaymentTerms(Model):
    """What the operator decides for an owner, or for one store: the loan of its account, and the fee of a payment.

    A fee is a share of the amount, in parts per million, and a fixed amount.
    """

    id = fields.BigIntField(primary_key=True)
    owner_id = fields.BigIntField()
    store_id = fields.BigIntField(null=True)
    lends_account = fields.BooleanField(default=False)
    fee_rate_ppm = fields.IntField(null=True)
    fee_fixed_minor = fields.BigIntField(null=True)

    class Meta:
        table = "payments_terms"


class Prepayment(Model):
    """Money that is taken before anything is delivered for it: what a payment is of that has no order.

    It can be paid until ``due_at``; ``check_at`` is when an open one is cancelled. What is owed to the payer is
    ``paid_minor`` less ``refunded_minor`` while it is paid. ``page_path`` is the guest's page of what is paid,
    ``dashboard_path`` the owner's; ``code`` is that of the gift card, encrypted. ``closed_at`` is when it was applied,
    kept, refunded or cancelled.
    """

    id = fields.BigIntField(primary_key=True)
    owner_id = fields.BigIntField()
    store_id = fields.BigIntField()
    kind = fields.CharField(max_length=10)
    status = fields.CharField(max_length=10)
    amount_minor = fields.BigIntField()
    paid_minor = fields.BigIntField(default=0)
    refunded_minor = fields.BigIntField(default=0)
    currency = fields.CharField(max_length=3)
    description = fields.CharField(max_length=255)
    guest_name = fields.CharField(max_length=255, null=True)
    email = fields.CharField(max_length=255, null=True)
    language = fields.CharField(max_length=20, null=True)
    page_path = fields.CharField(max_length=255, null=True)
    dashboard_path = fields.CharField(max_length=100, null=True)
    card_id = fields.BigIntField(null=True)
    code = fields.TextField(null=True)
    order_id = fields.BigIntField(null=True)
    due_at = fields.DatetimeField()
    check_at = fields.DatetimeField(null=True)
    idempotency_key = fields.CharField(max_length=255, null=True)
    body_hash = fields.BinaryField(null=True)
    created_at = fields.DatetimeField()
    closed_at = fields.DatetimeField(null=True)

    class Meta:
        table = "payments_prepayment"


class Payment(Model):
    """One tender of an order, or the payment of a prepayment, which gets an order when it is applied to one.

    ``amount_minor`` counts towards the order's total, ``tip_minor`` came on top, ``rounding_minor`` is what cash
    rounding added to them or took off. ``tendered_minor`` is the cash that was handed over, without
    the tip, and ``change_minor`` the change. ``refunded_minor`` has been refunded of the amount, or is about to be.

    ``gateway_reference`` is the provider's id of the checkout, ``charge_reference`` of the charge; ``check_at`` is when
    a pending payment is checked next. ``driver_id`` is the driver who collected cash on delivery.

    ``payment_account_id`` is the account that the money of a provider goes to, null for the operator's; ``fee_minor``
    of it is the operator's. ``reader`` is the card reader that a payment in person is made on. ``applied_at`` is since
    when that of a prepayment counts towards its order.
    """

    id = fields.BigIntField(primary_key=True)
    owner_id = fields.BigIntField()
    store_id = fields.BigIntField()
    order_id = fields.BigIntField(null=True)
    prepayment_id = fields.BigIntField(null=True)
    applied_at = fields.DatetimeField(null=True)
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
    payment_account_id = fields.BigIntField(null=True)
    fee_minor = fields.BigIntField(default=0)
    reader = fields.CharField(max_length=100, null=True)
    actor = fields.CharField(max_length=50)
    idempotency_key = fields.CharField(max_length=255, null=True)
    body_hash = fields.BinaryField(null=True)
    created_at = fields.DatetimeField()
    finished_at = fields.DatetimeField(null=True)

    class Meta:
        table = "payments_payment"


class Refund(Model):
    """A refund of an order or a prepayment; ``amount_minor`` is the requested amount less the parts that failed."""

    id = fields.BigIntField(primary_key=True)
    owner_id = fields.BigIntField()
    store_id = fields.BigIntField()
    order_id = fields.BigIntField(null=True)
    prepayment_id = fields.BigIntField(null=True)
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
    """The refunded quantity of an order line, and whether it is restocked."""

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
    """The part of a refund that goes back to one payment; ``method`` is another one than the payment's, if not null."""

    id = fields.BigIntField(primary_key=True)
    owner_id = fields.BigIntField()
    refund_id = fields.BigIntField()
    payment_id = fields.BigIntField()
    method = fields.CharField(max_length=30, null=True)
    amount_minor = fields.BigIntField()
    status = fields.CharField(max_length=10)
    gateway_reference = fields.CharField(max_length=255, null=True)
    failure = fields.CharField(max_length=500, null=True)
    check_at = fields.DatetimeField(null=True)

    class Meta:
        table = "payments_refund_part"


class Dispute(Model):
    """A dispute (chargeback) of a payment by the provider's ``reference``; ``closed_at`` is when its end was recorded.

    Of a lost one, ``refunded_minor`` has left revenue, first with the refund ``refund_id``: what had been refunded
    before does not leave it again, and what a pending refund is about to give back only does if that fails.
    """

    id = fields.BigIntField(primary_key=True)
    owner_id = fields.BigIntField()
    payment_id = fields.BigIntField()
    reference = fields.CharField(max_length=255)
    state = fields.CharField(max_length=20)
    amount_minor = fields.BigIntField()
    reason = fields.CharField(max_length=500, null=True)
    respond_by = fields.DatetimeField(null=True)
    url = fields.CharField(max_length=2048, null=True)
    refunded_minor = fields.BigIntField(default=0)
    refund_id = fields.BigIntField(null=True)
    created_at = fields.DatetimeField()
    closed_at = fields.DatetimeField(null=True)

    class Meta:
        table = "payments_dispute"


class Payout(Model):
    """A payout of an account by the provider's ``reference``; ``parts_at`` is when its parts were recorded.

    ``amount_minor`` is below 0 for what was taken from the bank.
    """

    id = fields.BigIntField(primary_key=True)
    owner_id = fields.BigIntField()
    account_id = fields.BigIntField()
    provider = fields.CharField(max_length=30)
    reference = fields.CharField(max_length=255)
    state = fields.CharField(max_length=10)
    amount_minor = fields.BigIntField()
    currency = fields.CharField(max_length=3)
    arrives_on = fields.DateField(null=True)
    failure = fields.CharField(max_length=500, null=True)
    parts_at = fields.DatetimeField(null=True)
    created_at = fields.DatetimeField()

    class Meta:
        table = "payments_payout"


class PayoutPart(Model):
    """A part of a payout by the provider's ``reference``; ``charge_reference`` is as that of a payment.

    ``amount_minor`` and ``fee_minor`` are below 0 for what was taken back.
    """

    id = fields.BigIntField(primary_key=True)
    owner_id = fields.BigIntField()
    payout_id = fields.BigIntField()
    reference = fields.CharField(max_length=255)
    kind = fields.CharField(max_length=10)
    amount_minor = fields.BigIntField()
    fee_minor = fields.BigIntField()
    charge_reference = fields.CharField(max_length=255, null=True)
    description = fields.CharField(max_length=255, null=True)

    class Meta:
        table = "payments_payout_part"


class LedgerEntry(Model):
    """One change of a balance in the ledger of a gift card or of store credit."""

    id = fields.BigIntField(primary_key=True)
    owner_id = fields.BigIntField()
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
        abstract = True


class GiftCard(Model):
    """A gift card of one store, spent by anyone with its code. Only a hash of the code is stored."""

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


class GiftCardEntry(LedgerEntry):
    """One change of a gift card's balance."""

    card_id = fields.BigIntField()

    class Meta:
        table = "payments_gift_card_entry"


class CreditAccount(Model):
    """The store credit of one customer."""

    id = fields.BigIntField(primary_key=True)
    owner_id = fields.BigIntField()
    store_id = fields.BigIntField()
    customer_id = fields.BigIntField()
    currency = fields.CharField(max_length=3)
    balance_minor = fields.BigIntField(default=0)
    created_at = fields.DatetimeField()

    class Meta:
        table = "payments_credit_account"


class CreditEntry(LedgerEntry):
    """One change of a customer's store credit."""

    account_id = fields.BigIntField()

    class Meta:
        table = "payments_credit_entry"


class PaymentDeadline(Model):
    """An order that is cancelled at ``check_at`` unless it is paid or begun by then."""

    id = fields.BigIntField(primary_key=True, generated=False, source_field="order_id")
    owner_id = fields.BigIntField()
    check_at = fields.DatetimeField()

    class Meta:
        table = "payments_deadline"


class DriverCash(Model):
    """The cash of one store that a driver has collected and not handed in, with the driver's last known name."""

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
