"""The tables of resellers, their customers, plans, subscriptions and invoices.

``owner_id`` is the reseller on every row: the customers, plans and invoices are its own. A customer is an owner account
too; ``customer_owner_id`` is the id of that account.
"""

from enum import StrEnum
from typing import Any

from comanda.platform.db import OwnerRow
from tortoise import fields
from tortoise.contrib.postgres.fields import ArrayField


class Interval(StrEnum):
    """The length of a plan's period: a calendar month, a calendar year or 30 days."""

    MONTH = "month"
    YEAR = "year"
    DAYS_30 = "30d"


class SubscriptionStatus(StrEnum):
    """The status of a subscription. ``cancelled`` runs until the end of its period; ``expired`` is final."""

    TRIALING = "trialing"
    ACTIVE = "active"
    PAST_DUE = "past_due"
    PAUSED = "paused"
    CANCELLED = "cancelled"
    EXPIRED = "expired"


class InvoiceIssuer(StrEnum):
    """Who issues an invoice: the reseller to its customer, or the platform to the reseller."""

    RESELLER = "reseller"
    PLATFORM = "platform"


class InvoiceKind(StrEnum):
    """A credit note takes back an invoice, in whole or in part; its amounts are negative."""

    INVOICE = "invoice"
    CREDIT_NOTE = "credit_note"


class InvoiceStatus(StrEnum):
    """The status of an invoice. A draft has no number yet."""

    DRAFT = "draft"
    OPEN = "open"
    PAID = "paid"
    VOID = "void"
    UNCOLLECTIBLE = "uncollectible"


class InvoicePaymentStatus(StrEnum):
    """The result of an attempt to collect an invoice."""

    PAID = "paid"
    PENDING = "pending"
    FAILED = "failed"


class CollectionMethod(StrEnum):
    """How a customer's invoices are collected: from its wallet, or recorded by the reseller when it has paid."""

    WALLET = "wallet"
    MANUAL = "manual"


class Account(OwnerRow):
    """The reseller flag of an owner account, and what its invoices say about the seller.

    ``tier_key`` overrides the tier that the number of customers gives. ``fee_anchor_at`` and ``next_attempt_at`` are
    those of the platform's monthly invoice.
    """

    is_active = fields.BooleanField(default=True)
    currency = fields.CharField(max_length=3)
    tier_key = fields.CharField(max_length=30, null=True)
    legal_name = fields.CharField(max_length=255, null=True)
    address = fields.TextField(null=True)
    tax_number = fields.CharField(max_length=50, null=True)
    tax_ppm = fields.IntField(default=0)
    invoice_prefix = fields.CharField(max_length=10, default="INV")
    due_days = fields.SmallIntField(default=14)
    payment_note = fields.TextField(null=True)
    brand_name = fields.CharField(max_length=255, null=True)
    brand_email = fields.CharField(max_length=255, null=True)
    fee_anchor_at = fields.DatetimeField()
    fee_period_start = fields.DatetimeField()
    fee_period_end = fields.DatetimeField()
    next_attempt_at = fields.DatetimeField(null=True)
    leased_until = fields.DatetimeField(null=True)
    attempts = fields.IntField(default=0)
    last_error = fields.TextField(null=True)
    created_at = fields.DatetimeField()
    updated_at = fields.DatetimeField()

    class Meta:
        table = "reseller_account"


class Customer(OwnerRow):
    """An owner account that is a customer of the reseller, how it pays, and how its invoices name it."""

    customer_owner_id = fields.BigIntField()
    collection_method = fields.CharField(max_length=30, default="wallet")
    legal_name = fields.CharField(max_length=255, null=True)
    address = fields.TextField(null=True)
    tax_number = fields.CharField(max_length=50, null=True)
    language = fields.CharField(max_length=5, default="en")
    invitation_hash: fields.Field[bytes | None] = fields.BinaryField(null=True)
    invitation_expires_at = fields.DatetimeField(null=True)
    invited_at = fields.DatetimeField(null=True)
    accepted_at = fields.DatetimeField(null=True)
    created_at = fields.DatetimeField()
    updated_at = fields.DatetimeField()

    class Meta:
        table = "reseller_customer"


class Plan(OwnerRow):
    """What a reseller sells: a price per interval, the features that it includes, and limits.

    ``limits`` maps a quota feature to its maximum; one that is absent is unlimited.
    """

    code = fields.CharField(max_length=50)
    name = fields.CharField(max_length=255)
    price_minor = fields.BigIntField()
    currency = fields.CharField(max_length=3)
    interval = fields.CharField(max_length=10)
    trial_days = fields.SmallIntField(default=0)
    limits: fields.Field[dict[str, Any]] = fields.JSONField(default=dict)
    features: fields.Field[list[str]] = ArrayField(element_type="text")
    is_active = fields.BooleanField(default=True)
    created_at = fields.DatetimeField()
    updated_at = fields.DatetimeField()

    class Meta:
        table = "reseller_plan"


