"""QR codes in the dashboard: of the store's page and of tables, to download and to print."""

from typing import Final

from comanda.basics import NotFound, ValidationFailed
from comanda.contracts import Answer, NavigationEntry
from comanda.web import N_, PRIVATE_HEADERS
from comanda.web.dashboard import DashboardPages, Visit, get_sentence
from quart import Response

from comanda_storefront.services.qr_codes import has_table_service

dashboard: Final = DashboardPages("storefront", __name__)

CODE: Final = "/restaurants/{id}/qr"
SHEET: Final = f"{CODE}/sheet"
FORMATS: Final = ("svg", "png")
NAVIGATION: Final = (
    NavigationEntry(
        N_("QR codes"), "/stores/{store_id}/qr-codes", "channels", "restaurants:read", icon="qr", position=20
    ),
)


@dashboard.get("/stores/<int:store_id>/qr-codes", scope="restaurants:read")
async def show_qr_codes(visit: Visit, store_id: int) -> Response:
    """Show the code of the store's page, and the form for a sheet of cards."""
    return await _render(visit)


@dashboard.get("/stores/<int:store_id>/qr-codes/sheet", scope="restaurants:read")
async def show_qr_sheet(visit: Visit, store_id: int) -> Response:
    """Show cards of QR codes for tables, to print and to cut out."""
    query = visit.query("tables")
    try:
        return _send(await visit.api.send("GET", SHEET, id=store_id, query=query))
    except ValidationFailed as error:
        return await _render(visit, get_sentence(error), query.get("tables", ""))


@dashboard.get("/stores/<int:store_id>/qr-codes/code.<string:kind>", scope="restaurants:read")
async def download_qr_code(visit: Visit, store_id: int, kind: str) -> Response:
    """Send the code of the store's page as a picture."""
    if kind not in FORMATS:
        raise NotFound
    return _send(await visit.api.send("GET", CODE, id=store_id, query={"format": kind}))


async def _render(visit: Visit, problem: str | None = None, tables: str = "") -> Response:
    return await visit.render(
        "storefront/dashboard/qr_codes.html", status=422 if problem else 200, problem=problem, tables=tables,
        has_tables=has_table_service(visit.store.store_type),
    )  # fmt: skip


def _send(answer: Answer) -> Response:
    headers = {**answer.headers, **PRIVATE_HEADERS, "Content-Type": answer.content_type}
    return Response(answer.body, headers=headers)
