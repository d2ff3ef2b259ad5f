"""Points and stamps for customers with an account, and rewards that they buy with them."""

from collections.abc import Sequence
from datetime import timedelta

from comanda import hookimpl
from comanda.contracts import (
    Chapter,
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
from comanda_loyalty.erasure import ERASER
from comanda_loyalty.event_handlers import update_points
from comanda_loyalty.events import LoyaltyChanged
from comanda_loyalty.pages.dashboard import NAVIGATION, PANELS, dashboard
from comanda_loyalty.participant import REWARDS
from comanda_loyalty.routes import points, programme, store_page
from comanda_loyalty.tools import TOOLS


@hookimpl
def register_models() -> Sequence[ModelSet]:
    """Register the tables of programmes, rewards, accounts and their ledger."""
    return [ModelSet("loyalty", ("comanda_loyalty.models",), "comanda_migrations.loyalty")]


@hookimpl
def register_routes() -> Sequence[Routes]:
    """Register the routes of programmes, rewards and points."""
    return [programme.routes, points.routes, points.customer_routes, store_page.routes]


@hookimpl
def register_pages() -> Sequence[Pages]:
    """Register the pages of loyalty in the dashboard."""
    return [dashboard.pages]


@hookimpl
def register_navigation() -> Sequence[NavigationEntry]:
    """Register the entry of loyalty in the navigation."""
    return NAVIGATION


@hookimpl
def register_panels() -> Sequence[Panel]:
    """Register the points of a customer on their page."""
    return PANELS


@hookimpl
def register_order_participants() -> Sequence[OrderParticipant]:
    """Register the rewards that orders may name."""
    return [REWARDS]


@hookimpl
def register_events() -> Sequence[type[Event]]:
    """Register the event of points that have changed."""
    return [LoyaltyChanged]


@hookimpl
def register_event_handlers() -> Sequence[EventHandler]:
    """Register the handler that books what orders earn."""
    return [EventHandler("loyalty_points", update_points, (OrderPaid, OrderPaymentChanged, OrderStatusChanged))]


@hookimpl
def register_tasks() -> Sequence[Task]:
    """Register the task that lets points expire."""
    return [Task("loyalty_expire_points", tasks.expire_points, every=timedelta(hours=1))]


@hookimpl
def register_mcp_tools() -> Sequence[Tool]:
    """Register the tool with which customers' agents read points."""
    return TOOLS


@hookimpl
def register_erasers() -> Sequence[PersonalDataEraser]:
    """Register the erasure of the reasons of adjustments."""
    return [ERASER]


@hookimpl
def register_docs() -> Sequence[Chapter]:
    """Register the chapter on loyalty."""
    summary = "Points and stamps: what orders earn, rewards, expiry, refunds, the ledger."
    return [Chapter("loyalty", "Loyalty", summary, "comanda_loyalty", "docs/loyalty.md")]
