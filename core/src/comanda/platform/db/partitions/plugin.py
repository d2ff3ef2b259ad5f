"""Hook implementations of partitions."""

from collections.abc import Sequence
from datetime import timedelta

from comanda import hookimpl
from comanda.contracts.tasks import Task
from comanda.platform.db.partitions import services


@hookimpl
def register_tasks() -> Sequence[Task]:
    """Register the upkeep of partitions."""
    return [Task("maintain_partitions", services.maintain_partitions, every=timedelta(hours=1))]
