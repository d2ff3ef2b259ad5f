"""Hook implementations of clusters and partitions."""

from collections.abc import Sequence
from datetime import timedelta

import click
from comanda import hookimpl
from comanda.contracts import DatabaseUpkeep, Task

from comanda_cluster.commands import distribute, partitions
from comanda_cluster.services.distribution.steps import update_distribution
from comanda_cluster.services.partitions import upkeep
from comanda_cluster.services.partitions.checks import check_partitions


@hookimpl
def register_commands() -> Sequence[click.Command]:
    return [distribute, partitions]


@hookimpl
def register_database_upkeep() -> Sequence[DatabaseUpkeep]:
    """Distribute new tables after migrations, and check partitions."""
    return [DatabaseUpkeep("cluster", update_distribution, check_partitions)]


@hookimpl
def register_tasks() -> Sequence[Task]:
    """Create partitions ahead and drop old ones, every hour."""
    return [Task("maintain_partitions", upkeep.maintain_partitions, every=timedelta(hours=1))]
