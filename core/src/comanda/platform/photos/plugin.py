"""Hook implementations of photos."""

from collections.abc import Sequence
from datetime import timedelta

from comanda import hookimpl
from comanda.contracts.background.tasks import Task
from comanda.contracts.data.model_sets import ModelSet
from comanda.contracts.erasure import PersonalDataEraser
from comanda.contracts.requests.routes import Routes
from comanda.platform.photos import sweep
from comanda.platform.photos.routes import routes


@hookimpl
def register_models() -> Sequence[ModelSet]:
    return [ModelSet("core", ("comanda.platform.photos.models",), "comanda_migrations.core")]


@hookimpl
def register_routes() -> Sequence[Routes]:
    return [routes]


@hookimpl
def register_tasks() -> Sequence[Task]:
    return [Task("sweep_photos", sweep.delete_unused_photos, every=timedelta(minutes=10))]


@hookimpl
def register_erasers() -> Sequence[PersonalDataEraser]:
    """Leave the photos of an owner who is erased to the sweep, which also deletes their files."""
    return [sweep.ERASER]
