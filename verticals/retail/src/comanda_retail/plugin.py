"""The retail verticals: the store types retail, cosmetic and clothing."""

from collections.abc import Sequence

from comanda import hookimpl
from comanda.demo import DemoData
from comanda.verticals import Group, Vertical

from comanda_retail.demo import fill

CAPABILITIES = ("brand", "stock", "variants", "shipping")
MODES = ("in_store", "pickup_slot", "ship", "delivery")


@hookimpl
def register_verticals() -> Sequence[Vertical]:
    """Register three store types; cosmetics have an expiry date."""
    return [
        Vertical("retail", "Shop", Group.GOODS, CAPABILITIES, MODES),
        Vertical("cosmetic", "Cosmetics shop", Group.GOODS, (*CAPABILITIES, "expiry"), MODES),
        Vertical("clothing", "Clothing shop", Group.GOODS, CAPABILITIES, MODES),
    ]


@hookimpl
def register_demo_data() -> Sequence[DemoData]:
    """Register the demo bookshop, which also sells homeware."""
    return [DemoData("retail", fill)]
