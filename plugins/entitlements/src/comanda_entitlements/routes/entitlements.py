"""Entitlements, as owners read them."""

from comanda.contracts import Caller, PageRequest, RecordPage, Routes

from comanda_entitlements.records import EffectiveFeature
from comanda_entitlements.services import overview

routes = Routes("Entitlements")


@routes.get("/entitlements", scope="entitlements:read")
async def list_entitlements(caller: Caller, page: PageRequest) -> RecordPage[EffectiveFeature]:
    """List the features and limits of the owner's plan by key, with quotas, what is used, and where they come from."""
    return await overview.list_effective(caller.owner_id, page)
