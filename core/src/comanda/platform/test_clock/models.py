"""The table of the test clock."""

from tortoise import fields
from tortoise.models import Model


class Clock(Model):
    """How far the test clock is ahead of real time: one row, or none before the first advance."""

    id = fields.SmallIntField(primary_key=True, generated=False)
    offset_seconds = fields.BigIntField()

    class Meta:
        table = "core_clock"
