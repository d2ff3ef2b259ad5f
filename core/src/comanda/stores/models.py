"""Tables of stores."""

from typing import Any

from tortoise import fields
from tortoise.contrib.postgres.fields import ArrayField

from comanda.platform.db.orm.rows import OwnerRow, StoreRow


class StoreSetting(StoreRow):
    """What an owner decided about a store in the settings of one plugin; values left out are the defaults."""

    plugin = fields.CharField(max_length=50)
    values: fields.Field[dict[str, Any]] = fields.JSONField()
    updated_at = fields.DatetimeField()

    class Meta:
        table = "core_store_setting"


class Store(OwnerRow):
    """A place that takes orders.

    ``menu_version`` grows with every change of the menu, prices or terms, ``stock_version`` with every change of stock.
    ``hours`` is the object of ``hours_schemas.HoursBody``; without it the store is always open. ``pace`` is its intake
    status, an ``IntakeStatus``; without it, or after its ``until``, the store is online. ``logo_hash`` and
    ``cover_hash`` are those of its photos.
    """

    title = fields.CharField(max_length=255)
    slug = fields.CharField(max_length=100)
    store_type = fields.CharField(max_length=30)
    template = fields.CharField(max_length=50, default="default")
    currency = fields.CharField(max_length=3)
    timezone = fields.CharField(max_length=50)
    country = fields.CharField(max_length=2, null=True)
    phone = fields.CharField(max_length=30, null=True)
    address = fields.CharField(max_length=500, null=True)
    is_published = fields.BooleanField(default=True)
    is_listed = fields.BooleanField(default=True)
    menu_version = fields.BigIntField(default=1)
    stock_version = fields.BigIntField(default=1)
    hours: fields.Field[dict[str, Any] | None] = fields.JSONField(null=True)
    pace: fields.Field[dict[str, Any] | None] = fields.JSONField(null=True)
    day_start_minutes = fields.SmallIntField(default=240)
    tax_rate_ppm = fields.IntField(default=0)
    is_tax_included = fields.BooleanField(default=True)
    mode_tax_rates: fields.Field[dict[str, int]] = fields.JSONField(default=dict)
    service_charge_ppm = fields.IntField(default=0)
    service_charge_minor = fields.BigIntField(default=0)
    service_charge_modes: fields.Field[list[str]] = ArrayField(element_type="text")
    is_service_charge_taxed = fields.BooleanField(default=False)
    cash_rounding_minor = fields.BigIntField(default=0)
    logo_hash = fields.CharField(max_length=64, null=True)
    cover_hash = fields.CharField(max_length=64, null=True)
    created_at = fields.DatetimeField()

    class Meta:
        table = "core_store"
