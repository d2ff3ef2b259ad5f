"""The codes of items, for the scanner of the till."""

from comanda.contracts import Caller, Routes
from comanda_staff.api import STAFF_ONLY, Permission

from comanda_till.records import ItemCode
from comanda_till.services import codes

routes = Routes("Till", callers=STAFF_ONLY)


@routes.get("/staff/codes", scope=Permission.ORDERS)
async def list_codes(caller: Caller) -> list[ItemCode]:
    """List the SKUs and barcodes of your store's variations, by which a scanner finds them."""
    return await codes.list_codes(caller)
