"""Storefront: tokens, the storefront API, carts for agents, pages for guests and QR codes."""

from collections.abc import Sequence
from datetime import timedelta

from comanda import hookimpl
from comanda.contracts import (
    CallerKind,
    Chapter,
    DemoData,
    ModelSet,
    NavigationEntry,
    OrderParticipant,
    Pages,
    PersonalDataEraser,
    Routes,
    Scope,
    StoreSettings,
    Task,
    Tool,
)

from comanda_storefront import participant, store_settings, tasks
from comanda_storefront.caller_kinds import STOREFRONT, STOREFRONT_SCOPES
from comanda_storefront.demo import create_demo_tokens
from comanda_storefront.erasure import ERASER
from comanda_storefront.pages.blueprint import pages
from comanda_storefront.pages.dashboard import NAVIGATION, dashboard
from comanda_storefront.routes.guest_changes import routes as guest_change_routes
from comanda_storefront.routes.page_items import routes as page_item_routes
from comanda_storefront.routes.page_orders import routes as page_routes
from comanda_storefront.routes.qr_codes import routes as qr_routes
from comanda_storefront.routes.storefront import routes as storefront_routes
from comanda_storefront.routes.tokens import routes as token_routes
from comanda_storefront.tools import TOOLS


@hookimpl
def register_caller_kinds() -> Sequence[CallerKind]:
    return [STOREFRONT]


@hookimpl
def register_scopes() -> Sequence[Scope]:
    return STOREFRONT_SCOPES


@hookimpl
def register_routes() -> Sequence[Routes]:
    return [storefront_routes, token_routes, qr_routes, guest_change_routes, page_routes, page_item_routes]


@hookimpl
def register_pages() -> Sequence[Pages]:
    return [pages, dashboard.pages]


@hookimpl
def register_navigation() -> Sequence[NavigationEntry]:
    return NAVIGATION


@hookimpl
def register_models() -> Sequence[ModelSet]:
    return [ModelSet("storefront", ("comanda_storefront.models",), "comanda_migrations.storefront")]


@hookimpl
def register_order_participants() -> Sequence[OrderParticipant]:
    return [
        OrderParticipant(
            name=participant.PARTICIPANT_NAME,
            priority=10,
            concerns=participant.is_from_cart,
            placed=participant.claim_cart,
        ),
        OrderParticipant(
            name=store_settings.PARTICIPANT_NAME,
            load=store_settings.load_settings,
            concerns=participant.is_for_later,
            validate=participant.check_time,
        ),
    ]


@hookimpl
def register_store_settings() -> Sequence[StoreSettings]:
    return [store_settings.STORE_SETTINGS]


@hookimpl
def register_tasks() -> Sequence[Task]:
    return [Task("storefront_prune", tasks.prune_carts, every=timedelta(hours=1))]


@hookimpl
def register_mcp_tools() -> Sequence[Tool]:
    return TOOLS


@hookimpl
def register_erasers() -> Sequence[PersonalDataEraser]:
    return [ERASER]


@hookimpl
def register_docs() -> Sequence[Chapter]:
    return [
        Chapter(
            name="storefront",
            title="Storefronts",
            summary="Selling from your own site or app: tokens, menu, orders, carts for agents, QR codes.",
            package="comanda_storefront",
            path="docs/storefront.md",
        )
    ]


@hookimpl
def register_demo_data() -> Sequence[DemoData]:
    return [DemoData("storefront_tokens", create_demo_tokens, needs_stores=True)]
