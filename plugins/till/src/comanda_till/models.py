"""The table of customer displays."""

from tortoise import fields
from tortoise.models import Model


class Display(Model):
    """A customer display of a till: any device that has its address, and what the till shows there now."""

    id = fields.BigIntField(primary_key=True)
    owner_id = fields.BigIntField()
    store_id = fields.BigIntField()
    code_hash = fields.BinaryField()
    created_by = fields.CharField(max_length=50)
    created_at = fields.DatetimeField()
    shown = fields.JSONField[dict[str, object]](null=True)

    class Meta:
        table = "till_display"
