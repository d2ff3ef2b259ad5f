"""Gift cards in the dashboard: found, issued, topped up, blocked."""

from collections.abc import Mapping
from typing import Any, Final

from comanda.basics import ComandaError, NotFound
from comanda.contracts import Caller, NavigationEntry, parse_id
from comanda.web import N_
from comanda.web import gettext as _
from comanda.web.dashboard import REFUSALS, Form, Visit, get_sentence
from quart import Response

from comanda_payments.models import GiftCardStatus, LedgerEntryKind
from comanda_payments.pages.dashboard import dashboard
from comanda_payments.services.balances.gift_card_codes import group_code

GIFT_CARDS: Final = "/restaurants/{id}/gift-cards"
GIFT_CARD: Final = f"{GIFT_CARDS}/{{cardId}}"
ADJUSTMENT: Final = f"{GIFT_CARD}/adjust"
LOOKUP: Final = f"{GIFT_CARDS}/lookup"
CUSTOMER: Final = "/restaurants/{id}/customers/{customerId}"
STATUSES: Final = {
    GiftCardStatus.ACTIVE: (N_("Active"), "good"),
    GiftCardStatus.BLOCKED: (N_("Blocked"), "bad"),
    GiftCardStatus.EXPIRED: (N_("Expired"), "neutral"),
}
ENTRY_KINDS: Final = {
    LedgerEntryKind.ISSUE: N_("Issued"),
    LedgerEntryKind.GRANT: N_("Granted"),
    LedgerEntryKind.SPEND: N_("Spent"),
    LedgerEntryKind.REFUND: N_("Refunded"),
    LedgerEntryKind.ADJUST: N_("Adjusted"),
}


def may_adjust_balances(caller: Caller) -> bool:
    """Return whether the caller is the owner: gift cards and store credit are not delegated to staff and apps."""
    return caller.acts_as is None


NAVIGATION: Final = (
    NavigationEntry(
        N_("Gift cards"), "/stores/{store_id}/gift-cards", "selling", "orders:read", icon="gift", position=40,
        is_for=may_adjust_balances,
    ),
    NavigationEntry(
        N_("Store credit"), "/stores/{store_id}/store-credit", "selling", "orders:read", icon="wallet", position=50,
        is_for=may_adjust_balances,
    ),
)  # fmt: skip


@dashboard.get("/stores/<int:store_id>/gift-cards", scope="orders:read")
async def list_gift_cards(visit: Visit, store_id: int) -> Response:
    """List the gift cards of the store, or those whose code ends with some characters."""
    return await _render_list(visit, visit.form("POST", LOOKUP))


@dashboard.post("/stores/<int:store_id>/gift-cards/lookup", scope="orders:write")
async def find_gift_card(visit: Visit, store_id: int) -> Response:
    """Find a gift card by its whole code, which is not in an address for as much as a moment."""
    form = await visit.read_form("POST", LOOKUP, id=store_id)
    try:
        card = await form.submit()
    except NotFound:
        form.errors = {"code": [_("This store has no gift card with this code.")]}
        card = None
    if card is None:
        return await _render_list(visit, form)
    return visit.redirect(f"/stores/{store_id}/gift-cards/{card['id']}")


@dashboard.get("/stores/<int:store_id>/gift-cards/new", scope="orders:write", step_up=True)
async def show_new_gift_card(visit: Visit, store_id: int) -> Response:
    """Show an empty form, for nobody in particular or for a customer."""
    customer_id = parse_id(visit.query("customer_id").get("customer_id"))
    values = {} if customer_id is None else {"customer_id": customer_id}
    return await _render_new(visit, visit.form("POST", GIFT_CARDS, values))


@dashboard.post("/stores/<int:store_id>/gift-cards/new", scope="orders:write", step_up=True)
async def issue_gift_card(visit: Visit, store_id: int) -> Response:
    """Issue a gift card and show its code, once."""
    form = await visit.read_form("POST", GIFT_CARDS, id=store_id)
    if (card := await form.submit()) is None:
        return await _render_new(visit, form)
    code = group_code(card["code"] or "")
    return await visit.render("payments/dashboard/gift_card_issued.html", card=card, code=code)


