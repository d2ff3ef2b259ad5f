"""Routes of a store's tables and their availability."""

from comanda.contracts import Caller, PageRequest, RecordPage, Routes

from comanda_reservations.records import Table, TableAvailability
from comanda_reservations.schemas import AvailabilityQuery, TableBody, TableChange
from comanda_reservations.services import availability, tables

routes = Routes("Reservations")


@routes.get("/restaurants/{id}/tables/availability", scope="orders:read")
async def get_availability(caller: Caller, id: int, query: AvailabilityQuery) -> TableAvailability:
    """Get whether a party fits at a time, on which tables, and up to eight later times of that day."""
    return await availability.get_availability(caller, id, query)


@routes.get("/restaurants/{id}/tables", scope="orders:read")
async def list_tables(caller: Caller, id: int, page: PageRequest) -> RecordPage[Table]:
    """List a store's tables in the owner's order, 100 per page."""
    return await tables.list_tables(caller, id, page)


@routes.post("/restaurants/{id}/tables", scope="orders:write")
async def create_table(caller: Caller, id: int, body: TableBody) -> Table:
    """Create a table."""
    return await tables.create_table(caller, id, body)


@routes.get("/restaurants/{id}/tables/{tableId}", scope="orders:read")
async def get_table(caller: Caller, id: int, table_id: int) -> Table:
    """Get a table."""
    return await tables.get_table(caller, id, table_id)


@routes.put("/restaurants/{id}/tables/{tableId}", scope="orders:write")
async def update_table(caller: Caller, id: int, table_id: int, body: TableChange) -> Table:
    """Update a table. Reservations keep it; omitted fields stay as they are."""
    return await tables.update_table(caller, id, table_id, body)


@routes.delete("/restaurants/{id}/tables/{tableId}", scope="orders:write")
async def delete_table(caller: Caller, id: int, table_id: int) -> None:
    """Delete a table. Answers 409 if it is reserved."""
    await tables.delete_table(caller, id, table_id)
