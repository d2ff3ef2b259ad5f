"""The Universal Commerce Protocol: shopping agents find a store, fill a cart, and order or hand over to its page."""

from collections.abc import Sequence

from comanda import hookimpl
from comanda.contracts import Chapter, Routes, StoreSettings

from comanda_ucp.routes.carts import routes as cart_routes
from comanda_ucp.routes.catalog import routes as catalog_routes
from comanda_ucp.routes.checkouts import routes as checkout_routes
from comanda_ucp.routes.profile import routes as profile_routes
from comanda_ucp.store_settings import STORE_SETTINGS


@hookimpl
def register_routes() -> Sequence[Routes]:
    return [profile_routes, catalog_routes, cart_routes, checkout_routes]


@hookimpl
def register_store_settings() -> Sequence[StoreSettings]:
    return [STORE_SETTINGS]


@hookimpl
def register_docs() -> Sequence[Chapter]:
    summary = "The Universal Commerce Protocol: profiles of stores, catalog, carts and checkouts for shopping agents."
    return [Chapter("ucp", "Shopping agents", summary, "comanda_ucp", "docs/ucp.md")]
