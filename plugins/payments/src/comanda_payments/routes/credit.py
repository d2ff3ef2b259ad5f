"""Store credit of a store's customers."""

from typing import Any

from comanda.contracts.callers import Caller
from comanda.contracts.calls import Answer, Call
from comanda.contracts.idempotency import IdempotencyKey, key_header
from comanda.contracts.paging import Page, PageRequest
from comanda.contracts.routes import Routes

from comanda_payments import credit
from comanda_payments.schemas import CreditEntryBody, CreditOut, CreditSummary

routes = Routes("Store credit")


@routes.get("/restaurants/{id}/store-credit", scope="orders:read", answers=Page[CreditSummary])
async def list_accounts(caller: Caller, id: int, page: PageRequest) -> dict[str, Any]:
    """List the customers who have, or had, credit at a store."""
    return await credit.page_of_accounts(caller, id, page)


@routes.get("/restaurants/{id}/store-credit/{customerId}", scope="orders:read", answers=CreditOut)
async def show_credit(caller: Caller, id: int, customer_id: int) -> dict[str, Any]:
    """Tell a customer's credit, with the newest 100 entries of its ledger."""
    return await credit.account(caller, id, customer_id)


@routes.post(
    "/restaurants/{id}/store-credit/{customerId}/entries",
    scope="orders:write",
    answers=CreditOut,
    headers=(key_header("entry"),),
)
async def enter_credit(caller: Caller, id: int, customer_id: int, body: CreditEntryBody, call: Call) -> Answer:
    """Grant credit to a customer, or adjust it up or down."""
    return (await credit.enter(caller, id, customer_id, body, IdempotencyKey.of(call))).answer()
