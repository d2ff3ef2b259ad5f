"""Payments and refunds of an order in the dashboard."""

from datetime import timedelta
from typing import Any, Final

from comanda.basics import clock
from comanda.contracts import Panel
from comanda.platform import runtime
from comanda.web import N_, format_money
from comanda.web import gettext as _
from comanda.web.dashboard import DashboardPages, Form, Visit
from quart import Response

from comanda_payments.services.bills.available_methods import list_available_methods
from comanda_payments.services.bills.order_balance import HAS_UNPAID

dashboard: Final = DashboardPages("payments", __name__, has_static=True)

ORDER: Final = "/restaurants/{id}/orders/{orderId}"
PAYMENTS: Final = f"{ORDER}/payments"
REFUNDS: Final = f"{ORDER}/refunds"
# What a part of a gift card that cannot be credited goes to instead.
REFUND_METHODS: Final = ("cash", "card_external", "store_credit")
# Unpaid orders that are older are no longer pointed out each day.
UNPAID_DAYS: Final = 7
MAX_UNPAID: Final = 5
STATES: Final = {
    "pending": N_("Pending"),
    "succeeded": N_("Succeeded"),
    "completed": N_("Completed"),
    "failed": N_("Failed"),
    "cancelled": N_("Cancelled"),
}
TONES: Final = {"pending": "warn", "failed": "bad", "succeeded": "good", "completed": "good"}


@dashboard.get("/stores/<int:store_id>/orders/<int:order_id>/payments/new", scope="orders:write")
async def show_new_payment(visit: Visit, store_id: int, order_id: int) -> Response:
    """Show the form for a payment of an order."""
    order = await _get_order(visit, order_id)
    values = {"amount": order["amount_due"], "method": "cash"}
    return await _render_payment(visit, order, visit.form("POST", PAYMENTS, values))


@dashboard.post("/stores/<int:store_id>/orders/<int:order_id>/payments/new", scope="orders:write")
async def create_payment(visit: Visit, store_id: int, order_id: int) -> Response:
    """Take a payment, and say how much change is due."""
    form = await visit.read_form("POST", PAYMENTS, id=store_id, orderId=order_id)
    form.values = {name: value for name, value in form.values.items() if value not in (None, "")}
    payment = await form.submit()
    if payment is None:
        return await _render_payment(visit, await _get_order(visit, order_id), form)
    notice = _("Payment recorded.")
    if payment["change"]:
        change = format_money(payment["change"], payment["currency"])
        notice = _("Payment recorded. Change: %(amount)s", amount=change)
    elif payment["status"] == "pending":
        notice = _("The payment waits for the customer.")
    return visit.redirect(f"/stores/{store_id}/orders/{order_id}", notice=notice)


@dashboard.post("/stores/<int:store_id>/orders/<int:order_id>/payments/<int:payment_id>/cancel", scope="orders:write")
async def cancel_payment(visit: Visit, store_id: int, order_id: int, payment_id: int) -> Response:
    """Cancel a pending payment."""
    return await visit.act(
        "POST",
        f"{PAYMENTS}/{{paymentId}}/cancel",
        to=f"/stores/{store_id}/orders/{order_id}",
        notice=_("Payment cancelled."),
        id=store_id,
        orderId=order_id,
        paymentId=payment_id,
    )


@dashboard.get("/stores/<int:store_id>/orders/<int:order_id>/refunds/new", scope="orders:write", step_up=True)
async def show_new_refund(visit: Visit, store_id: int, order_id: int) -> Response:
    """Show the form for a refund by line, by amount, or of everything."""
    return await _render_refund(visit, await _get_order(visit, order_id), visit.form("POST", REFUNDS), "lines")


@dashboard.post("/stores/<int:store_id>/orders/<int:order_id>/refunds/new", scope="orders:write", step_up=True)
async def create_refund(visit: Visit, store_id: int, order_id: int) -> Response:
    """Refund what was chosen."""
    form = await visit.read_form("POST", REFUNDS, id=store_id, orderId=order_id)
    sent = dict(form.values)
    chosen = (await visit.read_texts()).get("_what", "lines")
    # Without scripts, an amount that is typed in is not chosen by that.
    if chosen == "lines" and sent.get("amount") and not _select_refund(sent, "lines")["lines"]:
        chosen = "amount"
    form.values = _select_refund(sent, chosen)
    if chosen == "lines" and not form.values.get("lines"):
        form.errors = {"lines": [_("Choose a quantity of at least one line.")]}
    elif chosen == "amount" and not form.values.get("amount"):
        form.errors = {"amount": [_("Say how much to refund.")]}
    elif await form.submit() is not None:
        return visit.redirect(f"/stores/{store_id}/orders/{order_id}", notice=_("Refund recorded."))
    return await _render_refund(visit, await _get_order(visit, order_id), form, chosen)


