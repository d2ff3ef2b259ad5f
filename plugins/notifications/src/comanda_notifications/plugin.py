"""Messages by SMS, e-mail and push, sent durably through transports."""

from collections.abc import Sequence
from datetime import timedelta

import click
from comanda import hookimpl
from comanda.contracts import (
    Chapter,
    EventHandler,
    LeasedQueue,
    MessageTemplate,
    ModelSet,
    NavigationEntry,
    Pages,
    PersonalDataEraser,
    PluginSettings,
    Routes,
    Task,
    Transport,
)
from comanda.web import N_

from comanda_notifications import event_handlers, tasks
from comanda_notifications.commands import messages_group, outbox
from comanda_notifications.erasure import ERASER
from comanda_notifications.message_templates import TEMPLATES
from comanda_notifications.pages import sms_limits as sms_limits_page
from comanda_notifications.pages.blueprint import pages
from comanda_notifications.pages.dashboard import dashboard
from comanda_notifications.routes.gateway_reports import routes as gateway_report_routes
from comanda_notifications.routes.messages import routes as message_routes
from comanda_notifications.services import sender
from comanda_notifications.settings import NotificationSettings
from comanda_notifications.transports import TRANSPORTS


@hookimpl
def register_settings() -> type[PluginSettings]:
    return NotificationSettings


@hookimpl
def register_models() -> Sequence[ModelSet]:
    return [ModelSet("notifications", ("comanda_notifications.models",), "comanda_migrations.notifications")]


@hookimpl
def register_transports() -> Sequence[Transport]:
    return TRANSPORTS


@hookimpl
def register_message_templates() -> Sequence[MessageTemplate]:
    return TEMPLATES


@hookimpl
def register_routes() -> Sequence[Routes]:
    return [message_routes, gateway_report_routes]


@hookimpl
def register_event_handlers() -> Sequence[EventHandler]:
    return [
        EventHandler("notifications_owners", event_handlers.notify_owners, names=event_handlers.ENDPOINT_EVENTS),
        EventHandler(
            "notifications_guests",
            event_handlers.notify_guests,
            event_handlers.ORDER_EVENTS,
            event_handlers.DELIVERY_EVENTS,
        ),
    ]


@hookimpl
def register_tasks() -> Sequence[Task | LeasedQueue]:
    return [*sender.QUEUES, Task("notifications_prune", tasks.prune, every=timedelta(hours=1))]


@hookimpl
def register_erasers() -> Sequence[PersonalDataEraser]:
    return [ERASER]


@hookimpl
def register_pages() -> Sequence[Pages]:
    return [pages, dashboard.pages]


@hookimpl
def register_navigation() -> Sequence[NavigationEntry]:
    path = "/stores/{store_id}/messages"
    messages = NavigationEntry(N_("Messages"), path, "channels", "orders:read", icon="mail", position=40)
    return [messages, sms_limits_page.NAVIGATION]


@hookimpl
def register_commands() -> Sequence[click.Command]:
    return [outbox, messages_group]


@hookimpl
def register_docs() -> Sequence[Chapter]:
    return [
        Chapter(
            name="messages",
            title="Messages",
            summary="SMS, e-mail and push: mail servers, gateways and their signatures, retries, the outbox.",
            package="comanda_notifications",
            path="docs/messages.md",
        )
    ]
