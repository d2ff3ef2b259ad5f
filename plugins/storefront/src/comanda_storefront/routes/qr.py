"""QR codes for tables and shop windows."""

from comanda.accounts.kinds import Caller
from comanda.http.call import Answer
from comanda.http.routes import Routes

from comanda_storefront import qr
from comanda_storefront.shop_schemas import QrQuery

routes = Routes("Storefront")


@routes.get("/restaurants/{id}/qr", scope="restaurants:read", answers=bytes)
async def show_code(caller: Caller, id: int, query: QrQuery) -> Answer:
    """Draw a QR code that leads to the store's page, of one ``table`` if named, as SVG or PNG."""
    return await qr.code(caller, id, query.table, query.format)
