"""The caller's own account."""

from typing import Any

from comanda.accounts import services
from comanda.accounts.schemas import Identity
from comanda.contracts.callers import Caller
from comanda.contracts.routes import ANY_SCOPE, Routes

routes = Routes("Account")


@routes.get("/me", scope=ANY_SCOPE, answers=Identity)
async def get_caller(caller: Caller) -> dict[str, Any]:
    """Return the account that the token belongs to and its scopes."""
    return await services.describe_caller(caller)
