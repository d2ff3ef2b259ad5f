"""The tables of the store, as the till shows them."""

from comanda.contracts import Caller, Routes
from comanda_reservations.api import FloorTable, list_floor
from comanda_staff.api import STAFF_ONLY, Permission

routes = Routes("Till", callers=STAFF_ONLY)


@routes.get("/staff/tables", scope=Permission.ORDERS)
async def list_tables(caller: Caller) -> list[FloorTable]:
    """List your store's tables in use with their places on the plan, who is seated there, and who comes next today."""
    return await list_floor(caller, caller.known_store_id)
