"""Entitlements: features and quotas of owners from plans, add-ons, apps and administrators."""

from collections.abc import Sequence
from datetime import timedelta

import click
from comanda import hookimpl
from comanda.contracts import (
    Chapter,
    EntitlementProvider,
    Event,
    Feature,
    ModelSet,
    NavigationEntry,
    OrderParticipant,
    Pages,
    Panel,
    PluginSettings,
    Routes,
    Scope,
    Task,
    unaffected,
)

from comanda_entitlements import participant, tasks
from comanda_entitlements.commands import entitlements
from comanda_entitlements.entitlements import ORDERS_PER_MONTH, PROVIDER
from comanda_entitlements.events import EntitlementChanged
from comanda_entitlements.navigation import ENTRIES
from comanda_entitlements.pages import administration, dashboard, own_entitlements
from comanda_entitlements.routes.entitlements import routes
from comanda_entitlements.settings import EntitlementSettings

# The modules register their pages when they are imported.
DASHBOARD_PAGES = (own_entitlements, administration)


@hookimpl
def register_settings() -> type[PluginSettings]:
    return EntitlementSettings


@hookimpl
def register_models() -> Sequence[ModelSet]:
    return [ModelSet("entitlements", ("comanda_entitlements.models",), "comanda_migrations.entitlements")]


@hookimpl
def register_entitlements() -> Sequence[Feature | EntitlementProvider]:
    return [PROVIDER, ORDERS_PER_MONTH]


@hookimpl
def register_scopes() -> Sequence[Scope]:
    return [Scope("entitlements:read", "Read the features and limits of the plan")]


@hookimpl
def register_routes() -> Sequence[Routes]:
    return [routes]


@hookimpl
def register_pages() -> Sequence[Pages]:
    return [dashboard.pages]


@hookimpl
def register_navigation() -> Sequence[NavigationEntry]:
    return ENTRIES


@hookimpl
def register_panels() -> Sequence[Panel]:
    return administration.PANELS


@hookimpl
def register_events() -> Sequence[type[Event]]:
    return [EntitlementChanged]


@hookimpl
def register_order_participants() -> Sequence[OrderParticipant]:
    return [
        OrderParticipant(
            "entitlements",
            priority=participant.PRIORITY,
            load=participant.load,
            concerns=participant.has_quota,
            placed=participant.count_order,
            amended=unaffected,
        )
    ]


@hookimpl
def register_tasks() -> Sequence[Task]:
    return [
        Task("entitlements_expire", tasks.remove_expired_sources, every=timedelta(minutes=1)),
        Task("entitlements_prune", tasks.delete_old_counts, every=timedelta(hours=6)),
    ]


@hookimpl
def register_commands() -> Sequence[click.Command]:
    return [entitlements]


@hookimpl
def register_docs() -> Sequence[Chapter]:
    summary = "Features and limits of plans, where they come from, and what is refused beyond them."
    return [Chapter("entitlements", "Entitlements", summary, "comanda_entitlements", "docs/entitlements.md")]
