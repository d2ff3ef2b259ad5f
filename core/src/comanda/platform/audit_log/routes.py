"""Routes of the audit log."""

from comanda.contracts.requests.callers import Caller
from comanda.contracts.requests.paging import PageRequest, RecordPage
from comanda.contracts.requests.routes import Routes
from comanda.platform.audit_log import services
from comanda.platform.audit_log.records import AuditEntry
from comanda.platform.audit_log.schemas import AuditFilter

routes = Routes("Audit log")


@routes.get("/audit-log", scope="restaurants:read")
async def list_entries(caller: Caller, page: PageRequest, query: AuditFilter) -> RecordPage[AuditEntry]:
    """List the changes made by you, your staff, apps and agents, newest first, 30 per page."""
    return await services.list_entries(caller, page, query)
