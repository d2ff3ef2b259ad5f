"""QR codes for tables and shop windows."""

from comanda.contracts.callers import Caller
from comanda.contracts.calls import Answer
from comanda.contracts.routes import Routes

from comanda_storefront import qr, qr_sheet
from comanda_storefront.shop_schemas import QrQuery, QrSheetQuery

routes = Routes("Storefront")


@routes.get(
    "/restaurants/{id}/qr", scope="restaurants:read", answers=bytes, content_types=("image/svg+xml", "image/png")
)
async def show_code(caller: Caller, id: int, query: QrQuery) -> Answer:
    """Draw a QR code that leads to the store's page, of one ``table`` if named, as SVG or PNG."""
    return await qr.code(caller, id, query.table, query.format)


@routes.get("/restaurants/{id}/qr/sheet", scope="restaurants:read", answers=bytes, content_types=("text/html",))
async def show_sheet(caller: Caller, id: int, query: QrSheetQuery) -> Answer:
    """Draw a page of QR codes to print on A4 and cut out, a card for each of ``tables``."""
    return await qr_sheet.sheet(caller, id, query.tables)
