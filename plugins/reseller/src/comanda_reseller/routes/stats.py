"""Figures of a reseller."""

from comanda.contracts import Caller, Routes

from comanda_reseller.records.stats import ResellerStats
from comanda_reseller.services.resellers import stats

routes = Routes("Reseller")


@routes.get("/reseller/stats", scope="restaurants:read")
async def get_stats(caller: Caller) -> ResellerStats:
    """Return the number of customers, the recurring revenue, and how many came and went in the last 30 days."""
    return await stats.get_stats(caller)
