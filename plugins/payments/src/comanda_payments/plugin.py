"""Payments, refunds, gift cards and store credit, with ledgers that balance."""

from collections.abc import Sequence
from datetime import timedelta

import click
from comanda import hookimpl
from comanda.contracts import (
    CashOnDelivery,
    Chapter,
    DemoData,
    EntitlementProvider,
    Event,
    EventHandler,
    Feature,
    MessageTemplate,
    ModelSet,
    NavigationEntry,
    OnlinePayments,
    OrderParticipant,
    Pages,
    Panel,
    PaymentMethod,
    PersonalDataEraser,
    Routes,
    Scope,
    Section,
    StoreSettings,
    Task,
    create_scopes,
)

from comanda_payments import sections, tasks
from comanda_payments.cash_on_delivery import CASH_ON_DELIVERY
from comanda_payments.commands import payments
from comanda_payments.demo import create_payments
from comanda_payments.entitlements import PLATFORM_FEE
from comanda_payments.erasure import ERASER
from comanda_payments.event_handlers import send_receipts
from comanda_payments.events import (
    PaymentAccountChanged,
    PaymentDisputeChanged,
    PayoutChanged,
    PrepaymentChanged,
    RefundCompleted,
)
from comanda_payments.message_templates import DEPOSIT_PAID, GIFT_CARD_SOLD
from comanda_payments.online_payments import ONLINE_PAYMENTS
from comanda_payments.pages import (
    administration,
    gift_cards,
    guest_gift_cards,
    payment_accounts,
    payouts,
    prepayments,
    store_credit,
)
from comanda_payments.pages.blueprint import pages
from comanda_payments.pages.dashboard import PANELS, dashboard
from comanda_payments.pages.routes import routes as page_routes
from comanda_payments.participant import AMENDMENTS, PAY_FIRST
from comanda_payments.payment_methods import PAYMENT_METHODS
from comanda_payments.routes.customer_payments import routes as customer_routes
from comanda_payments.routes.driver_cash import routes as driver_cash_routes
from comanda_payments.routes.driver_cash import staff_routes as staff_driver_cash_routes
from comanda_payments.routes.gift_cards import customer_routes as customer_card_routes
from comanda_payments.routes.gift_cards import routes as card_routes
from comanda_payments.routes.guests import routes as guest_routes
from comanda_payments.routes.payment_accounts import routes as account_routes
from comanda_payments.routes.payments import routes as payment_routes
from comanda_payments.routes.payouts import routes as payout_routes
from comanda_payments.routes.prepayments import routes as prepayment_routes
from comanda_payments.routes.provider_webhooks import routes as webhook_routes
from comanda_payments.routes.staff_payments import routes as staff_routes
from comanda_payments.routes.store_credit import customer_routes as customer_credit_routes
from comanda_payments.routes.store_credit import routes as credit_routes
from comanda_payments.services.accounts.account_rows import CREDENTIALS_COLUMN
from comanda_payments.services.balances.gift_card_codes import SOLD_CODE_COLUMN
from comanda_payments.services.providers.due_checks import RECONCILE_TASK
from comanda_payments.store_settings import STORE_SETTINGS

# The modules register their pages when they are imported.
DASHBOARD_PAGES = (administration, gift_cards, payment_accounts, payouts, prepayments, store_credit)


@hookimpl
def register_models() -> Sequence[ModelSet]:
    encrypted = (CREDENTIALS_COLUMN, SOLD_CODE_COLUMN)
    return [ModelSet("payments", ("comanda_payments.models",), "comanda_migrations.payments", encrypted)]


@hookimpl
def register_scopes() -> Sequence[Scope]:
    return create_scopes("payments", "the accounts that online payments go to")


@hookimpl
def register_entitlements() -> Sequence[Feature | EntitlementProvider]:
    return [PLATFORM_FEE]


@hookimpl
def register_commands() -> Sequence[click.Command]:
    return [payments]


@hookimpl
def register_routes() -> Sequence[Routes]:
    return [
        account_routes, payout_routes, payment_routes, card_routes, credit_routes, customer_routes,
        customer_card_routes, customer_credit_routes, staff_routes, webhook_routes, page_routes, driver_cash_routes,
        staff_driver_cash_routes, prepayment_routes, guest_routes,
    ]  # fmt: skip


@hookimpl
def register_order_participants() -> Sequence[OrderParticipant]:
    return [AMENDMENTS, PAY_FIRST]


@hookimpl
def register_store_settings() -> Sequence[StoreSettings]:
    return [STORE_SETTINGS]


@hookimpl
def register_message_templates() -> Sequence[MessageTemplate]:
    return [GIFT_CARD_SOLD, DEPOSIT_PAID]


@hookimpl
def register_event_handlers() -> Sequence[EventHandler]:
    return [EventHandler("payments_receipts", send_receipts, (PrepaymentChanged,))]


@hookimpl
def register_pages() -> Sequence[Pages]:
    return [pages, guest_gift_cards.pages, dashboard.pages]


@hookimpl
def register_navigation() -> Sequence[NavigationEntry]:
    return [payment_accounts.NAVIGATION, *gift_cards.NAVIGATION, prepayments.NAVIGATION]


@hookimpl
def register_panels() -> Sequence[Panel]:
    return [*PANELS, *store_credit.PANELS, *administration.PANELS]


@hookimpl
def register_sections() -> Sequence[Section]:
    return [sections.PAY_URL_SECTION, sections.REFUND_SECTION]


@hookimpl
def register_payment_methods() -> Sequence[PaymentMethod]:
    return PAYMENT_METHODS


@hookimpl
def register_online_payments() -> Sequence[OnlinePayments]:
    return [ONLINE_PAYMENTS]


@hookimpl
def register_cash_on_delivery() -> Sequence[CashOnDelivery]:
    return [CASH_ON_DELIVERY]


@hookimpl
def register_events() -> Sequence[type[Event]]:
    return [RefundCompleted, PaymentDisputeChanged, PrepaymentChanged, PayoutChanged, PaymentAccountChanged]


@hookimpl
def register_tasks() -> Sequence[Task]:
    return [
        Task(RECONCILE_TASK, tasks.reconcile, every=timedelta(minutes=1)),
        Task("payments_check_accounts", tasks.check_accounts, every=timedelta(minutes=5)),
    ]


@hookimpl
def register_demo_data() -> Sequence[DemoData]:
    return [DemoData("payments", create_payments, needs_stores=True)]


@hookimpl
def register_erasers() -> Sequence[PersonalDataEraser]:
    return [ERASER]


@hookimpl
def register_docs() -> Sequence[Chapter]:
    return [
        Chapter(
            name="payments",
            title="Payments",
            summary="Tenders, cash rounding, splitting a bill, refunds, gift cards, store credit, a gateway.",
            package="comanda_payments",
            path="docs/payments.md",
        )
    ]
