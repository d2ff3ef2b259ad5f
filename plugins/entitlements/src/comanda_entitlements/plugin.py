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
    """Register the operator's setting, the default plan."""
    return EntitlementSettings


@hookimpl
def register_models() -> Sequence[ModelSet]:
    """Register the tables of sources, their union, and monthly orders."""
    return [ModelSet("entitlements", ("comanda_entitlements.models",), "comanda_migrations.entitlements")]


@hookimpl
def register_entitlements() -> Sequence[Feature | EntitlementProvider]:
    """Register the provider of entitlements, and the limit of orders per month."""
    return [PROVIDER, ORDERS_PER_MONTH]


@hookimpl
def register_scopes() -> Sequence[Scope]:
    """Register the scope to read entitlements; an owner's token cannot change them."""
    return [Scope("entitlements:read", "Read the features and limits of the plan")]


@hookimpl
def register_routes() -> Sequence[Routes]:
    """Register the list of an owner's entitlements."""
    return [routes]


@hookimpl
def register_pages() -> Sequence[Pages]:
    """Register the pages of an owner's entitlements, and of the grants of administrators."""
    return [dashboard.pages]


@hookimpl
def register_navigation() -> Sequence[NavigationEntry]:
    """Register the owner's entitlements and those of all owners in the navigation."""
    return ENTRIES


@hookimpl
def register_events() -> Sequence[type[Event]]:
    """Register the event of features gained and lost."""
    return [EntitlementChanged]


@hookimpl
def register_order_participants() -> Sequence[OrderParticipant]:
    """Register the counting of orders of owners with a monthly quota."""
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
    """Register the removal of expired sources and of old monthly counts."""
    return [
        Task("entitlements_expire", tasks.remove_expired_sources, every=timedelta(minutes=1)),
        Task("entitlements_prune", tasks.delete_old_counts, every=timedelta(hours=6)),
    ]


@hookimpl
def register_commands() -> Sequence[click.Command]:
    """Register ``comanda entitlements``."""
    return [entitlements]


@hookimpl
def register_docs() -> Sequence[Chapter]:
    """Register the chapter on entitlements."""
    summary = "Features and limits of plans, where they come from, and what is refused beyond them."
    return [Chapter("entitlements", "Entitlements", summary, "comanda_entitlements", "docs/entitlements.md")]
