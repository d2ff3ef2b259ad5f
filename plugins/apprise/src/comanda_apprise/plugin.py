"""SMS and push messages through the services that the library apprise knows."""

from collections.abc import Sequence

from comanda import hookimpl
from comanda.contracts import Chapter, ModelSet, NavigationEntry, Pages, PluginSettings, Routes, Transport

from comanda_apprise.pages.dashboard import NAVIGATION, dashboard
from comanda_apprise.routes.sms_service import routes as sms_service_routes
from comanda_apprise.routes.twilio_reports import routes as twilio_report_routes
from comanda_apprise.services.sms_services import URL_COLUMN
from comanda_apprise.services.transports import TRANSPORTS
from comanda_apprise.settings import AppriseSettings


@hookimpl
def register_settings() -> type[PluginSettings]:
    """Register the URLs of the operator's services."""
    return AppriseSettings


@hookimpl
def register_models() -> Sequence[ModelSet]:
    """Register the services of owners, with their encrypted URLs."""
    return [ModelSet("apprise", ("comanda_apprise.models",), "comanda_migrations.apprise", (URL_COLUMN,))]


@hookimpl
def register_transports() -> Sequence[Transport]:
    """Register the services of owners for SMS, and the operator's for SMS and push."""
    return TRANSPORTS


@hookimpl
def register_routes() -> Sequence[Routes]:
    """Register the routes of an owner's SMS service, and of what Twilio reports."""
    return [sms_service_routes, twilio_report_routes]


@hookimpl
def register_pages() -> Sequence[Pages]:
    """Register the page of the SMS service in the dashboard."""
    return [dashboard.pages]


@hookimpl
def register_navigation() -> Sequence[NavigationEntry]:
    """Register the SMS service in the navigation of the dashboard."""
    return [NAVIGATION]


@hookimpl
def register_docs() -> Sequence[Chapter]:
    """Register the chapter on services for messages."""
    summary = "SMS and push through Twilio, Sinch and a hundred others: URLs of the operator and of owners."
    return [Chapter("sms-services", "SMS services", summary, "comanda_apprise", "docs/sms_services.md")]
