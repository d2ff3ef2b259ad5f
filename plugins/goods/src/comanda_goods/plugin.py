"""Goods: the brands, last days of sale, packaging, weights and makers of a store's items."""

from collections.abc import Sequence

from comanda import hookimpl
from comanda.contracts import Chapter, ItemCapability, ModelSet, OrderParticipant, Routes, StoreSettings

from comanda_goods.item_capabilities import BRAND, BY_WEIGHT, EXPIRY, PACKAGING, PRODUCT_SAFETY
from comanda_goods.participant import DEPOSITS, WEIGHTS
from comanda_goods.routes.brands import routes
from comanda_goods.routes.scale_codes import routes as scale_code_routes
from comanda_goods.store_settings import STORE_SETTINGS


@hookimpl
def register_models() -> Sequence[ModelSet]:
    return [ModelSet("goods", ("comanda_goods.models",), "comanda_migrations.goods")]


@hookimpl
def register_item_capabilities() -> Sequence[ItemCapability]:
    return [BRAND, EXPIRY, PACKAGING, BY_WEIGHT, PRODUCT_SAFETY]


@hookimpl
def register_order_participants() -> Sequence[OrderParticipant]:
    return [DEPOSITS, WEIGHTS]


@hookimpl
def register_store_settings() -> Sequence[StoreSettings]:
    return [STORE_SETTINGS]


@hookimpl
def register_routes() -> Sequence[Routes]:
    return [routes, scale_code_routes]


@hookimpl
def register_docs() -> Sequence[Chapter]:
    return [
        Chapter(
            name="goods",
            title="Selling goods",
            summary="Brands, best-before dates, stock and variants of stores that sell things rather than dishes.",
            package="comanda_goods",
            path="docs/goods.md",
        )
    ]
