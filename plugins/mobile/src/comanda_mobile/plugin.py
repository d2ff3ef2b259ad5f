"""The mobile shell: login, session handover, path configuration and devices."""

from collections.abc import Sequence
from datetime import timedelta

from comanda import hookimpl
from comanda.contracts import Chapter, ModelSet, Pages, PluginSettings, Routes, Task

from comanda_mobile.pages.blueprint import pages
from comanda_mobile.routes.configuration import routes as configuration_routes
from comanda_mobile.routes.devices import routes as device_routes
from comanda_mobile.routes.handoffs import routes as handoff_routes
from comanda_mobile.routes.login import routes as login_routes
from comanda_mobile.settings import MobileSettings
from comanda_mobile.tasks import prune


@hookimpl
def register_models() -> Sequence[ModelSet]:
    """Register the table of handoffs."""
    return [ModelSet("mobile", ("comanda_mobile.models",), "comanda_migrations.mobile")]


@hookimpl
def register_settings() -> type[PluginSettings]:
    """Register the settings of the app: versions, features, support and paths."""
    return MobileSettings


@hookimpl
def register_routes() -> Sequence[Routes]:
    """Register the routes under ``/app``, which answer below the host's root too."""
    groups = [login_routes, configuration_routes, handoff_routes, device_routes]
    return [*groups, *(group.alias("") for group in groups)]


@hookimpl
def register_pages() -> Sequence[Pages]:
    """Register the home page of the app."""
    return [pages]


@hookimpl
def register_tasks() -> Sequence[Task]:
    """Register the hourly deletion of expired handoffs."""
    return [Task("mobile_prune", prune, every=timedelta(hours=1))]


@hookimpl
def register_docs() -> Sequence[Chapter]:
    """Register the chapter for developers of apps."""
    return [
        Chapter(
            name="mobile",
            title="Mobile apps",
            summary="Login of owners and staff, handing a session over to the web view, path configuration, devices.",
            package="comanda_mobile",
            path="docs/mobile.md",
        )
    ]
