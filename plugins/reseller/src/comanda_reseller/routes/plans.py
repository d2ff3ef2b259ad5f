"""Plans of a reseller."""

from comanda.contracts import Caller, PageRequest, RecordPage, Routes

from comanda_reseller.records.subscriptions import Plan
from comanda_reseller.schemas.plans import PlanBody, PlanChange, PlanQuery
from comanda_reseller.services.subscriptions import plans

routes = Routes("Reseller")


@routes.get("/reseller/plans", scope="restaurants:read")
async def list_plans(caller: Caller, query: PlanQuery, page: PageRequest) -> RecordPage[Plan]:
    """List the plans, newest first, 20 per page; filter by ``active``."""
    return await plans.list_plans(caller, query, page)


@routes.post("/reseller/plans", scope="restaurants:write")
async def create_plan(caller: Caller, body: PlanBody) -> Plan:
    """Create a plan, in the currency of the reseller account."""
    return await plans.create_plan(caller, body)


@routes.get("/reseller/plans/{id}", scope="restaurants:read")
async def get_plan(caller: Caller, id: int) -> Plan:
    """Return a plan."""
    return await plans.get_plan(caller, id)


@routes.put("/reseller/plans/{id}", scope="restaurants:write")
async def update_plan(caller: Caller, id: int, body: PlanChange) -> Plan:
    """Update a plan; omitted fields stay as they are.

    A price applies from the next period of each subscription, features and limits apply at once. A plan that is not
    ``active`` takes no new subscriptions, and those that it has go on.
    """
    return await plans.update_plan(caller, id, body)


@routes.post("/reseller/plans/{id}/deactivate", scope="restaurants:write", status=200)
async def deactivate_plan(caller: Caller, id: int) -> Plan:
    """Deactivate a plan: it takes no new subscriptions. Repeating it changes nothing."""
    return await plans.update_plan(caller, id, PlanChange(active=False))
