"""Selling to the public: storefront tokens, the storefront API, carts for agents, pages and QR codes."""

from collections.abc import Sequence
from datetime import timedelta

from comanda import hookimpl
from comanda.contracts.callers import CallerKind
from comanda.contracts.demo import DemoData
from comanda.contracts.documentation import Chapter
from comanda.contracts.erasure import PersonalDataEraser
from comanda.contracts.mcp import Tool
from comanda.contracts.model_sets import ModelSet
from comanda.contracts.order_participants import OrderParticipant
from comanda.contracts.pages import Pages
from comanda.contracts.routes import Routes
from comanda.contracts.tasks import QueueWorker, Task

from comanda_storefront import tasks
from comanda_storefront.carts import converting
from comanda_storefront.demo import fill
from comanda_storefront.erasing import ERASER
from comanda_storefront.kinds import STOREFRONT
from comanda_storefront.pages.blueprint import pages
from comanda_storefront.pages.routes import routes as page_routes
from comanda_storefront.routes.qr import routes as qr_routes
from comanda_storefront.routes.shop import routes as shop_routes
from comanda_storefront.routes.tokens import routes as token_routes
from comanda_storefront.tools import TOOLS


@hookimpl
def register_caller_kinds() -> Sequence[CallerKind]:
    """Introduce the token of one store's public side."""
    return [STOREFRONT]


@hookimpl
def register_routes() -> Sequence[Routes]:
    """Show a store and take its orders; let owners manage tokens and draw QR codes."""
    return [shop_routes, token_routes, qr_routes, page_routes]


@hookimpl
def register_pages() -> Sequence[Pages]:
    """Show guests the menu with a cart, and their order on its way."""
    return [pages]


@hookimpl
def register_models() -> Sequence[ModelSet]:
    """Bring carts."""
    return [ModelSet("storefront", ("comanda_storefront.models",), "comanda_migrations.storefront")]


@hookimpl
def register_order_participants() -> Sequence[OrderParticipant]:
    """Let a cart become an order once."""
    return [
        OrderParticipant(
            name=converting.NAME,
            priority=10,
            concerns=converting.concerns,
            reserve=converting.reserve,
            placed=converting.placed,
        )
    ]


@hookimpl
def register_tasks() -> Sequence[Task | QueueWorker]:
    """Forget carts that have expired."""
    return [Task("storefront_prune", tasks.prune, every=timedelta(hours=1))]


@hookimpl
def register_mcp_tools() -> Sequence[Tool]:
    """Let a guest's agent fill a cart and order it."""
    return TOOLS


@hookimpl
def register_erasers() -> Sequence[PersonalDataEraser]:
    """Forget the carts of people who are erased."""
    return [ERASER]


@hookimpl
def register_docs() -> Sequence[Chapter]:
    """Explain the storefront API, carts and QR codes."""
    return [
        Chapter(
            name="storefront",
            title="Storefronts",
            summary="Selling from a site or app of your own: tokens, menu, orders, carts for agents, QR codes.",
            package="comanda_storefront",
            path="docs/storefront.md",
        )
    ]


@hookimpl
def register_demo_data() -> Sequence[DemoData]:
    """Give every demo store a token."""
    return [DemoData("storefront_tokens", fill, needs_stores=True)]
