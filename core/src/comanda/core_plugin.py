"""What core itself declares, through the same hooks as every plugin."""

from collections.abc import Sequence
from datetime import timedelta

from comanda import hookimpl
from comanda.accounts import codes, login_attempts
from comanda.accounts.routes import routes as account_routes
from comanda.api_reference.discovery import operations as operation_routes
from comanda.api_reference.discovery import routes as discovery_routes
from comanda.audit_log import retention
from comanda.audit_log.routes import routes as audit_routes
from comanda.contracts.callers import CallerKind
from comanda.contracts.demo import DemoData
from comanda.contracts.documentation import Chapter
from comanda.contracts.events import Event
from comanda.contracts.model_sets import ModelSet
from comanda.contracts.pages import Pages
from comanda.contracts.routes import Routes
from comanda.contracts.tasks import QueueWorker, Task
from comanda.demo_data.owners import fill as fill_owners
from comanda.demo_data.owners import list_people as list_demo_owners
from comanda.encryption.hmac_digest import KEY_COLUMN
from comanda.events import dispatcher
from comanda.events.outbox import CHANNEL
from comanda.menu.events import MenuUpdated
from comanda.menu.routes.imports import routes as menu_import_routes
from comanda.menu.routes.owner import routes as menu_routes
from comanda.menu.routes.photos import routes as item_photo_routes
from comanda.menu.routes.public import routes as public_menu_routes
from comanda.menu.routes.variants import routes as variant_routes
from comanda.orders.events import OrderCreated, OrderStatusChanged
from comanda.orders.routes.owner import routes as order_routes
from comanda.orders.routes.public import routes as tracking_routes
from comanda.photos import sweep as photo_sweep
from comanda.photos.routes import routes as photo_routes
from comanda.stores.routes import routes as store_routes
from comanda.web.guide import pages

CHAPTERS = (
    ("start", "First steps", "From nothing to an order that its guest can follow."),
    ("api", "API", "What holds for every operation: errors, lists, values, repeating, limits, caching, versions."),
    ("tokens", "Tokens", "Who calls and what they may do: kinds of tokens, scopes, making and revoking them."),
    ("stores", "Stores", "A store's type and capabilities, its settings, its opening hours."),
    ("menus", "Menus", "Categories, items, variations, extras, what is sold out, and counted stock."),
    ("orders", "Orders", "Placing orders, what they tell, their statuses, and following them."),
    ("pricing", "Pricing", "How a total comes about: discounts, charges, tax, tips, rounding, with test vectors."),
    ("agents", "Agents", "The MCP servers for AI agents: addresses, calls, errors and limits."),
    ("plugins", "Writing plugins", "From an empty folder to a wheel: every hook, tests, rules and promises."),
)
OWNER_KIND = CallerKind(code="owner", prefix="own_")


@hookimpl
def register_models() -> Sequence[ModelSet]:
    """Bring owners, tokens, stores, menus, orders, the outbox and the audit log."""
    modules = ("accounts", "encryption", "stores", "menu", "orders", "events", "tasks", "photos", "audit_log")
    names = tuple(f"comanda.{module}.models" for module in modules)
    return [ModelSet("core", names, "comanda_migrations.core", encrypted=(KEY_COLUMN,))]


@hookimpl
def register_caller_kinds() -> Sequence[CallerKind]:
    """Introduce the owner's personal token."""
    return [OWNER_KIND]


@hookimpl
def register_routes() -> Sequence[Routes]:
    """Answer for accounts, stores, menus, orders, the audit log, and what describes the API."""
    return [
        discovery_routes,
        operation_routes,
        account_routes,
        store_routes,
        menu_routes,
        variant_routes,
        item_photo_routes,
        menu_import_routes,
        photo_routes,
        order_routes,
        public_menu_routes,
        tracking_routes,
        audit_routes,
    ]


@hookimpl
def register_events() -> Sequence[type[Event]]:
    """Announce what happens to orders and menus."""
    return [OrderCreated, OrderStatusChanged, MenuUpdated]


@hookimpl
def register_tasks() -> Sequence[Task | QueueWorker]:
    """Dispatch the outbox and tidy it; delete codes, tries, photos and audit entries that count no longer."""
    return [
        QueueWorker("outbox", CHANNEL, dispatcher.run),
        Task("prune_outbox", dispatcher.prune, every=timedelta(hours=1)),
        Task("sweep_photos", photo_sweep.sweep, every=timedelta(minutes=10)),
        Task("prune_codes", codes.prune, every=timedelta(hours=1)),
        Task("prune_tries", login_attempts.prune, every=timedelta(hours=1)),
        Task("prune_audit_log", retention.prune, every=timedelta(hours=1)),
    ]


@hookimpl
def register_pages() -> Sequence[Pages]:
    """Show what is installed, the guide and the API reference."""
    return [pages]


@hookimpl
def register_docs() -> Sequence[Chapter]:
    """Explain accounts, stores, menus, orders, and the API that they are reached by."""
    return [Chapter(name, title, summary, "comanda", f"docs/{name}.md") for name, title, summary in CHAPTERS]


@hookimpl
def register_demo_data() -> Sequence[DemoData]:
    """Introduce two owners, whose stores and menus the verticals bring."""
    return [DemoData("owners", fill_owners, list_people=list_demo_owners)]
