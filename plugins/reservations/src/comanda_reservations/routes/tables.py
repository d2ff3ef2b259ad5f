"""The tables of a store, and when they are free."""

from typing import Any

from comanda.contracts.callers import Caller
from comanda.contracts.paging import Page, PageRequest
from comanda.contracts.routes import Routes

from comanda_reservations import tables
from comanda_reservations.availability import availability
from comanda_reservations.schemas import Availability, AvailabilityQuery, TableBody, TableChange, TableOut

routes = Routes("Reservations")


@routes.get("/restaurants/{id}/tables/availability", scope="orders:read", answers=Availability)
async def show_availability(caller: Caller, id: int, query: AvailabilityQuery) -> dict[str, Any]:
    """Tell whether a party fits at a time, on which tables, and at which later times of that day it does."""
    return await availability(caller, id, query)


@routes.get("/restaurants/{id}/tables", scope="orders:read", answers=Page[TableOut])
async def list_tables(caller: Caller, id: int, page: PageRequest) -> dict[str, Any]:
    """List a store's tables in the owner's order, 100 per page."""
    return await tables.page_of_tables(caller, id, page)


@routes.post("/restaurants/{id}/tables", scope="orders:write", answers=TableOut)
async def add_table(caller: Caller, id: int, body: TableBody) -> dict[str, Any]:
    """Add a table."""
    return await tables.add_table(caller, id, body)


@routes.get("/restaurants/{id}/tables/{tableId}", scope="orders:read", answers=TableOut)
async def show_table(caller: Caller, id: int, table_id: int) -> dict[str, Any]:
    """Show a table."""
    return await tables.table(caller, id, table_id)


@routes.put("/restaurants/{id}/tables/{tableId}", scope="orders:write", answers=TableOut)
async def change_table(caller: Caller, id: int, table_id: int, body: TableChange) -> dict[str, Any]:
    """Change a table; reservations that have it keep it, and fields left out stay as they are."""
    return await tables.change_table(caller, id, table_id, body)


@routes.delete("/restaurants/{id}/tables/{tableId}", scope="orders:write")
async def delete_table(caller: Caller, id: int, table_id: int) -> None:
    """Remove a table; one that is reserved answers 409."""
    await tables.delete_table(caller, id, table_id)
