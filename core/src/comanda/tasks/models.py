"""The schedule's memory."""

from tortoise import fields
from tortoise.models import Model


class TaskTurn(Model):
    """When a periodic task last ran anywhere; whoever moves this forward runs it."""

    name = fields.CharField(max_length=100, primary_key=True)
    last_run_at = fields.DatetimeField()

    class Meta:
        table = "core_task_turn"
