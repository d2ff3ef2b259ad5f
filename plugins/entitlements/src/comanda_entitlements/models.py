"""The tables of sources, of what they grant together, and of orders counted by month."""

from enum import StrEnum

from comanda.platform.db import OwnerRow
from tortoise import fields
from tortoise.models import Model

Quotas = dict[str, int | None]
"""Features with their quotas; None is unlimited."""


class SourceType(StrEnum):
    """Where an entitlement comes from."""

    PLAN = "plan"
    ADD_ON = "add_on"
    APP = "app"
    ADMIN = "admin"


class OwnerGrants(Model):
    """What the sources of one owner grant together, and the row that is locked while one of them changes.

    ``plan`` is null for an owner without a plan; ``additions`` are the grants of all other sources.
    """

    owner_id = fields.BigIntField(primary_key=True, generated=False)
    plan: fields.Field[Quotas | None] = fields.JSONField(null=True)
    additions: fields.Field[Quotas] = fields.JSONField(default=dict)
    updated_at = fields.DatetimeField()

    class Meta:
        table = "entitlements_owner"


class Source(OwnerRow):
    """One source of an owner's entitlements, such as a plan by its code, and the features that it grants.

    Features whose plugin was removed stay. ``expires_at`` is when a task removes it.
    """

    source_type = fields.CharField(max_length=10)
    source_id = fields.CharField(max_length=100)
    features: fields.Field[Quotas] = fields.JSONField(default=dict)
    expires_at = fields.DatetimeField(null=True)
    created_at = fields.DatetimeField()
    updated_at = fields.DatetimeField()

    class Meta:
        table = "entitlements_source"


class MonthlyOrders(OwnerRow):
    """The number of orders placed in a calendar month (UTC), of an owner with a quota of them."""

    month = fields.DateField()
    orders = fields.IntField()

    class Meta:
        table = "entitlements_monthly_orders"
