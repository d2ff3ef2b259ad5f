"""The route of codes that scales print, for the scanner of the till."""

from comanda.contracts import Caller, Routes
from comanda_staff.api import STAFF_ONLY, Permission

from comanda_goods.records import ScaleCode
from comanda_goods.services import scale_codes

routes = Routes("Till", callers=STAFF_ONLY)


@routes.get("/staff/scale-codes/{code}", scope=Permission.ORDERS)
async def read_scale_code(caller: Caller, code: str) -> ScaleCode:
    """Return what the barcode of a scale's label stands for in your store: a variation, and its weight in grams.

    The store's settings say which prefixes hold a weight, and which a price.
    """
    return await scale_codes.read_code(caller, code)
