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
    return [ModelSet("mobile", ("comanda_mobile.models",), "comanda_migrations.mobile")]


@hookimpl
def register_settings() -> type[PluginSettings]:
    return MobileSettings


@hookimpl
def register_routes() -> Sequence[Routes]:
    groups = [login_routes, configuration_routes, handoff_routes, device_routes]
    return [*groups, *(group.alias("") for group in groups)]


@hookimpl
def register_pages() -> Sequence[Pages]:
    return [pages]


@hookimpl
def register_tasks() -> Sequence[Task]:
    return [Task("mobile_prune", prune, every=timedelta(hours=1))]


@hookimpl
def register_docs() -> Sequence[Chapter]:
    return [
        Chapter(
            name="mobile",
            title="Mobile apps",
            summary="Login of owners and staff, handing a session over to the web view, path configuration, devices.",
            package="comanda_mobile",
            path="docs/mobile.md",
        )
    ]
