"""Goods: the brands of a store's items, and their last day of sale."""

from collections.abc import Sequence

from comanda import hookimpl
from comanda.contracts import Chapter, ItemCapability, ModelSet, Routes

from comanda_goods.item_capabilities import BRAND, EXPIRY
from comanda_goods.routes.brands import routes


@hookimpl
def register_models() -> Sequence[ModelSet]:
    """Register the tables of brands and of the items linked to them."""
    return [ModelSet("goods", ("comanda_goods.models",), "comanda_migrations.goods")]


@hookimpl
def register_item_capabilities() -> Sequence[ItemCapability]:
    """Register the capabilities ``brand`` and ``expiry``."""
    return [BRAND, EXPIRY]


@hookimpl
def register_routes() -> Sequence[Routes]:
    """Register the routes of a store's brands."""
    return [routes]


@hookimpl
def register_docs() -> Sequence[Chapter]:
    """Register the chapter on brands, last days of sale, stock and variants."""
    return [
        Chapter(
            name="goods",
            title="Selling goods",
            summary="Brands, best-before dates, stock and variants of stores that sell things rather than dishes.",
            package="comanda_goods",
            path="docs/goods.md",
        )
    ]
