"""Routes of a store's withdrawals."""

from comanda.contracts import Caller, PageRequest, RecordPage, Routes

from comanda_legal.records import Withdrawal
from comanda_legal.schemas import WithdrawalQuery
from comanda_legal.services import withdrawals

routes = Routes("Legal")


@routes.get("/restaurants/{id}/withdrawals", scope="orders:read")
async def list_withdrawals(
    caller: Caller, id: int, query: WithdrawalQuery, page: PageRequest
) -> RecordPage[Withdrawal]:
    """List the statements of people who withdraw from a contract with a store, newest first, 20 per page."""
    return await withdrawals.list_withdrawals(caller, id, query, page)


@routes.post("/restaurants/{id}/withdrawals/{withdrawalId}/handled", scope="orders:write", status=200)
async def mark_handled(caller: Caller, id: int, withdrawal_id: int) -> Withdrawal:
    """Mark a statement of withdrawal as handled. One that was marked before stays as it is."""
    return await withdrawals.mark_handled(caller, id, withdrawal_id)