class Subscription(OwnerRow):
    """A customer's subscription to a plan.

    ``price_minor`` is what the current period costs. Periods are counted from ``anchor_at``, number ``period_number``
    being the current one, so that months keep their day. ``remaining_seconds`` is what was left of the period when the
    subscription was paused. ``open_invoice_id`` is the invoice of the current period until it is paid. ``version``
    counts the changes.
    """

    customer_owner_id = fields.BigIntField()
    plan_id = fields.BigIntField()
    pending_plan_id = fields.BigIntField(null=True)
    status = fields.CharField(max_length=10)
    price_minor = fields.BigIntField()
    currency = fields.CharField(max_length=3)
    interval = fields.CharField(max_length=10)
    anchor_at = fields.DatetimeField()
    period_number = fields.IntField()
    current_period_start = fields.DatetimeField()
    current_period_end = fields.DatetimeField()
    trial_ends_at = fields.DatetimeField(null=True)
    is_notice_sent = fields.BooleanField(default=False)
    cancelled_at = fields.DatetimeField(null=True)
    paused_at = fields.DatetimeField(null=True)
    paused_status = fields.CharField(max_length=10, null=True)
    remaining_seconds = fields.DecimalField(max_digits=20, decimal_places=6, null=True)
    payment_due_at = fields.DatetimeField(null=True)
    past_due_at = fields.DatetimeField(null=True)
    retries = fields.SmallIntField(default=0)
    open_invoice_id = fields.BigIntField(null=True)
    activated_at = fields.DatetimeField(null=True)
    ended_at = fields.DatetimeField(null=True)
    version = fields.IntField(default=0)
    next_attempt_at = fields.DatetimeField(null=True)
    leased_until = fields.DatetimeField(null=True)
    attempts = fields.IntField(default=0)
    last_error = fields.TextField(null=True)
    created_at = fields.DatetimeField()
    updated_at = fields.DatetimeField()

    class Meta:
        table = "reseller_subscription"


class Change(OwnerRow):
    """One change of a subscription, at the time at which it was due. ``version`` numbers those of a subscription."""

    subscription_id = fields.BigIntField()
    version = fields.IntField()
    action = fields.CharField(max_length=30)
    status = fields.CharField(max_length=10)
    previous_status = fields.CharField(max_length=10, null=True)
    plan_id = fields.BigIntField()
    invoice_id = fields.BigIntField(null=True)
    occurred_at = fields.DatetimeField()

    class Meta:
        table = "reseller_change"


class Invoice(OwnerRow):
    """An invoice or credit note. That of the platform to the reseller has the reseller as its customer.

    ``sequence`` has no gaps within an issuer and a kind; ``number`` is what people read. ``reference`` is the caller's
    own key: an issuer issues one invoice for it. ``seller`` and ``buyer`` are the parties as they were when it was
    issued. ``credit_minor`` is what the customer's credit pays of the total; negative, what a total below zero added
    to the credit. ``remind_at`` is when the next reminder is due, ``reminders`` how many were.

    A trigger keeps what was issued as it is: later only the status, its times and the reminders change.
    """

    issuer = fields.CharField(max_length=10)
    kind = fields.CharField(max_length=15, default="invoice")
    customer_owner_id = fields.BigIntField()
    subscription_id = fields.BigIntField(null=True)
    credited_invoice_id = fields.BigIntField(null=True)
    reference = fields.CharField(max_length=120)
    sequence = fields.BigIntField(null=True)
    number = fields.CharField(max_length=40, null=True)
    status = fields.CharField(max_length=15)
    currency = fields.CharField(max_length=3)
    subtotal_minor = fields.BigIntField()
    tax_ppm = fields.IntField(default=0)
    tax_minor = fields.BigIntField(default=0)
    total_minor = fields.BigIntField()
    credit_minor = fields.BigIntField(default=0)
    period_start = fields.DatetimeField()
    period_end = fields.DatetimeField()
    issued_at = fields.DatetimeField()
    due_at = fields.DatetimeField()
    paid_at = fields.DatetimeField(null=True)
    voided_at = fields.DatetimeField(null=True)
    written_off_at = fields.DatetimeField(null=True)
    reason = fields.TextField(null=True)
    remind_at = fields.DatetimeField(null=True)
    reminders = fields.SmallIntField(default=0)
    seller: fields.Field[dict[str, Any]] = fields.JSONField(default=dict)
    buyer: fields.Field[dict[str, Any]] = fields.JSONField(default=dict)
    created_at = fields.DatetimeField()

    class Meta:
        table = "reseller_invoice"


class InvoiceLine(OwnerRow):
    """A line of an invoice; the amount of a discount is negative. Amounts are without the tax, which is beside them."""

    invoice_id = fields.BigIntField()
    position = fields.SmallIntField()
    description = fields.CharField(max_length=255)
    quantity = fields.IntField(default=1)
    unit_price_minor = fields.BigIntField()
    amount_minor = fields.BigIntField()
    tax_minor = fields.BigIntField(default=0)
    period_start = fields.DatetimeField(null=True)
    period_end = fields.DatetimeField(null=True)

    class Meta:
        table = "reseller_invoice_line"


class InvoicePayment(OwnerRow):
    """An attempt to collect an invoice, or a payment that the reseller recorded.

    ``reference`` is that of the wallet's entry, of the provider, or what the reseller wrote.
    """

    invoice_id = fields.BigIntField()
    method = fields.CharField(max_length=30)
    status = fields.CharField(max_length=10)
    amount_minor = fields.BigIntField()
    reference = fields.CharField(max_length=200, null=True)
    error = fields.TextField(null=True)
    actor = fields.CharField(max_length=60, null=True)
    created_at = fields.DatetimeField()

    class Meta:
        table = "reseller_invoice_payment"


class InvoiceCounter(OwnerRow):
    """The last number of an issuer's invoices or credit notes.

    Those of the platform, which counts over all resellers, have ``owner_id`` 0.
    """

    issuer = fields.CharField(max_length=10)
    kind = fields.CharField(max_length=15, default="invoice")
    last_number = fields.BigIntField(default=0)

    class Meta:
        table = "reseller_invoice_counter"


class Credit(OwnerRow):
    """What a customer has as credit with its reseller in one currency; the next invoices use it up."""

    customer_owner_id = fields.BigIntField()
    currency = fields.CharField(max_length=3)
    balance_minor = fields.BigIntField(default=0)

    class Meta:
        table = "reseller_credit"
