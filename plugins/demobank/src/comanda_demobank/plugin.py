"""A payment provider for development, whose page plays the bank."""

from collections.abc import Sequence

from comanda import hookimpl
from comanda.contracts import DemoData, ModelSet, Pages, PaymentMethod, Routes

from comanda_demobank.demo import connect_demo_account, pay_demo_charges
from comanda_demobank.pages.bank import pages
from comanda_demobank.payment_methods import DEMO
from comanda_demobank.routes.answers import routes


@hookimpl
def register_models() -> Sequence[ModelSet]:
    """Register the tables of charges, card readers and refunds."""
    return [ModelSet("demobank", ("comanda_demobank.models",), "comanda_migrations.demobank")]


@hookimpl
def register_payment_methods() -> Sequence[PaymentMethod]:
    """Register payments at the demo bank."""
    return [DEMO]


@hookimpl
def register_routes() -> Sequence[Routes]:
    """Register the targets of the forms of its pages."""
    return [routes]


@hookimpl
def register_pages() -> Sequence[Pages]:
    """Register the pages that play the bank and its card readers."""
    return [pages]


@hookimpl
def register_demo_data() -> Sequence[DemoData]:
    """Register the account of the demo's owner, and what its guests have paid."""
    return [
        DemoData("demobank", connect_demo_account),
        DemoData("demobank_charges", pay_demo_charges, needs_stores=True),
    ]
