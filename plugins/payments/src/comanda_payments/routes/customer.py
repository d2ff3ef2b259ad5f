"""What customers see of their own gift cards and credit."""

from typing import Any

from comanda.accounts.kinds import Caller
from comanda.http.paging import Page, PageRequest
from comanda.http.routes import ANY_SCOPE, Routes

from comanda_payments import credit, gift_cards
from comanda_payments.schemas import OwnCredit, OwnGiftCard

routes = Routes("Customer", callers=("customer",))


@routes.get("/customer/gift-cards", scope=ANY_SCOPE, answers=Page[OwnGiftCard])
async def list_own_cards(caller: Caller, page: PageRequest) -> dict[str, Any]:
    """List the gift cards of the customer who asks, newest first."""
    return await gift_cards.page_of_own(caller, page)


@routes.get("/customer/store-credit", scope=ANY_SCOPE, answers=OwnCredit)
async def show_own_credit(caller: Caller) -> dict[str, Any]:
    """Tell the store credit of the customer who asks, with the newest 100 entries of its ledger."""
    return await credit.own(caller)
