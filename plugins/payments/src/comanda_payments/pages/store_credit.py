"""Store credit of customers in the dashboard: listed, granted and adjusted; and what a customer's page shows."""

from typing import Any, Final

from comanda.contracts import Panel
from comanda.web import N_
from comanda.web import gettext as _
from comanda.web.dashboard import Form, Visit
from quart import Response

from comanda_payments.pages.dashboard import dashboard
from comanda_payments.pages.gift_cards import GIFT_CARDS, get_balance_texts, get_customer

ACCOUNTS: Final = "/restaurants/{id}/store-credit"
ACCOUNT: Final = f"{ACCOUNTS}/{{customerId}}"
ENTRIES: Final = f"{ACCOUNT}/entries"
MAX_CARDS: Final = 5


@dashboard.get("/stores/<int:store_id>/store-credit", scope="orders:read")
async def list_store_credit(visit: Visit, store_id: int) -> Response:
    """List the customers who have, or had, store credit."""
    return await visit.render(
        "payments/dashboard/store_credit.html",
        accounts=await visit.api.get(ACCOUNTS, id=store_id, query=visit.query("page")),
    )


@dashboard.get("/stores/<int:store_id>/store-credit/<int:customer_id>", scope="orders:read")
async def show_store_credit(visit: Visit, store_id: int, customer_id: int) -> Response:
    """Show the store credit of a customer with its entries."""
    account = await visit.api.get(ACCOUNT, id=store_id, customerId=customer_id)
    return await visit.render(
        "payments/dashboard/credit_account.html", account=account, customer=await get_customer(visit, customer_id),
        **get_balance_texts(),
    )  # fmt: skip


@dashboard.get("/stores/<int:store_id>/store-credit/<int:customer_id>/new", scope="orders:write", step_up=True)
async def show_new_entry(visit: Visit, store_id: int, customer_id: int) -> Response:
    """Show the form for store credit that is granted or adjusted."""
    return await _render_entry(visit, customer_id, visit.form("POST", ENTRIES))


@dashboard.post("/stores/<int:store_id>/store-credit/<int:customer_id>/new", scope="orders:write", step_up=True)
async def create_entry(visit: Visit, store_id: int, customer_id: int) -> Response:
    """Grant store credit, or adjust it."""
    form = await visit.read_form("POST", ENTRIES, id=store_id, customerId=customer_id)
    if await form.submit() is None:
        return await _render_entry(visit, customer_id, form)
    return visit.redirect(f"/stores/{store_id}/store-credit/{customer_id}", notice=_("Store credit changed."))


async def load_customer_panel(visit: Visit, customer_id: int) -> str | None:
    """Return the store credit and the gift cards of a customer; None for people to whom they are not delegated."""
    if not visit.api.has("GET", ACCOUNT):
        return None
    cards = await visit.api.get(
        GIFT_CARDS, id=visit.store.id, query={"customer_id": customer_id, "per_page": MAX_CARDS}
    )
    return await visit.render_fragment(
        "payments/dashboard/_customer_panel.html",
        account=await visit.api.get(ACCOUNT, id=visit.store.id, customerId=customer_id),
        cards=cards,
        **get_balance_texts(),
    )


PANELS: Final = (
    Panel(
        "payments_customer", "customer", N_("Store credit and gift cards"), load_customer_panel, "orders:read",
        position=20,
    ),
)  # fmt: skip


async def _render_entry(visit: Visit, customer_id: int, form: Form) -> Response:
    account: dict[str, Any] = await visit.api.get(ACCOUNT, id=visit.store.id, customerId=customer_id)
    return await visit.render(
        "payments/dashboard/credit_entry.html", account=account, form=form,
        customer=await get_customer(visit, customer_id),
    )  # fmt: skip
