"""The customers of a reseller in the dashboard, and its figures."""

from typing import Any, Final

from comanda.contracts import Audience
from comanda.web import gettext as _
from comanda.web.dashboard import Form, Visit
from quart import Response

from comanda_reseller.pages.dashboard import dashboard
from comanda_reseller.pages.dashboard.labels import list_collection_methods, list_labels

CUSTOMERS: Final = "/reseller/customers"
CUSTOMER: Final = f"{CUSTOMERS}/{{id}}"
STATUSES: Final = ("active", "suspended")
READ: Final = "restaurants:read"
WRITE: Final = "restaurants:write"


@dashboard.get("/reseller", scope=READ, audience=Audience.RESELLER)
async def show_overview(visit: Visit) -> Response:
    """Show the figures of the reseller."""
    stats = await visit.api.get("/reseller/stats")
    counts = [
        (_("Active"), stats["active"]),
        (_("Free trial"), stats["trialing"]),
        (_("Past due"), stats["past_due"]),
        (_("Suspended"), stats["suspended"]),
        (_("New in 30 days"), stats["new_30d"]),
        (_("Lost in 30 days"), stats["churn_30d"]),
    ]
    return await visit.render(
        "reseller/dashboard/overview.html", stats=stats, tier=await visit.api.get("/reseller/tier"), counts=counts
    )


@dashboard.get("/reseller/customers", scope=READ, audience=Audience.RESELLER)
async def list_customers(visit: Visit) -> Response:
    """Show the customers, by state and words."""
    filters = visit.query("search", "status")
    if filters.get("status") not in STATUSES:
        filters.pop("status", None)
    customers = await visit.api.get(CUSTOMERS, query=filters | visit.query("page"))
    return await visit.render(
        "reseller/dashboard/customers.html", customers=customers, filters=filters, **list_labels()
    )


@dashboard.get("/reseller/customers/new", scope=WRITE, audience=Audience.RESELLER)
async def show_new_customer(visit: Visit) -> Response:
    return await _render_form(visit, visit.form("POST", CUSTOMERS), None)


@dashboard.post("/reseller/customers/new", scope=WRITE, audience=Audience.RESELLER)
async def create_customer(visit: Visit) -> Response:
    """Create a customer and invite its owner."""
    form = await visit.read_form("POST", CUSTOMERS)
    if (customer := await form.submit()) is None:
        return await _render_form(visit, form, None)
    return visit.redirect(f"/reseller/customers/{customer['id']}", notice=_("Customer created and invited."))


@dashboard.get("/reseller/customers/<int:id>", scope=READ, audience=Audience.RESELLER)
async def show_customer(visit: Visit, id: int) -> Response:
    """Show a customer with its subscriptions and invoices."""
    customer = await visit.api.get(CUSTOMER, id=id)
    return await visit.render(
        "reseller/dashboard/customer_account.html",
        customer=customer,
        subscriptions=await visit.api.get("/reseller/subscriptions", query={"customer_id": id}),
        invoices=await visit.api.get("/reseller/customer-invoices", query={"customer_id": id}),
        plans=await visit.api.get("/reseller/plans", query={"active": True}),
        methods=dict(list_collection_methods()),
        **list_labels(),
    )


@dashboard.get("/reseller/customers/<int:id>/edit", scope=WRITE, audience=Audience.RESELLER)
async def show_customer_form(visit: Visit, id: int) -> Response:
    """Show how a customer pays and what its invoices say."""
    customer = await visit.api.get(CUSTOMER, id=id)
    return await _render_form(visit, visit.form("PUT", CUSTOMER, customer), customer)


@dashboard.post("/reseller/customers/<int:id>/edit", scope=WRITE, audience=Audience.RESELLER)
async def update_customer(visit: Visit, id: int) -> Response:
    """Change how a customer pays and what its invoices say."""
    form = await visit.read_form("PUT", CUSTOMER, id=id)
    if await form.submit() is None:
        return await _render_form(visit, form, await visit.api.get(CUSTOMER, id=id))
    return visit.redirect(f"/reseller/customers/{id}", notice=_("Customer saved."))


@dashboard.post("/reseller/customers/<int:id>/invite", scope=WRITE, audience=Audience.RESELLER)
async def invite_customer(visit: Visit, id: int) -> Response:
    """Send a new invitation."""
    to = f"/reseller/customers/{id}"
    return await visit.act("POST", f"{CUSTOMER}/invite", to=to, notice=_("Invitation sent."), id=id)


@dashboard.post("/reseller/customers/<int:id>/suspend", scope=WRITE, audience=Audience.RESELLER)
async def suspend_customer(visit: Visit, id: int) -> Response:
    """Suspend a customer, with the reason that the form says."""
    body = {"reason": (await visit.read_texts()).get("reason", "")}
    to = f"/reseller/customers/{id}"
    return await visit.act("POST", f"{CUSTOMER}/suspend", to=to, notice=_("Customer suspended."), body=body, id=id)


@dashboard.post("/reseller/customers/<int:id>/unsuspend", scope=WRITE, audience=Audience.RESELLER)
async def unsuspend_customer(visit: Visit, id: int) -> Response:
    """Lift the suspension of a customer."""
    to = f"/reseller/customers/{id}"
    return await visit.act("POST", f"{CUSTOMER}/unsuspend", to=to, notice=_("Suspension lifted."), id=id)


async def _render_form(visit: Visit, form: Form, customer: dict[str, Any] | None) -> Response:
    return await visit.render(
        "reseller/dashboard/customer_form.html", form=form, customer=customer, methods=list_collection_methods()
    )
