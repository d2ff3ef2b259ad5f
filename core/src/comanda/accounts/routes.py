"""Who am I."""

from typing import Any

from comanda.accounts import services
from comanda.accounts.schemas import Identity
from comanda.contracts.callers import Caller
from comanda.contracts.routes import ANY_SCOPE, Routes

routes = Routes("Account")


@routes.get("/me", scope=ANY_SCOPE, answers=Identity)
async def me(caller: Caller) -> dict[str, Any]:
    """Tell who the token belongs to and what it may do."""
    return await services.describe_caller(caller)
