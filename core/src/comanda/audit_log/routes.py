"""The audit log, as its owner reads it."""

from typing import Any

from comanda.accounts.kinds import Caller
from comanda.audit_log import services
from comanda.audit_log.schemas import AuditEntryOut, AuditFilter
from comanda.http.paging import Page, PageRequest
from comanda.http.routes import Routes

routes = Routes("Audit log")


@routes.get("/audit-log", scope="restaurants:read", answers=Page[AuditEntryOut])
async def list_entries(caller: Caller, page: PageRequest, query: AuditFilter) -> dict[str, Any]:
    """List what you, your staff, apps and agents have changed, newest first, 30 per page."""
    return await services.list_entries(caller, page, query)
