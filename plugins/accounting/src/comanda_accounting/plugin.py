"""Accounting: closed days as files for bookkeeping."""

from collections.abc import Sequence

from comanda import hookimpl
from comanda.contracts import Chapter, NavigationEntry, Pages, Routes, StoreSettings

from comanda_accounting.pages.accounting import NAVIGATION, dashboard
from comanda_accounting.routes.accounting import routes
from comanda_accounting.store_settings import STORE_SETTINGS


@hookimpl
def register_store_settings() -> Sequence[StoreSettings]:
    """Register the accounts of stores, and their numbers at DATEV."""
    return [STORE_SETTINGS]


@hookimpl
def register_routes() -> Sequence[Routes]:
    """Register the files of closed days."""
    return [routes]


@hookimpl
def register_pages() -> Sequence[Pages]:
    """Register the page of accounting in the dashboard."""
    return [dashboard.pages]


@hookimpl
def register_navigation() -> Sequence[NavigationEntry]:
    """Register the entry of accounting in the navigation."""
    return [NAVIGATION]


@hookimpl
def register_docs() -> Sequence[Chapter]:
    """Register the chapter on accounting."""
    summary = "Closed days for bookkeeping: a journal as CSV, DATEV, and which account is for what."
    return [Chapter("accounting", "Accounting", summary, "comanda_accounting", "docs/accounting.md")]
