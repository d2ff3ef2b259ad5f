"""Store credit of a store's customers."""

from comanda.contracts import (
    ANY_SCOPE,
    Answer,
    Call,
    Caller,
    IdempotencyKey,
    PageRequest,
    RecordPage,
    Routes,
    key_header,
)

from comanda_payments.records.balances import CreditAccount, StoreCreditWithEntries
from comanda_payments.schemas import CreditEntryBody, OwnCredit
from comanda_payments.services.balances import store_credit

routes = Routes("Store credit")
customer_routes = Routes("Customer", callers=("customer",))


@routes.get("/restaurants/{id}/store-credit", scope="orders:read", is_delegable=False)
async def list_accounts(caller: Caller, id: int, page: PageRequest) -> RecordPage[CreditAccount]:
    """List the store credit accounts of a store's customers, newest first."""
    return await store_credit.list_accounts(caller, id, page)


@routes.get("/restaurants/{id}/store-credit/{customerId}", scope="orders:read", is_delegable=False)
async def get_account(caller: Caller, id: int, customer_id: int) -> StoreCreditWithEntries:
    """Return a customer's store credit, with the newest 100 entries of its ledger."""
    return await store_credit.get_account(caller, id, customer_id)


@routes.post(
    "/restaurants/{id}/store-credit/{customerId}/entries",
    scope="orders:write",
    answers=StoreCreditWithEntries,
    headers=(key_header("entry"),),
    is_delegable=False,
)
async def create_entry(caller: Caller, id: int, customer_id: int, body: CreditEntryBody, call: Call) -> Answer:
    """Grant store credit to a customer, or adjust it up or down."""
    return (await store_credit.create_entry(caller, id, customer_id, body, IdempotencyKey.of(call))).answer()


@customer_routes.get("/customer/store-credit", scope=ANY_SCOPE, answers=OwnCredit)
async def get_customer_credit(caller: Caller) -> StoreCreditWithEntries:
    """Return your store credit, with the newest 100 entries of its ledger."""
    return await store_credit.get_customer_credit(caller)
