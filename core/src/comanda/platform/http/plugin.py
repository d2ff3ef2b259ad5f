"""Hook implementations of requests."""

from collections.abc import Sequence
from datetime import timedelta

from comanda import hookimpl
from comanda.contracts.background.tasks import Task
from comanda.contracts.data.model_sets import ModelSet
from comanda.platform.http import stored_answers


@hookimpl
def register_models() -> Sequence[ModelSet]:
    encrypted = (stored_answers.ANSWER_COLUMN,)
    return [ModelSet("core", ("comanda.platform.http.models",), "comanda_migrations.core", encrypted=encrypted)]


@hookimpl
def register_tasks() -> Sequence[Task]:
    return [Task("prune_stored_answers", stored_answers.delete_old_answers, every=timedelta(hours=1))]