@dashboard.get("/stores/<int:store_id>/gift-cards/<int:card_id>", scope="orders:read")
async def show_gift_card(visit: Visit, store_id: int, card_id: int) -> Response:
    """Show a gift card with its balance and entries."""
    card = await visit.api.get(GIFT_CARD, id=store_id, cardId=card_id)
    return await visit.render(
        "payments/dashboard/gift_card.html", card=card, customer=await get_customer(visit, card["customer_id"]),
        **get_balance_texts(),
    )  # fmt: skip


@dashboard.get("/stores/<int:store_id>/gift-cards/<int:card_id>/adjust", scope="orders:write", step_up=True)
async def show_adjustment(visit: Visit, store_id: int, card_id: int) -> Response:
    """Show the form to top a card up, or to deduct from it."""
    card = await visit.api.get(GIFT_CARD, id=store_id, cardId=card_id)
    return await visit.render("payments/dashboard/adjustment.html", card=card, form=visit.form("POST", ADJUSTMENT))


@dashboard.post("/stores/<int:store_id>/gift-cards/<int:card_id>/adjust", scope="orders:write", step_up=True)
async def adjust_gift_card(visit: Visit, store_id: int, card_id: int) -> Response:
    """Top a card up, or deduct from it."""
    card = await visit.api.get(GIFT_CARD, id=store_id, cardId=card_id)
    form = await visit.read_form("POST", ADJUSTMENT, id=store_id, cardId=card_id)
    if await form.submit() is None:
        return await visit.render("payments/dashboard/adjustment.html", card=card, form=form)
    return visit.redirect(f"/stores/{store_id}/gift-cards/{card_id}", notice=_("Balance changed."))


@dashboard.post("/stores/<int:store_id>/gift-cards/<int:card_id>/block", scope="orders:write")
async def block_gift_card(visit: Visit, store_id: int, card_id: int) -> Response:
    """Block a card, so that nobody can pay with it."""
    return await visit.act(
        "POST", f"{GIFT_CARD}/block", to=f"/stores/{store_id}/gift-cards/{card_id}", notice=_("Gift card blocked."),
        id=store_id, cardId=card_id,
    )  # fmt: skip


@dashboard.post("/stores/<int:store_id>/gift-cards/<int:card_id>/unblock", scope="orders:write")
async def unblock_gift_card(visit: Visit, store_id: int, card_id: int) -> Response:
    """Unblock a card."""
    return await visit.act(
        "POST", f"{GIFT_CARD}/unblock", to=f"/stores/{store_id}/gift-cards/{card_id}",
        notice=_("Gift card unblocked."), id=store_id, cardId=card_id,
    )  # fmt: skip


def get_balance_texts() -> dict[str, Any]:
    """Return the labels of gift cards and of entries, for templates."""
    return {
        "statuses": {status.value: (_(label), tone) for status, (label, tone) in STATUSES.items()},
        "kinds": {kind.value: _(label) for kind, label in ENTRY_KINDS.items()},
    }


async def get_customer(visit: Visit, customer_id: int | None) -> Mapping[str, Any] | None:
    """Return a customer of the store; None if there is none, or the person may not see customers."""
    if customer_id is None or not visit.api.has("GET", CUSTOMER):
        return None
    try:
        customer: dict[str, Any] = await visit.api.get(CUSTOMER, id=visit.store.id, customerId=customer_id)
    except ComandaError as error:
        # The list of customers may be missing from the owner's plan.
        if error.status not in {402, 403, 404}:
            raise
        return None
    return customer


async def _render_list(visit: Visit, form: Form) -> Response:
    filters = visit.query("code_last4")
    problem, cards = None, {"data": [], "total": 0, "last_page": 1, "current_page": 1}
    try:
        cards = await visit.api.get(GIFT_CARDS, id=visit.store.id, query={**filters, **visit.query("page")})
    except ComandaError as error:
        if error.status not in REFUSALS:
            raise
        problem = get_sentence(error)
    return await visit.render(
        "payments/dashboard/gift_cards.html", form=form, cards=cards, filters=filters, problem=problem,
        **get_balance_texts(),
    )  # fmt: skip


async def _render_new(visit: Visit, form: Form) -> Response:
    customer = await get_customer(visit, form.get_value("customer_id"))
    return await visit.render("payments/dashboard/new_gift_card.html", form=form, customer=customer)
