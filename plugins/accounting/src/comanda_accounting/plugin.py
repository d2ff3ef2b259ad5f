"""Accounting: closed days as files for bookkeeping."""

from collections.abc import Sequence

from comanda import hookimpl
from comanda.contracts import Chapter, NavigationEntry, Pages, Routes, StoreSettings

from comanda_accounting.pages.dashboard import NAVIGATION, dashboard
from comanda_accounting.routes.bookings import routes
from comanda_accounting.store_settings import STORE_SETTINGS


@hookimpl
def register_store_settings() -> Sequence[StoreSettings]:
    return [STORE_SETTINGS]


@hookimpl
def register_routes() -> Sequence[Routes]:
    return [routes]


@hookimpl
def register_pages() -> Sequence[Pages]:
    return [dashboard.pages]


@hookimpl
def register_navigation() -> Sequence[NavigationEntry]:
    return [NAVIGATION]


@hookimpl
def register_docs() -> Sequence[Chapter]:
    summary = "Closed days for bookkeeping: a journal as CSV, DATEV, and which account is for what."
    return [Chapter("accounting", "Accounting", summary, "comanda_accounting", "docs/accounting.md")]
