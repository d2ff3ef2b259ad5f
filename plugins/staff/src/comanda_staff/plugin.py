"""Staff of a store: login by e-mail and by PIN, roles and permissions, orders and menu."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

from comanda import hookimpl
from comanda.contracts import (
    CallerKind,
    Chapter,
    DemoData,
    EntitlementProvider,
    Feature,
    MessageTemplate,
    ModelSet,
    NavigationEntry,
    Pages,
    Routes,
    Scope,
    Task,
)

from comanda_staff.caller_kinds import PERMISSION_SCOPES, STAFF
from comanda_staff.demo import create_demo_data, list_logins
from comanda_staff.entitlements import STAFF_MEMBERS
from comanda_staff.message_templates import PIN_PAUSED
from comanda_staff.models import TOTP_PENDING_SECRET, TOTP_SECRET
from comanda_staff.pages import devices as device_pages
from comanda_staff.pages.blueprint import pages
from comanda_staff.pages.dashboard import NAVIGATION, dashboard
from comanda_staff.routes import devices
from comanda_staff.routes.amendments import routes as amendment_routes
from comanda_staff.routes.integration import routes as integration_routes
from comanda_staff.routes.login import routes as entering_routes
from comanda_staff.routes.me import routes as own_routes
from comanda_staff.routes.members import routes as member_routes
from comanda_staff.routes.menu import routes as menu_routes
from comanda_staff.routes.orders import routes as order_routes
from comanda_staff.services.page_login import StaffPasswordLogin
from comanda_staff.tasks import prune

# These modules register their pages when they are imported.
PAGES = (device_pages,)


@hookimpl
def register_models() -> Sequence[ModelSet]:
    return [
        ModelSet("staff", ("comanda_staff.models",), "comanda_migrations.staff", (TOTP_SECRET, TOTP_PENDING_SECRET))
    ]


@hookimpl
def register_caller_kinds() -> Sequence[CallerKind]:
    return [replace(STAFF, password_login=StaffPasswordLogin())]


@hookimpl
def register_scopes() -> Sequence[Scope]:
    return PERMISSION_SCOPES


@hookimpl
def register_entitlements() -> Sequence[Feature | EntitlementProvider]:
    return [STAFF_MEMBERS]


@hookimpl
def register_routes() -> Sequence[Routes]:
    device_routes = [devices.public_routes, devices.owner_routes, devices.staff_routes]
    return [
        entering_routes, own_routes, order_routes, amendment_routes, menu_routes, integration_routes, member_routes,
        *device_routes,
    ]  # fmt: skip


@hookimpl
def register_pages() -> Sequence[Pages]:
    return [pages, dashboard.pages]


@hookimpl
def register_navigation() -> Sequence[NavigationEntry]:
    return NAVIGATION


@hookimpl
def register_message_templates() -> Sequence[MessageTemplate]:
    return [PIN_PAUSED]


@hookimpl
def register_tasks() -> Sequence[Task]:
    return [Task("staff_prune", prune, every=timedelta(hours=1))]


@hookimpl
def register_docs() -> Sequence[Chapter]:
    return [
        Chapter(
            name="staff",
            title="Staff",
            summary="Roles and permissions, login by e-mail and PIN, two-factor, orders, busy and sold out.",
            package="comanda_staff",
            path="docs/staff.md",
        )
    ]


@hookimpl
def register_demo_data() -> Sequence[DemoData]:
    return [DemoData("staff", create_demo_data, needs_stores=True, list_logins=list_logins)]
