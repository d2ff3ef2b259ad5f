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
    return [ModelSet("demobank", ("comanda_demobank.models",), "comanda_migrations.demobank")]


@hookimpl
def register_payment_methods() -> Sequence[PaymentMethod]:
    return [DEMO]


@hookimpl
def register_routes() -> Sequence[Routes]:
    return [routes]


@hookimpl
def register_pages() -> Sequence[Pages]:
    return [pages]


@hookimpl
def register_demo_data() -> Sequence[DemoData]:
    return [
        DemoData("demobank", connect_demo_account),
        DemoData("demobank_charges", pay_demo_charges, needs_stores=True),
    ]
