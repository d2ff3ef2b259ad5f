"""The state of the schedule."""

from tortoise import fields
from tortoise.models import Model


class TaskTurn(Model):
    """The last start of a periodic task in any process; the process that updates it starts the task.

    The task runs until ``running_until`` at least, in the process that calls itself ``runner``, which renews it.
    """

    name = fields.CharField(max_length=100, primary_key=True)
    last_run_at = fields.DatetimeField()
    running_until = fields.DatetimeField(null=True)
    runner = fields.CharField(max_length=16, null=True)

    class Meta:
        table = "core_task_turn"
