"""Points and stamps for customers with an account, and rewards that they buy with them."""

from collections.abc import Sequence
from datetime import timedelta

from comanda import hookimpl
from comanda.contracts import (
    Chapter,
    DemoData,
    Event,
    EventHandler,
    ModelSet,
    NavigationEntry,
    OrderParticipant,
    Pages,
    Panel,
    PersonalDataEraser,
    Routes,
    Task,
    Tool,
)
from comanda.orders import OrderPaid, OrderPaymentChanged, OrderStatusChanged

from comanda_loyalty import tasks
from comanda_loyalty.demo import create_demo_programmes
from comanda_loyalty.erasure import ERASER
from comanda_loyalty.event_handlers import update_points
from comanda_loyalty.events import LoyaltyChanged
from comanda_loyalty.pages.dashboard import NAVIGATION, PANELS, dashboard
from comanda_loyalty.participant import REWARDS
from comanda_loyalty.routes import points, programme, staff_orders, store_page
from comanda_loyalty.tools import TOOLS


@hookimpl
def register_models() -> Sequence[ModelSet]:
    return [ModelSet("loyalty", ("comanda_loyalty.models",), "comanda_migrations.loyalty")]


@hookimpl
def register_routes() -> Sequence[Routes]:
    return [programme.routes, points.routes, points.customer_routes, store_page.routes, staff_orders.routes]


@hookimpl
def register_pages() -> Sequence[Pages]:
    return [dashboard.pages]


@hookimpl
def register_navigation() -> Sequence[NavigationEntry]:
    return NAVIGATION


@hookimpl
def register_panels() -> Sequence[Panel]:
    return PANELS


@hookimpl
def register_order_participants() -> Sequence[OrderParticipant]:
    return [REWARDS]


@hookimpl
def register_events() -> Sequence[type[Event]]:
    return [LoyaltyChanged]


@hookimpl
def register_event_handlers() -> Sequence[EventHandler]:
    return [EventHandler("loyalty_points", update_points, (OrderPaid, OrderPaymentChanged, OrderStatusChanged))]


@hookimpl
def register_tasks() -> Sequence[Task]:
    return [Task("loyalty_expire_points", tasks.expire_points, every=timedelta(hours=1))]


@hookimpl
def register_mcp_tools() -> Sequence[Tool]:
    return TOOLS


@hookimpl
def register_erasers() -> Sequence[PersonalDataEraser]:
    return [ERASER]


@hookimpl
def register_docs() -> Sequence[Chapter]:
    summary = "Points and stamps: what orders earn, rewards, expiry, refunds, the ledger."
    return [Chapter("loyalty", "Loyalty", summary, "comanda_loyalty", "docs/loyalty.md")]


@hookimpl
def register_demo_data() -> Sequence[DemoData]:
    return [DemoData("loyalty", create_demo_programmes, needs_stores=True)]
