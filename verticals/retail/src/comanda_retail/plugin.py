"""The retail verticals: the store types retail, cosmetic and clothing."""

from collections.abc import Sequence

from comanda import hookimpl
from comanda.contracts import DemoData, Vertical, VerticalGroup

from comanda_retail.demo import fill

CAPABILITIES = ("brand", "stock", "variants", "packaging", "product_safety", "shipping", "item_times")
MODES = ("in_store", "pickup_slot", "ship", "delivery")


@hookimpl
def register_verticals() -> Sequence[Vertical]:
    return [
        Vertical("retail", "Shop", VerticalGroup.GOODS, (*CAPABILITIES, "by_weight"), MODES),
        Vertical("cosmetic", "Cosmetics shop", VerticalGroup.GOODS, (*CAPABILITIES, "expiry"), MODES),
        Vertical("clothing", "Clothing shop", VerticalGroup.GOODS, CAPABILITIES, MODES),
    ]


@hookimpl
def register_demo_data() -> Sequence[DemoData]:
    return [DemoData("retail", fill)]
