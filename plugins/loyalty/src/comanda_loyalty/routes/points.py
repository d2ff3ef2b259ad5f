"""The points of customers, for their store and for themselves."""

from comanda.contracts import Answer, Call, Caller, IdempotencyKey, Routes, key_header

from comanda_loyalty.records import LoyaltyAccount, OwnPoints
from comanda_loyalty.schemas import PointsBody
from comanda_loyalty.services import accounts

routes = Routes("Loyalty")
customer_routes = Routes("Customer", callers=("customer",))


@routes.get("/restaurants/{id}/loyalty/customers/{customerId}", scope="customers:read")
async def get_points(caller: Caller, id: int, customer_id: int) -> LoyaltyAccount:
    """Return a customer's points, with the newest 100 entries of the ledger."""
    return await accounts.get_account(caller, id, customer_id)


@routes.post(
    "/restaurants/{id}/loyalty/customers/{customerId}/entries",
    scope="customers:write",
    answers=LoyaltyAccount,
    headers=(key_header("entry"),),
    is_delegable=False,
)
async def adjust_points(caller: Caller, id: int, customer_id: int, body: PointsBody, call: Call) -> Answer:
    """Add points to a customer's balance, or deduct them, with a reason."""
    return (await accounts.adjust_points(caller, id, customer_id, body, IdempotencyKey.of(call))).answer()


@customer_routes.get("/customer/loyalty", scope="profile", is_delegable=True, cors=True)
async def get_own_points(caller: Caller) -> OwnPoints:
    """Return your points, the rewards that you can choose, and the newest 100 changes."""
    return await accounts.get_own_points(caller)
