"""The state of the schedule."""

from tortoise import fields
from tortoise.models import Model


class TaskTurn(Model):
    """The last run of a periodic task in any process; the process that updates it runs the task."""

    name = fields.CharField(max_length=100, primary_key=True)
    last_run_at = fields.DatetimeField()

    class Meta:
        table = "core_task_turn"
