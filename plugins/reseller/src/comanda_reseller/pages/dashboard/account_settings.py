"""The brand of a reseller and what its invoices say, in the dashboard."""

from typing import Final

from comanda.contracts import Audience
from comanda.web import gettext as _
from comanda.web.dashboard import Form, Visit
from quart import Response

from comanda_reseller.pages.dashboard import dashboard
from comanda_reseller.pages.dashboard.customers import READ, WRITE

BRAND: Final = "/reseller/brand"
BILLING: Final = "/reseller/billing-settings"


@dashboard.get("/reseller/settings", scope=READ, audience=Audience.RESELLER)
async def show_settings(visit: Visit) -> Response:
    """Show the brand and what invoices say."""
    return await _render(visit, await _fill(visit, BRAND), await _fill(visit, BILLING))


@dashboard.post("/reseller/settings/brand", scope=WRITE, audience=Audience.RESELLER)
async def update_brand(visit: Visit) -> Response:
    form = await visit.read_form("PUT", BRAND)
    if await form.submit() is None:
        return await _render(visit, form, await _fill(visit, BILLING))
    return visit.redirect("/reseller/settings", notice=_("Your customers see it from now on."))


@dashboard.post("/reseller/settings/invoices", scope=WRITE, audience=Audience.RESELLER)
async def update_billing_settings(visit: Visit) -> Response:
    """Save what invoices say."""
    form = await visit.read_form("PUT", BILLING)
    if await form.submit() is None:
        return await _render(visit, await _fill(visit, BRAND), form)
    return visit.redirect("/reseller/settings", notice=_("Saved for invoices from now on."))


async def _fill(visit: Visit, path: str) -> Form:
    return visit.form("PUT", path, await visit.api.get(path))


async def _render(visit: Visit, brand: Form, billing: Form) -> Response:
    refused = next((form for form in (brand, billing) if form.is_refused), None)
    return await visit.render("reseller/dashboard/settings.html", form=refused, brand=brand, billing=billing)
