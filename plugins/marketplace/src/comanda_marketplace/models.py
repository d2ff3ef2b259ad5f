"""The tables of the marketplace: apps, their screenshots, the terms of installations, usage and charges."""

from enum import StrEnum

from comanda.platform.db import OwnerRow
from tortoise import fields
from tortoise.contrib.postgres.fields import ArrayField
from tortoise.models import Model


class Category(StrEnum):
    """What an app is for."""

    ACCOUNTING = "accounting"
    ANALYTICS = "analytics"
    DELIVERY = "delivery"
    INVENTORY = "inventory"
    LOYALTY = "loyalty"
    MARKETING = "marketing"
    OPERATIONS = "operations"
    STAFF = "staff"
    OTHER = "other"


class AppStatus(StrEnum):
    """The state of an app's listing. Only an ``approved`` app is listed and can be installed by everyone."""

    DRAFT = "draft"
    SUBMITTED = "submitted"
    IN_REVIEW = "in_review"
    APPROVED = "approved"
    REJECTED = "rejected"
    DELISTED = "delisted"


class Billing(StrEnum):
    """What an app charges: nothing, a price per period, or a price per reported unit."""

    FREE = "free"
    RECURRING = "recurring"
    USAGE = "usage"


class BillingStatus(StrEnum):
    """The state of an installation's recurring charges; ``none`` for an app without them.

    A ``past_due`` charge is retried; after the last retry it is ``lapsed``, and what the app granted is revoked.
    """

    NONE = "none"
    TRIALING = "trialing"
    ACTIVE = "active"
    PAST_DUE = "past_due"
    LAPSED = "lapsed"
    ENDED = "ended"


class App(OwnerRow):
    """An app of a developer, with the OAuth client ``client_row_id`` that acts for it.

    ``price`` is per period or per unit, in ``currency``. ``features`` are those that an administrator lets the app
    grant. ``webhook_secret`` is encrypted, and so is ``old_webhook_secret``, valid until ``old_secret_expires_at``.
    """

    client_row_id = fields.BigIntField()
    client_id = fields.CharField(max_length=100)
    name = fields.CharField(max_length=80)
    category = fields.CharField(max_length=20)
    status = fields.CharField(max_length=10, default=AppStatus.DRAFT.value)
    rejection_reason = fields.CharField(max_length=2000, null=True)
    scopes: fields.Field[list[str]] = ArrayField(element_type="text")
    redirect_uris: fields.Field[list[str]] = ArrayField(element_type="text")
    embed_url = fields.CharField(max_length=2048, null=True)
    webhook_url = fields.CharField(max_length=2048, null=True)
    webhook_events: fields.Field[list[str]] = ArrayField(element_type="text")
    webhook_secret = fields.TextField(default="")
    old_webhook_secret = fields.TextField(default="")
    old_secret_expires_at = fields.DatetimeField(null=True)
    billing = fields.CharField(max_length=10, default=Billing.FREE.value)
    price = fields.DecimalField(max_digits=18, decimal_places=6, default=0)
    currency = fields.CharField(max_length=3)
    period_days = fields.IntField(default=30)
    trial_days = fields.IntField(default=0)
    features: fields.Field[list[str]] = ArrayField(element_type="text")
    tagline = fields.CharField(max_length=140, default="")
    description = fields.TextField(default="")
    links: fields.Field[dict[str, str]] = fields.JSONField()
    contact_email = fields.CharField(max_length=254, null=True)
    submitted_at = fields.DatetimeField(null=True)
    reviewed_at = fields.DatetimeField(null=True)
    created_at = fields.DatetimeField()
    updated_at = fields.DatetimeField()

    class Meta:
        table = "marketplace_app"


class Screenshot(OwnerRow):
    """A screenshot of an app, by the hash of its content; ``sizes`` are ``{width, height}``, smallest first."""

    app_id = fields.BigIntField()
    hash = fields.CharField(max_length=64)
    sizes: fields.Field[list[dict[str, int]]] = fields.JSONField()
    alt = fields.CharField(max_length=255, default="")
    created_at = fields.DatetimeField()

    class Meta:
        table = "marketplace_screenshot"


class Installation(Model):
    """The terms on which an owner installed an app; ``id`` is that of the installation of the plugin oauth.

    ``price``, ``billing``, ``currency`` and ``period_days`` are those that the owner agreed to. ``usage_month`` and
    ``usage_minor`` count what was charged for usage in that month. ``next_charge_at`` is when a recurring charge is
    due, and ``failed_attempts`` how often it failed. ``erasure_due_at`` is set by the uninstallation until the app has
    been asked to erase the owner's data, and then ``endpoint_expires_at`` until its endpoint is deleted.
    """

    id = fields.BigIntField(primary_key=True, generated=False)
    owner_id = fields.BigIntField()
    app_id = fields.BigIntField()
    developer_id = fields.BigIntField()
    client_row_id = fields.BigIntField()
    billing = fields.CharField(max_length=10)
    price = fields.DecimalField(max_digits=18, decimal_places=6)
    currency = fields.CharField(max_length=3)
    period_days = fields.IntField()
    monthly_cap_minor = fields.BigIntField(null=True)
    usage_month = fields.DateField(null=True)
    usage_minor = fields.BigIntField(default=0)
    billing_status = fields.CharField(max_length=10, default=BillingStatus.NONE.value)
    period_start = fields.DatetimeField(null=True)
    period_end = fields.DatetimeField(null=True)
    next_charge_at = fields.DatetimeField(null=True)
    failed_attempts = fields.SmallIntField(default=0)
    trial_days = fields.IntField(default=0)
    installed_at = fields.DatetimeField()
    uninstalled_at = fields.DatetimeField(null=True)
    erasure_due_at = fields.DatetimeField(null=True)
    endpoint_expires_at = fields.DatetimeField(null=True)

    class Meta:
        table = "marketplace_installation"


class Usage(OwnerRow):
    """Usage that an app reported, and what was charged for it; ``balance_minor`` is the wallet's balance afterwards."""

    installation_id = fields.BigIntField()
    app_id = fields.BigIntField()
    ref = fields.CharField(max_length=120, null=True)
    quantity = fields.DecimalField(max_digits=24, decimal_places=6)
    unit_price = fields.DecimalField(max_digits=18, decimal_places=6)
    amount_minor = fields.BigIntField()
    currency = fields.CharField(max_length=3)
    balance_minor = fields.BigIntField()
    created_at = fields.DatetimeField()

    class Meta:
        table = "marketplace_usage"


class Charge(OwnerRow):
    """A recurring charge that was paid for one period of an installation."""

    installation_id = fields.BigIntField()
    app_id = fields.BigIntField()
    period_start = fields.DatetimeField()
    period_end = fields.DatetimeField()
    amount_minor = fields.BigIntField()
    currency = fields.CharField(max_length=3)
    created_at = fields.DatetimeField()

    class Meta:
        table = "marketplace_charge"
