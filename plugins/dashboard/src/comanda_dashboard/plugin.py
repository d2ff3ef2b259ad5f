"""The dashboard: orders, menu, stores and the account in a browser."""

from collections.abc import Sequence

from comanda import hookimpl
from comanda.contracts import Link, NavigationEntry, Pages, Panel

from comanda_dashboard.navigation import ENTRIES
from comanda_dashboard.pages import (
    account,
    administration,
    dashboard,
    opening_hours,
    privacy,
    queues,
    search_results,
    store_creation,
    store_settings,
    system,
    today,
    tokens,
)
from comanda_dashboard.pages.audit import log
from comanda_dashboard.pages.menu import (
    bulk_fields,
    categories,
    imports,
    items,
    overview,
    photos,
    price_lists,
    prices,
    starters,
    variants,
)
from comanda_dashboard.pages.orders import details, new_orders, order_list
from comanda_dashboard.panels import PANELS

# The modules register their pages when they are imported.
MENU_PAGES = (overview, bulk_fields, categories, imports, items, photos, price_lists, prices, starters, variants)
ORDER_PAGES = (order_list, details, new_orders)
STORE_PAGES = (today, search_results, store_creation, store_settings, opening_hours, privacy)
OTHER_PAGES = (account, tokens, log, administration, queues, system)


@hookimpl
def register_pages() -> Sequence[Pages]:
    link = Link("Dashboard", "/dashboard", "For owners and staff: orders, menu, customers, reports and settings.")
    return [Pages(dashboard.blueprint, links=(link,))]


@hookimpl
def register_navigation() -> Sequence[NavigationEntry]:
    return ENTRIES


@hookimpl
def register_panels() -> Sequence[Panel]:
    return PANELS
