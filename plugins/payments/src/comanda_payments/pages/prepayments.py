"""Prepayments in the dashboard: gift cards that the page sold and deposits of guests, refunded or kept."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Any, Final

from comanda.contracts import NavigationEntry
from comanda.web import N_
from comanda.web import gettext as _
from comanda.web.dashboard import Form, Visit
from quart import Response

from comanda_payments.models import PrepaymentKind, PrepaymentStatus
from comanda_payments.pages.dashboard import dashboard, get_method_labels

PREPAYMENTS: Final = "/restaurants/{id}/prepayments"
PREPAYMENT: Final = f"{PREPAYMENTS}/{{prepaymentId}}"
REFUND: Final = f"{PREPAYMENT}/refund"
KINDS: Final = {PrepaymentKind.DEPOSIT: N_("Deposit"), PrepaymentKind.GIFT_CARD: N_("Gift card")}
KIND_FILTERS: Final = {PrepaymentKind.DEPOSIT: N_("Deposits"), PrepaymentKind.GIFT_CARD: N_("Gift cards")}
STATUSES: Final = {
    PrepaymentStatus.OPEN: (N_("Not paid yet"), "warn"),
    PrepaymentStatus.PAID: (N_("Paid"), "good"),
    PrepaymentStatus.APPLIED: (N_("On the bill"), "neutral"),
    PrepaymentStatus.KEPT: (N_("Kept"), "neutral"),
    PrepaymentStatus.REFUNDING: (N_("Being refunded"), "warn"),
    PrepaymentStatus.REFUNDED: (N_("Refunded"), "neutral"),
    PrepaymentStatus.CANCELLED: (N_("Never paid"), "neutral"),
}
CHOICES: Final[Mapping[str, type[StrEnum]]] = {"kind": PrepaymentKind, "status": PrepaymentStatus}
NAVIGATION: Final = NavigationEntry(
    N_("Prepayments"), "/stores/{store_id}/prepayments", "selling", "orders:read", icon="receipt", position=45
)


@dashboard.get("/stores/<int:store_id>/prepayments", scope="orders:read")
async def list_prepayments(visit: Visit, store_id: int) -> Response:
    """List what guests have paid in advance, or some of it."""
    asked = visit.query("kind", "status")
    filters = {name: value for name, value in asked.items() if value in set(CHOICES[name])}
    return await visit.render(
        "payments/dashboard/prepayments.html",
        prepayments=await visit.api.get(PREPAYMENTS, id=store_id, query={**filters, **visit.query("page")}),
        filters=filters,
        kind_filters={kind.value: _(label) for kind, label in KIND_FILTERS.items()},
        **_get_texts(),
    )


@dashboard.get("/stores/<int:store_id>/prepayments/<int:prepayment_id>", scope="orders:read")
async def show_prepayment(visit: Visit, store_id: int, prepayment_id: int) -> Response:
    """Show a prepayment, with the form to refund a deposit that is paid."""
    return await _render_prepayment(visit, prepayment_id, visit.form("POST", REFUND))


@dashboard.post("/stores/<int:store_id>/prepayments/<int:prepayment_id>/refund", scope="orders:write")
async def refund_prepayment(visit: Visit, store_id: int, prepayment_id: int) -> Response:
    """Refund a deposit or a part of it."""
    form = await visit.read_form("POST", REFUND, id=store_id, prepaymentId=prepayment_id)
    if await form.submit() is None:
        return await _render_prepayment(visit, prepayment_id, form)
    notice = _("The deposit is being refunded.")
    return visit.redirect(f"/stores/{store_id}/prepayments/{prepayment_id}", notice=notice)


@dashboard.post("/stores/<int:store_id>/prepayments/<int:prepayment_id>/keep", scope="orders:write")
async def keep_prepayment(visit: Visit, store_id: int, prepayment_id: int) -> Response:
    """Keep a deposit."""
    return await visit.act(
        "POST", f"{PREPAYMENT}/keep", to=f"/stores/{store_id}/prepayments/{prepayment_id}",
        notice=_("The deposit is kept."), id=store_id, prepaymentId=prepayment_id,
    )  # fmt: skip


async def _render_prepayment(visit: Visit, prepayment_id: int, form: Form) -> Response:
    prepayment = await visit.api.get(PREPAYMENT, id=visit.store.id, prepaymentId=prepayment_id)
    return await visit.render(
        "payments/dashboard/prepayment.html",
        status=422 if form.is_refused else 200,
        prepayment=prepayment,
        form=form,
        left=prepayment["paid"] - prepayment["refunded"],
        methods=get_method_labels(),
        **_get_texts(),
    )


def _get_texts() -> dict[str, Any]:
    return {
        "kinds": {kind.value: _(label) for kind, label in KINDS.items()},
        "statuses": {status.value: (_(label), tone) for status, (label, tone) in STATUSES.items()},
    }
