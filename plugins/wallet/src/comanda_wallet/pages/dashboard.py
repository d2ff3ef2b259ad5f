"""The wallet in the dashboard: balance, entries, the low-balance message, and a developer's earnings."""

from typing import Final

from comanda.web import N_
from comanda.web import gettext as _
from comanda.web.dashboard import DashboardPages, Form, Visit
from quart import Response

from comanda_wallet.models import EntryKind

dashboard: Final = DashboardPages("wallet", __name__)

WALLET: Final = "/wallet"
EARNINGS: Final = f"{WALLET}/earnings"
KIND_LABELS: Final = {
    EntryKind.TOP_UP: N_("Top-up"),
    EntryKind.USAGE: N_("Usage"),
    EntryKind.SUBSCRIPTION: N_("Subscription"),
    EntryKind.REFUND: N_("Refund"),
    EntryKind.ADJUSTMENT: N_("Adjustment"),
    EntryKind.FEE: N_("Fee of a payment, withheld"),
}


@dashboard.get("/wallet", scope="wallet:read")
async def show_wallet(visit: Visit) -> Response:
    """Show the balance and the entries."""
    wallet = await visit.api.get(WALLET)
    return await _render(visit, wallet, visit.form("PATCH", WALLET, wallet))


@dashboard.post("/wallet", scope="wallet:write")
async def update_wallet(visit: Visit) -> Response:
    """Set the balance below which the owner gets a message."""
    form = await visit.read_form("PATCH", WALLET)
    if await form.submit() is None:
        return await _render(visit, await visit.api.get(WALLET), form)
    return visit.redirect("/wallet", notice=_("Wallet saved."))


@dashboard.get("/wallet/earnings", scope="wallet:read")
async def list_earnings(visit: Visit) -> Response:
    """Show what a developer or a reseller has earned."""
    return await visit.render(
        "wallet/dashboard/earnings.html",
        earnings=await visit.api.get(EARNINGS),
        shares=await visit.api.get(f"{EARNINGS}/entries", query=visit.query("page")),
        labels=_list_labels(),
    )


async def _render(visit: Visit, wallet: object, form: Form) -> Response:
    filters = visit.query("kind", "since", "until")
    if filters.get("kind") not in set(EntryKind):
        filters.pop("kind", None)
    moments = visit.to_moments(filters)
    query = {name: filters[name] for name in ("kind",) if name in filters} | moments | visit.query("page")
    return await visit.render(
        "wallet/dashboard/wallet.html",
        wallet=wallet,
        form=form,
        filters=filters,
        labels=_list_labels(),
        entries=await visit.api.get(f"{WALLET}/entries", query=query),
    )


def _list_labels() -> dict[str, str]:
    return {kind.value: _(label) for kind, label in KIND_LABELS.items()}
