"""The page on which an owner limits SMS: how many in a month, and not at night."""

from typing import Final

from comanda.contracts import Caller, NavigationEntry
from comanda.web import N_
from comanda.web import gettext as _
from comanda.web.dashboard import Form, Visit
from quart import Response

from comanda_notifications.pages.dashboard import dashboard

PAGE: Final = "/sms-limits"
ROUTE: Final = "/sms-limits"


def is_owner(caller: Caller) -> bool:
    """Return whether the caller is the owner, who pays for the SMS."""
    return caller.acts_as is None


NAVIGATION: Final = NavigationEntry(
    N_("SMS limits"), PAGE, "account", "restaurants:read", icon="message", position=41, is_for=is_owner
)


@dashboard.get(PAGE, scope="restaurants:read")
async def show_sms_limits(visit: Visit) -> Response:
    """Show the SMS of this month, and the limits."""
    return await _render(visit, visit.form("PUT", ROUTE, await visit.api.get(ROUTE)))


@dashboard.post(PAGE, scope="restaurants:write")
async def update_sms_limits(visit: Visit) -> Response:
    form = await visit.read_form("PUT", ROUTE)
    if await form.submit() is None:
        return await _render(visit, form)
    return visit.redirect(PAGE, notice=_("SMS limits saved."))


async def _render(visit: Visit, form: Form) -> Response:
    limits = await visit.api.get(ROUTE)
    return await visit.render("notifications/dashboard/sms_limits.html", limits=limits, form=form)
