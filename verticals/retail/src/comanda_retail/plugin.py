"""Shops: the store types retail, cosmetic and clothing."""

from collections.abc import Sequence

from comanda import hookimpl
from comanda.contracts.demo import DemoData
from comanda.contracts.verticals import Group, Vertical

from comanda_retail.demo import fill

CAPABILITIES = ("brand", "stock", "variants", "shipping")
MODES = ("in_store", "pickup_slot", "ship", "delivery")


@hookimpl
def register_verticals() -> Sequence[Vertical]:
    """Offer shops of three kinds; cosmetics have a last day of sale."""
    return [
        Vertical("retail", "Shop", Group.GOODS, CAPABILITIES, MODES),
        Vertical("cosmetic", "Cosmetics shop", Group.GOODS, (*CAPABILITIES, "expiry"), MODES),
        Vertical("clothing", "Clothing shop", Group.GOODS, CAPABILITIES, MODES),
    ]


@hookimpl
def register_demo_data() -> Sequence[DemoData]:
    """Open a bookshop that also sells things for the home."""
    return [DemoData("retail", fill)]