def _select_refund(sent: dict[str, Any], chosen: str) -> dict[str, Any]:
    """Return the body of the refund: the lines with a quantity, or the amount, or neither for everything."""
    body = {name: sent[name] for name in ("reason", "method", "drawer") if sent.get(name)}
    if chosen == "amount":
        body["amount"] = sent.get("amount")
    if chosen == "lines":
        body["lines"] = [line for line in sent.get("lines", []) if isinstance(line, dict) and line.get("quantity")]
    return body


async def load_order_panel(visit: Visit, order_id: int) -> str | None:
    """Return the payments and refunds of an order, with buttons for another."""
    parameters: dict[str, Any] = {"id": visit.store.id, "orderId": order_id}
    order = await visit.api.get(ORDER, **parameters)
    payments = await visit.api.get(PAYMENTS, query={"per_page": 100}, **parameters)
    refunds = await visit.api.get(REFUNDS, query={"per_page": 100}, **parameters)
    refundable = sum(each["amount"] - each["refunded"] for each in payments["data"] if each["status"] == "succeeded")
    return await visit.render_fragment(
        "payments/dashboard/_order_panel.html",
        order=order,
        payments=payments["data"],
        refunds=refunds["data"],
        may_pay=visit.may("orders:write") and order["amount_due"] > 0,
        may_refund=visit.may("orders:write") and refundable > 0,
        methods=get_method_labels(),
        states={code: _(label) for code, label in STATES.items()},
        tones=TONES,
    )


async def load_receipt_panel(visit: Visit, order_id: int) -> str | None:
    """Return what was paid with each method, for the receipt; None if nothing was."""
    payments = await visit.api.get(PAYMENTS, query={"per_page": 100}, id=visit.store.id, orderId=order_id)
    paid = [each for each in reversed(payments["data"]) if each["status"] == "succeeded"]
    if not paid:
        return None
    return await visit.render_fragment(
        "payments/dashboard/_receipt_panel.html", payments=paid, methods=get_method_labels()
    )


async def load_unpaid_panel(visit: Visit, store_id: int) -> str | None:
    """Return the newest finished orders that are not paid; None if there are none."""
    first = (clock.now().astimezone(visit.zone) - timedelta(days=UNPAID_DAYS)).date().isoformat()
    query: dict[str, str | int] = {"is_paid": "false", "status": "completed", "from": first, "per_page": MAX_UNPAID}
    unpaid = await visit.api.get("/restaurants/{id}/orders", id=store_id, query=query)
    if not unpaid["total"]:
        return None
    return await visit.render_fragment("payments/dashboard/_unpaid_panel.html", unpaid=unpaid, first=first)


PANELS: Final = (
    Panel("payments_receipt", "receipt", N_("Payments"), load_receipt_panel, "orders:read", position=10),
    Panel("payments_order", "order", N_("Payments"), load_order_panel, "orders:read", position=10),
    Panel(
        "payments_unpaid", "today", N_("Finished but not paid"), load_unpaid_panel, "orders:read", position=20,
        is_for=HAS_UNPAID,
    ),
)  # fmt: skip


async def _get_order(visit: Visit, order_id: int) -> dict[str, Any]:
    order: dict[str, Any] = await visit.api.get(ORDER, id=visit.store.id, orderId=order_id)
    return order


async def _render_payment(visit: Visit, order: dict[str, Any], form: Form) -> Response:
    available = await list_available_methods(visit.caller.owner_id, visit.store.id)
    methods = [(method.code, _(method.label)) for method in available]
    return await visit.render("payments/dashboard/payment.html", order=order, form=form, methods=methods)


async def _render_refund(visit: Visit, order: dict[str, Any], form: Form, chosen: str) -> Response:
    quantities = {
        line["line_id"]: line
        for line in form.get_value("lines") or []
        if isinstance(line, dict) and isinstance(line.get("line_id"), int)
    }
    return await visit.render(
        "payments/dashboard/refund.html",
        order=order,
        form=form,
        chosen=chosen,
        left=order["paid_total"] - order["refunded_total"],
        quantities=quantities,
        methods=[(code, label) for code, label in get_method_labels().items() if code in REFUND_METHODS],
    )


def get_method_labels() -> dict[str, str]:
    """Return the payment methods by code, with their labels in the language of the page."""
    return {code: _(method.label) for code, method in runtime.registry().payment_methods.items()}
