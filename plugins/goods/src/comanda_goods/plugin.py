"""Goods: the brands of a store's items, and their last day of sale."""

from collections.abc import Sequence

from comanda import hookimpl
from comanda.contracts import Chapter, ItemCapability, ModelSet, Routes

from comanda_goods.item_capabilities import BRAND, EXPIRY
from comanda_goods.routes.brands import routes


@hookimpl
def register_models() -> Sequence[ModelSet]:
    return [ModelSet("goods", ("comanda_goods.models",), "comanda_migrations.goods")]


@hookimpl
def register_item_capabilities() -> Sequence[ItemCapability]:
    return [BRAND, EXPIRY]


@hookimpl
def register_routes() -> Sequence[Routes]:
    return [routes]


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
