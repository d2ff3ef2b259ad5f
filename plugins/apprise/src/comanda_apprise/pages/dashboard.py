"""The page on which an owner connects a service for SMS."""

from typing import Final

from comanda.contracts import Caller, NavigationEntry
from comanda.web import N_
from comanda.web import gettext as _
from comanda.web.dashboard import DashboardPages, Form, Visit
from quart import Response

dashboard: Final = DashboardPages("apprise", __name__)

PAGE: Final = "/sms-service"
ROUTE: Final = "/sms-service"
NAMES: Final = {
    "46elks": "46elks",
    "bulksms": "BulkSMS",
    "clicksend": "ClickSend",
    "msgbird": "MessageBird",
    "seven": "seven",
    "sinch": "Sinch",
    "telnyx": "Telnyx",
    "twilio": "Twilio",
    "vonage": "Vonage",
}


def is_owner(caller: Caller) -> bool:
    """Return whether the caller is the owner: through whom messages go is not delegated to staff and apps."""
    return caller.acts_as is None


NAVIGATION: Final = NavigationEntry(
    N_("SMS service"), PAGE, "account", "restaurants:write", icon="send", position=40, is_for=is_owner
)


@dashboard.get(PAGE, scope="restaurants:write", step_up=True)
async def show_service(visit: Visit) -> Response:
    """Show the service that is connected, and the form for another."""
    return await _render(visit, visit.form("PUT", ROUTE))


@dashboard.post(PAGE, scope="restaurants:write", step_up=True)
async def update_service(visit: Visit) -> Response:
    """Connect a service."""
    form = await visit.read_form("PUT", ROUTE)
    if await form.submit() is None:
        return await _render(visit, form)
    return visit.redirect(PAGE, notice=_("SMS service connected."))


@dashboard.post(f"{PAGE}/delete", scope="restaurants:write", step_up=True)
async def delete_service(visit: Visit) -> Response:
    """Disconnect the service."""
    return await visit.act("DELETE", ROUTE, to=PAGE, notice=_("SMS service disconnected."))


async def _render(visit: Visit, form: Form) -> Response:
    # The URL contains credentials, and is not shown again.
    form.values.pop("url", None)
    service = await visit.api.get(ROUTE)
    names = [NAMES.get(each, each) for each in service["services"]]
    name = NAMES.get(service["service"], service["service"])
    return await visit.render("apprise/dashboard/sms_service.html", service=service, name=name, names=names, form=form)
