"""Tenders, refunds, gift cards and store credit, in ledgers that balance."""

from collections.abc import Sequence
from datetime import timedelta

from comanda import hookimpl
from comanda.contracts.cash_on_delivery import CashOnDelivery
from comanda.contracts.documentation import Chapter
from comanda.contracts.erasure import PersonalDataEraser
from comanda.contracts.events import Event
from comanda.contracts.model_sets import ModelSet
from comanda.contracts.pages import Pages
from comanda.contracts.payments import PaymentMethod
from comanda.contracts.routes import Routes
from comanda.contracts.sections import Section
from comanda.contracts.settings import PluginSettings
from comanda.contracts.tasks import QueueWorker, Task

from comanda_payments import tasks, tracking
from comanda_payments.cash_on_delivery import CASH_ON_DELIVERY
from comanda_payments.erasing import ERASER
from comanda_payments.events import OrderPaid, RefundCompleted
from comanda_payments.methods import METHODS
from comanda_payments.pages.blueprint import pages
from comanda_payments.pages.routes import routes as page_routes
from comanda_payments.routes.callbacks import routes as callback_routes
from comanda_payments.routes.credit import routes as credit_routes
from comanda_payments.routes.customer import routes as customer_routes
from comanda_payments.routes.driver_cash import routes as driver_cash_routes
from comanda_payments.routes.driver_cash import staff_routes as staff_driver_cash_routes
from comanda_payments.routes.gift_cards import routes as card_routes
from comanda_payments.routes.payments import routes as payment_routes
from comanda_payments.routes.staff import routes as staff_routes
from comanda_payments.settings import PaymentSettings


@hookimpl
def register_settings() -> type[PluginSettings]:
    """Let the operator name the gateway."""
    return PaymentSettings


@hookimpl
def register_models() -> Sequence[ModelSet]:
    """Bring payments and refunds, gift cards and store credit."""
    return [ModelSet("payments", ("comanda_payments.models",), "comanda_migrations.payments")]


@hookimpl
def register_routes() -> Sequence[Routes]:
    """Answer for payments, refunds, gift cards, credit, and to the gateway's callbacks."""
    return [
        payment_routes, card_routes, credit_routes, customer_routes, staff_routes, callback_routes, page_routes,
        driver_cash_routes, staff_driver_cash_routes,
    ]  # fmt: skip


@hookimpl
def register_pages() -> Sequence[Pages]:
    """Let guests pay online, by the address of their order."""
    return [pages]


@hookimpl
def register_sections() -> Sequence[Section]:
    """Say where an order can be paid."""
    return [tracking.PAY_URL]


@hookimpl
def register_payment_methods() -> Sequence[PaymentMethod]:
    """Offer cash, cards, gift cards, credit, and a gateway with a page of its own."""
    return METHODS


@hookimpl
def register_cash_on_delivery() -> Sequence[CashOnDelivery]:
    """Book the cash that drivers take, and keep what each of them holds."""
    return [CASH_ON_DELIVERY]


@hookimpl
def register_events() -> Sequence[type[Event]]:
    """Announce orders that are paid, and money that went back."""
    return [OrderPaid, RefundCompleted]


@hookimpl
def register_tasks() -> Sequence[Task | QueueWorker]:
    """Ask the gateway about what is pending."""
    return [Task("payments_reconcile", tasks.reconcile, every=timedelta(minutes=1))]


@hookimpl
def register_erasers() -> Sequence[PersonalDataEraser]:
    """Forget what was written beside the money of people who are erased."""
    return [ERASER]


@hookimpl
def register_docs() -> Sequence[Chapter]:
    """Explain payments to owners and to whoever builds a till."""
    return [
        Chapter(
            name="payments",
            title="Payments",
            summary="Tenders, cash rounding, splitting a bill, refunds, gift cards, store credit, a gateway.",
            package="comanda_payments",
            path="docs/payments.md",
        )
    ]
