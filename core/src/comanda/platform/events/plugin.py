"""Hook implementations of the outbox."""

from collections.abc import Sequence
from datetime import timedelta

from comanda import hookimpl
from comanda.contracts.background.queues import LeasedQueue
from comanda.contracts.background.tasks import Task
from comanda.contracts.data.model_sets import ModelSet
from comanda.platform.events import dispatcher, lanes


@hookimpl
def register_models() -> Sequence[ModelSet]:
    return [ModelSet("core", ("comanda.platform.events.models",), "comanda_migrations.core", logs=(dispatcher.LOG,))]


@hookimpl
def register_tasks() -> Sequence[Task | LeasedQueue]:
    return [dispatcher.QUEUE, lanes.QUEUE, Task("prune_outbox", dispatcher.prune_events, every=timedelta(hours=1))]
