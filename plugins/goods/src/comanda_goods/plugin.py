"""What is sold as goods: brands and best-before dates."""

from collections.abc import Sequence

from comanda import hookimpl
from comanda.contracts.documentation import Chapter
from comanda.contracts.model_sets import ModelSet
from comanda.contracts.routes import Routes
from comanda.contracts.verticals import ItemCapability

from comanda_goods.expiry import sold_out_from
from comanda_goods.keeping import brand_saved
from comanda_goods.routes.brands import routes
from comanda_goods.schemas import BrandFields, ExpiryFields


@hookimpl
def register_models() -> Sequence[ModelSet]:
    """Bring brands, and which item is of which."""
    return [ModelSet("goods", ("comanda_goods.models",), "comanda_migrations.goods")]


@hookimpl
def register_item_capabilities() -> Sequence[ItemCapability]:
    """Let items name their brand and their last day."""
    return [
        ItemCapability("brand", "Brand", BrandFields, saved=brand_saved),
        ItemCapability("expiry", "Last day of sale", ExpiryFields, sold_out_from=sold_out_from),
    ]


@hookimpl
def register_routes() -> Sequence[Routes]:
    """Answer for a store's brands."""
    return [routes]


@hookimpl
def register_docs() -> Sequence[Chapter]:
    """Explain brands, last days, stock and variants."""
    return [
        Chapter(
            name="goods",
            title="Selling goods",
            summary="Brands, best-before dates, stock and variants of stores that sell things rather than dishes.",
            package="comanda_goods",
            path="docs/goods.md",
        )
    ]
