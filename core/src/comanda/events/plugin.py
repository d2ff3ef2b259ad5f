"""Hook implementations of the outbox."""

from collections.abc import Sequence
from datetime import timedelta

from comanda import hookimpl
from comanda.contracts.model_sets import ModelSet
from comanda.contracts.tasks import QueueWorker, Task
from comanda.events import dispatcher
from comanda.events.outbox import CHANNEL


@hookimpl
def register_models() -> Sequence[ModelSet]:
    """Register the tables of the outbox."""
    return [ModelSet("core", ("comanda.events.models",), "comanda_migrations.core")]


@hookimpl
def register_tasks() -> Sequence[Task | QueueWorker]:
    """Register the event dispatcher and the deletion of old events."""
    return [
        QueueWorker("outbox", CHANNEL, dispatcher.run),
        Task("prune_outbox", dispatcher.prune_events, every=timedelta(hours=1)),
    ]
