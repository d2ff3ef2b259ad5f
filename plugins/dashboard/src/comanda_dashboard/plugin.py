"""The dashboard: orders, menu, stores and the account in a browser."""

from collections.abc import Sequence

from comanda import hookimpl
from comanda.contracts import Link, NavigationEntry, Pages, Panel

from comanda_dashboard.navigation import ENTRIES
from comanda_dashboard.pages import (
    account,
    administration,
    audit_log,
    dashboard,
    menu,
    menu_categories,
    menu_imports,
    menu_items,
    menu_photos,
    menu_prices,
    menu_starters,
    menu_variants,
    new_orders,
    opening_hours,
    order_details,
    orders,
    privacy,
    queues,
    search_results,
    store_creation,
    store_settings,
    system,
    today,
    tokens,
)
from comanda_dashboard.panels import PANELS

# The modules register their pages when they are imported.
PAGES = (
    account,
    administration,
    audit_log,
    menu,
    menu_categories,
    menu_imports,
    menu_items,
    menu_photos,
    menu_prices,
    menu_starters,
    menu_variants,
    new_orders,
    opening_hours,
    order_details,
    orders,
    privacy,
    queues,
    search_results,
    store_creation,
    store_settings,
    system,
    today,
    tokens,
)


@hookimpl
def register_pages() -> Sequence[Pages]:
    """Register the pages of orders, menus, stores and the account."""
    link = Link("Dashboard", "/dashboard", "For owners and staff: orders, menu, customers, reports and settings.")
    return [Pages(dashboard.blueprint, links=(link,))]


@hookimpl
def register_navigation() -> Sequence[NavigationEntry]:
    """Register the entries of these pages."""
    return ENTRIES


@hookimpl
def register_panels() -> Sequence[Panel]:
    """Register the items that are sold out."""
    return PANELS
