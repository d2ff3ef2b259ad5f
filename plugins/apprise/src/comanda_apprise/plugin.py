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
    return AppriseSettings


@hookimpl
def register_models() -> Sequence[ModelSet]:
    return [ModelSet("apprise", ("comanda_apprise.models",), "comanda_migrations.apprise", (URL_COLUMN,))]


@hookimpl
def register_transports() -> Sequence[Transport]:
    return TRANSPORTS


@hookimpl
def register_routes() -> Sequence[Routes]:
    return [sms_service_routes, twilio_report_routes]


@hookimpl
def register_pages() -> Sequence[Pages]:
    return [dashboard.pages]


@hookimpl
def register_navigation() -> Sequence[NavigationEntry]:
    return [NAVIGATION]


@hookimpl
def register_docs() -> Sequence[Chapter]:
    summary = "SMS and push through Twilio, Sinch and a hundred others: URLs of the operator and of owners."
    return [Chapter("sms-services", "SMS services", summary, "comanda_apprise", "docs/sms_services.md")]
