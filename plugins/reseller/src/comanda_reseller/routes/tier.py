"""The tier of a reseller."""

from comanda.contracts import Caller, Routes

from comanda_reseller.records.accounts import Tier
from comanda_reseller.services.resellers import tiers

routes = Routes("Reseller")


@routes.get("/reseller/tier", scope="restaurants:read")
async def get_tier(caller: Caller) -> Tier:
    """Return the caller's tier, its discount, and how many customers are missing to the next."""
    return await tiers.get_tier(caller)
