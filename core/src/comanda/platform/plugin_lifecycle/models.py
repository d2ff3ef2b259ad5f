"""The record of plugins."""

from typing import Any

from tortoise import fields
from tortoise.models import Model


class PluginRecord(Model):
    """A plugin that has run on this database, whether or not it is installed now.

    ``contributes`` has its tables, store types, fulfillment modes and payment methods, as it last declared them.
    ``away_since`` is set from the first start without the plugin until it has been reconciled after its return;
    ``leased_until`` keeps other processes from reconciling it at the same time.
    """

    name = fields.CharField(max_length=50, primary_key=True)
    distribution = fields.CharField(max_length=200)
    version = fields.CharField(max_length=100)
    contributes: fields.Field[dict[str, Any]] = fields.JSONField()
    last_seen_at = fields.DatetimeField()
    away_since = fields.DatetimeField(null=True)
    leased_until = fields.DatetimeField(null=True)

    class Meta:
        table = "core_plugin"
