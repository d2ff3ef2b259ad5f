"""Customers in the dashboard: listed, created, changed, exported and erased."""

from collections.abc import Mapping
from typing import Any, Final

import orjson
from comanda.contracts import NavigationEntry
from comanda.web import N_, PRIVATE_HEADERS
from comanda.web import gettext as _
from comanda.web.dashboard import DashboardPages, Form, Visit
from quart import Response

dashboard: Final = DashboardPages("customers", __name__)

CUSTOMERS: Final = "/restaurants/{id}/customers"
CUSTOMER: Final = f"{CUSTOMERS}/{{customerId}}"
ORDERS: Final = "/restaurants/{id}/orders"
LATEST_ORDERS: Final = 10
CONSENTS: Final = {
    "marketing_email": N_("News by e-mail"),
    "marketing_sms": N_("News by text message"),
    "marketing_push": N_("News on the phone's screen"),
    "terms": N_("Terms accepted"),
}
NAVIGATION: Final = (
    NavigationEntry(
        N_("Customers"), "/stores/{store_id}/customers", "people", "customers:read", icon="people", position=10
    ),
)


@dashboard.get("/stores/<int:store_id>/customers", scope="customers:read")
async def list_customers(visit: Visit, store_id: int) -> Response:
    """List the customers whom the store can name, with their orders; filtered by a text."""
    customers = await visit.api.get(CUSTOMERS, id=store_id, query=visit.query("page", "search"))
    return await visit.render(
        "customers/dashboard/customers.html", customers=customers, filters=visit.query("search"),
        tabs=list_tabs(store_id, "customers"),
    )  # fmt: skip


@dashboard.get("/stores/<int:store_id>/customers/new", scope="customers:write")
async def show_new_customer(visit: Visit, store_id: int) -> Response:
    """Show an empty form."""
    return await _render_form(visit, visit.form("POST", CUSTOMERS), None)


@dashboard.post("/stores/<int:store_id>/customers/new", scope="customers:write")
async def create_customer(visit: Visit, store_id: int) -> Response:
    """Create a customer."""
    form = await visit.read_form("POST", CUSTOMERS, id=store_id)
    if (customer := await form.submit()) is None:
        return await _render_form(visit, form, None)
    return visit.redirect(f"/stores/{store_id}/customers/{customer['id']}", notice=_("Customer created."))


@dashboard.get("/stores/<int:store_id>/customers/<int:customer_id>", scope="customers:read")
async def show_customer(visit: Visit, store_id: int, customer_id: int) -> Response:
    """Show a customer: totals, latest orders, addresses, consents and what plugins know of them."""
    customer = await visit.api.get(CUSTOMER, id=store_id, customerId=customer_id)
    orders = None
    if visit.may("orders:read"):
        query = {"customer_id": customer_id, "per_page": LATEST_ORDERS}
        orders = await visit.api.get(ORDERS, id=store_id, query=query)
    return await visit.render(
        "customers/dashboard/customer.html",
        customer=customer,
        orders=orders,
        consents=_list_consents(),
        panels=await visit.load_panels("customer", customer_id),
    )


@dashboard.get("/stores/<int:store_id>/customers/<int:customer_id>/edit", scope="customers:write")
async def show_customer_form(visit: Visit, store_id: int, customer_id: int) -> Response:
    """Show the form of a customer."""
    customer = await visit.api.get(CUSTOMER, id=store_id, customerId=customer_id)
    return await _render_form(visit, visit.form("PUT", CUSTOMER, customer), customer)


@dashboard.post("/stores/<int:store_id>/customers/<int:customer_id>/edit", scope="customers:write")
async def update_customer(visit: Visit, store_id: int, customer_id: int) -> Response:
    """Save a customer."""
    customer = await visit.api.get(CUSTOMER, id=store_id, customerId=customer_id)
    form = await visit.read_form("PUT", CUSTOMER, id=store_id, customerId=customer_id)
    # Null would leave the name as it is; a customer who came by phone may have none.
    if customer["name"] is not None:
        form.values["name"] = form.values.get("name") or ""
    if await form.submit() is None:
        return await _render_form(visit, form, customer)
    return visit.redirect(f"/stores/{store_id}/customers/{customer_id}", notice=_("Customer saved."))


@dashboard.get("/stores/<int:store_id>/customers/<int:customer_id>/export", scope="customers:read")
async def export_customer(visit: Visit, store_id: int, customer_id: int) -> Response:
    """Send everything that the store has about a customer as a file, to hand it to them."""
    export = await visit.api.get(f"{CUSTOMER}/export", id=store_id, customerId=customer_id)
    headers = {
        **PRIVATE_HEADERS,
        "Content-Type": "application/json",
        "Content-Disposition": f'attachment; filename="customer-{customer_id}.json"',
    }
    return Response(orjson.dumps(export, option=orjson.OPT_INDENT_2), headers=headers)


@dashboard.post("/stores/<int:store_id>/customers/<int:customer_id>/erase", scope="customers:write", step_up=True)
async def erase_customer(visit: Visit, store_id: int, customer_id: int) -> Response:
    """Erase a customer's personal data."""
    return await visit.act(
        "DELETE", CUSTOMER, to=f"/stores/{store_id}/customers", notice=_("Customer erased."), id=store_id,
        customerId=customer_id,
    )  # fmt: skip


def list_tabs(store_id: int, current: str) -> list[tuple[str, str, bool]]:
    """Return the tabs of the two lists of people."""
    path = f"/dashboard/stores/{store_id}"
    return [
        (_("Customers"), f"{path}/customers", current == "customers"),
        (_("All guests"), f"{path}/customers/guests", current == "guests"),
    ]


async def _render_form(visit: Visit, form: Form, customer: Mapping[str, Any] | None) -> Response:
    return await visit.render(
        "customers/dashboard/customer_form.html", form=form, customer=customer, consents=_list_consents()
    )


def _list_consents() -> dict[str, str]:
    return {name: _(label) for name, label in CONSENTS.items()}
