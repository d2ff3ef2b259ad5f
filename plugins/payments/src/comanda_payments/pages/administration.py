"""The operator's terms of an owner in the dashboard: what administrators see and decide."""

from typing import Any, Final

import orjson
from comanda.accounts import get_owner
from comanda.contracts import Audience, Panel, parse_body, parse_id
from comanda.web import N_
from comanda.web import gettext as _
from comanda.web.dashboard import Form, Visit, read_values
from quart import Response, request

from comanda_payments.pages.dashboard import dashboard
from comanda_payments.schemas import FeeBody
from comanda_payments.services.accounts import terms

PAGE: Final = "/administration/owners/{}/payment-terms"
RULE: Final = PAGE.format("<int:owner_id>")


async def load_owner_panel(visit: Visit, owner_id: int) -> str:
    """Return whether an owner uses the operator's accounts and whether fees were set, with the link to both."""
    found = await terms.load_decisions(owner_id)
    return await visit.render_fragment("payments/dashboard/_owner_panel.html", owner_id=owner_id, terms=found)


PANELS: Final = (Panel("payments_owner", "owner", N_("Online payments"), load_owner_panel, position=20),)


@dashboard.get(RULE, scope=None, audience=Audience.ADMINISTRATOR)
async def show_terms(visit: Visit, owner_id: int) -> Response:
    """Show the operator's terms of an owner, and the form of a fee."""
    return await _render(visit, owner_id, Form(FeeBody, visit.zone))


@dashboard.post(RULE, scope=None, audience=Audience.ADMINISTRATOR)
async def set_fee(visit: Visit, owner_id: int) -> Response:
    """Set the fee of one store, or of all."""

    async def send(values: Any) -> None:
        await terms.set_fee_as_administrator(visit.caller, owner_id, parse_body(FeeBody, orjson.dumps(values)))

    sent = read_values((await request.form).items(multi=True), FeeBody, visit.zone)
    form = Form(FeeBody, visit.zone, sent, send=send)
    if await form.submit() is None:
        return await _render(visit, owner_id, form)
    return visit.redirect(PAGE.format(owner_id), notice=_("Fee saved."))


@dashboard.post(f"{RULE}/fee/delete", scope=None, audience=Audience.ADMINISTRATOR)
async def delete_fee(visit: Visit, owner_id: int) -> Response:
    """Remove a fee that was set, so that the next wider one holds."""
    store_id = parse_id((await visit.read_texts()).get("store_id"))
    await terms.delete_fee_as_administrator(visit.caller, owner_id, store_id)
    return visit.redirect(PAGE.format(owner_id), notice=_("Fee removed."))


@dashboard.post(f"{RULE}/loan", scope=None, audience=Audience.ADMINISTRATOR)
async def set_loan(visit: Visit, owner_id: int) -> Response:
    """Lend the operator's accounts to the owner, or no longer."""
    is_lent = (await visit.read_texts()).get("is_lent") == "1"
    await terms.set_loan_as_administrator(visit.caller, owner_id, lends_account=is_lent)
    return visit.redirect(PAGE.format(owner_id), notice=_("Saved."))


async def _render(visit: Visit, owner_id: int, form: Form) -> Response:
    owner = await get_owner(owner_id)
    found = await terms.load_decisions(owner_id)
    stores = await terms.list_stores(owner_id)
    return await visit.render(
        "payments/dashboard/owner_terms.html",
        owner=owner,
        terms=found,
        form=form,
        choices=[(each["id"], each["title"]) for each in stores],
    )
