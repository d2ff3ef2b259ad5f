"""Routes of QR codes for stores and tables."""

from comanda.contracts import Answer, Call, Caller, Routes
from comanda.web import choose_language, use_language

from comanda_storefront.schemas.qr_codes import QrQuery, QrSheetQuery
from comanda_storefront.services import qr_codes, qr_sheet

routes = Routes("Storefront")


@routes.get(
    "/restaurants/{id}/qr", scope="restaurants:read", answers=bytes, content_types=("image/svg+xml", "image/png")
)
async def get_qr_code(caller: Caller, id: int, query: QrQuery) -> Answer:
    """Get a QR code that leads to the store's page, or to that of a ``table``, as SVG or PNG."""
    return await qr_codes.get_qr_code(caller, id, query.table, query.format)


@routes.get("/restaurants/{id}/qr/sheet", scope="restaurants:read", answers=bytes, content_types=("text/html",))
async def get_qr_sheet(call: Call, caller: Caller, id: int, query: QrSheetQuery) -> Answer:
    """Get a page of QR codes to print on A4 and cut out, with a card for each of ``tables``."""
    with use_language(choose_language(call.headers)):
        return await qr_sheet.get_qr_sheet(caller, id, query.tables)
