"""Messages by SMS, e-mail and push, sent durably through transports."""

from collections.abc import Sequence
from datetime import timedelta
from functools import partial

import click
from comanda import hookimpl
from comanda.contracts.documentation import Chapter
from comanda.contracts.erasure import PersonalDataEraser
from comanda.contracts.events import EventHandler
from comanda.contracts.messaging import CHANNELS, MessageTemplate, Transport
from comanda.contracts.model_sets import ModelSet
from comanda.contracts.pages import Pages
from comanda.contracts.routes import Routes
from comanda.contracts.settings import PluginSettings
from comanda.contracts.tasks import QueueWorker, Task

from comanda_notifications import sender, services, tasks, telling, telling_guests
from comanda_notifications.commands import outbox
from comanda_notifications.erasing import ERASER
from comanda_notifications.messages import TEMPLATES
from comanda_notifications.pages import pages
from comanda_notifications.routes.orders import routes as order_routes
from comanda_notifications.routes.templates import routes as template_routes
from comanda_notifications.settings import NotificationSettings
from comanda_notifications.transports import TRANSPORTS


@hookimpl
def register_settings() -> type[PluginSettings]:
    """Let the operator say who carries messages, how many, and how long they are kept."""
    return NotificationSettings


@hookimpl
def register_models() -> Sequence[ModelSet]:
    """Bring messages and attempts, devices, and what stores decide about messages."""
    return [ModelSet("notifications", ("comanda_notifications.models",), "comanda_migrations.notifications")]


@hookimpl
def register_transports() -> Sequence[Transport]:
    """Carry e-mail by SMTP, SMS and push by HTTP gateways, and everything by the outbox in development."""
    return TRANSPORTS


@hookimpl
def register_message_templates() -> Sequence[MessageTemplate]:
    """Word what guests are told of orders, and owners of webhook endpoints."""
    return TEMPLATES


@hookimpl
def register_routes() -> Sequence[Routes]:
    """Let owners word messages, and choose what guests are told of orders."""
    return [template_routes, order_routes]


@hookimpl
def register_event_handlers() -> Sequence[EventHandler]:
    """Tell owners of webhook endpoints in trouble, and guests of their orders."""
    return [
        EventHandler("notifications_owners", telling.tell, names=telling.EVENTS),
        EventHandler(
            "notifications_guests",
            telling_guests.tell,
            telling_guests.CORE_EVENTS,
            tuple(telling_guests.DELIVERY_EVENTS),
        ),
    ]


@hookimpl
def register_tasks() -> Sequence[Task | QueueWorker]:
    """Send what is due, each channel by itself; forget what is old."""
    return [
        *(
            QueueWorker(f"notifications_{channel}", services.bell(channel), partial(sender.run, channel))
            for channel in CHANNELS
        ),
        Task("notifications_prune", tasks.prune, every=timedelta(hours=1)),
    ]


@hookimpl
def register_erasers() -> Sequence[PersonalDataEraser]:
    """Forget messages to people who are erased."""
    return [ERASER]


@hookimpl
def register_pages() -> Sequence[Pages]:
    """Show the outbox in development."""
    return [pages]


@hookimpl
def register_commands() -> Sequence[click.Command]:
    """Add ``comanda outbox``."""
    return [outbox]


@hookimpl
def register_docs() -> Sequence[Chapter]:
    """Explain messages to operators, to whoever writes a gateway, and to authors of plugins."""
    return [
        Chapter(
            name="messages",
            title="Messages",
            summary="SMS, e-mail and push: mail servers, gateways and their signatures, retries, the outbox.",
            package="comanda_notifications",
            path="docs/messages.md",
        )
    ]
