"""The people who work in a store: logging in by e-mail and by PIN, roles, and what they do there."""

from collections.abc import Sequence
from datetime import timedelta

from comanda import hookimpl
from comanda.contracts.callers import CallerKind
from comanda.contracts.demo import DemoData
from comanda.contracts.documentation import Chapter
from comanda.contracts.messaging import MessageTemplate
from comanda.contracts.model_sets import ModelSet
from comanda.contracts.routes import Routes
from comanda.contracts.tasks import QueueWorker, Task

from comanda_staff.demo import fill, list_people
from comanda_staff.kinds import STAFF
from comanda_staff.messages import PIN_PAUSED
from comanda_staff.models import TOTP_PENDING_SECRET, TOTP_SECRET
from comanda_staff.routes import devices
from comanda_staff.routes.entering import routes as entering_routes
from comanda_staff.routes.integration import routes as integration_routes
from comanda_staff.routes.me import routes as own_routes
from comanda_staff.routes.members import routes as member_routes
from comanda_staff.routes.menu import routes as menu_routes
from comanda_staff.routes.orders import routes as order_routes
from comanda_staff.tasks import prune


@hookimpl
def register_models() -> Sequence[ModelSet]:
    """Bring members of staff, their recovery codes, their devices and the stores', and wrong PINs."""
    return [
        ModelSet("staff", ("comanda_staff.models",), "comanda_migrations.staff", (TOTP_SECRET, TOTP_PENDING_SECRET))
    ]


@hookimpl
def register_caller_kinds() -> Sequence[CallerKind]:
    """Let members of staff in."""
    return [STAFF]


@hookimpl
def register_routes() -> Sequence[Routes]:
    """Answer staff, and owners about staff."""
    device_routes = [devices.public_routes, devices.owner_routes, devices.staff_routes]
    return [entering_routes, own_routes, order_routes, menu_routes, integration_routes, member_routes, *device_routes]


@hookimpl
def register_message_templates() -> Sequence[MessageTemplate]:
    """Word what owners are told of wrong PINs."""
    return [PIN_PAUSED]


@hookimpl
def register_tasks() -> Sequence[Task | QueueWorker]:
    """Forget tries and devices that count no longer."""
    return [Task("staff_prune", prune, every=timedelta(hours=1))]


@hookimpl
def register_docs() -> Sequence[Chapter]:
    """Explain staff to owners, and to whoever writes a till or an app for them."""
    return [
        Chapter(
            name="staff",
            title="Staff",
            summary="Roles and permissions, logging in by e-mail and PIN, two-factor, orders, busy and sold out.",
            package="comanda_staff",
            path="docs/staff.md",
        )
    ]


@hookimpl
def register_demo_data() -> Sequence[DemoData]:
    """Employ a manager, a waiter and a cook at the demo restaurant."""
    return [DemoData("staff", fill, needs_stores=True, list_people=list_people)]
