"""Printers in the dashboard: register, set up, test, see what they print."""

from typing import Any, Final

from comanda.basics import Forbidden, NotFound
from comanda.contracts import parse_id
from comanda.platform import runtime
from comanda.stores import find_vertical
from comanda.web import PRIVATE_HEADERS
from comanda.web import gettext as _
from comanda.web.dashboard import DashboardPages, Form, Visit
from quart import Response

from comanda_printing.pages.texts import LANGUAGES, describe_state, get_labels

dashboard: Final = DashboardPages("printing", __name__, has_static=True)

PRINTERS: Final = "/restaurants/{id}/printers"
PRINTER: Final = f"{PRINTERS}/{{printerId}}"
JOBS: Final = "/restaurants/{id}/print-jobs"
JOB: Final = f"{JOBS}/{{jobId}}"
STATIONS: Final = "/restaurants/{id}/stations"
READ: Final = "restaurants:read"
WRITE: Final = "restaurants:write"


@dashboard.get("/stores/<int:store_id>/printers", scope=READ)
async def list_printers(visit: Visit, store_id: int) -> Response:
    """Show a store's printers and how they are."""
    found = await visit.api.get(PRINTERS, query=visit.query("page"), id=store_id)
    for printer in found["data"]:
        printer["state_text"], printer["tone"] = describe_state(printer)
    return await visit.render("printing/dashboard/printers.html", printers=found, **get_labels())


@dashboard.get("/stores/<int:store_id>/printers/new", scope=WRITE)
async def show_new_printer(visit: Visit, store_id: int) -> Response:
    return await _render_form(visit, visit.form("POST", PRINTERS), None)


@dashboard.post("/stores/<int:store_id>/printers/new", scope=WRITE)
async def create_printer(visit: Visit, store_id: int) -> Response:
    """Register a printer, and show the address that it polls, this once."""
    form = await visit.read_form("POST", PRINTERS, id=store_id)
    if (printer := await form.submit()) is None:
        return await _render_form(visit, form, None)
    if printer["url"] is None:
        return visit.redirect(f"/stores/{store_id}/printers/{printer['id']}", notice=_("Printer saved."))
    return await visit.render("printing/dashboard/address.html", printer=printer)


@dashboard.get("/stores/<int:store_id>/printers/<int:printer_id>", scope=READ)
async def show_printer(visit: Visit, store_id: int, printer_id: int) -> Response:
    """Show a printer with its state and what it printed."""
    printer = await visit.api.get(PRINTER, id=store_id, printerId=printer_id)
    printer["state_text"], printer["tone"] = describe_state(printer)
    jobs: dict[str, Any] | None = None
    if visit.may("orders:read"):
        jobs = await visit.api.get(JOBS, query={"printer_id": printer_id, **visit.query("page")}, id=store_id)
    return await visit.render("printing/dashboard/printer.html", printer=printer, jobs=jobs, **get_labels())


@dashboard.get("/stores/<int:store_id>/printers/<int:printer_id>/edit", scope=WRITE)
async def show_printer_form(visit: Visit, store_id: int, printer_id: int) -> Response:
    printer = await visit.api.get(PRINTER, id=store_id, printerId=printer_id)
    return await _render_form(visit, visit.form("PATCH", PRINTER, printer), printer)


@dashboard.post("/stores/<int:store_id>/printers/<int:printer_id>/edit", scope=WRITE)
async def update_printer(visit: Visit, store_id: int, printer_id: int) -> Response:
    printer = await visit.api.get(PRINTER, id=store_id, printerId=printer_id)
    form = await visit.read_form("PATCH", PRINTER, id=store_id, printerId=printer_id)
    if await form.submit() is None:
        return await _render_form(visit, form, printer)
    return visit.redirect(f"/stores/{store_id}/printers/{printer_id}", notice=_("Printer saved."))


@dashboard.post("/stores/<int:store_id>/printers/<int:printer_id>/replace-code", scope=WRITE)
async def replace_code(visit: Visit, store_id: int, printer_id: int) -> Response:
    """Replace the address that a printer polls, and show the new one, this once."""
    printer = await visit.api.post(f"{PRINTER}/replace-code", id=store_id, printerId=printer_id)
    return await visit.render("printing/dashboard/address.html", printer=printer)


@dashboard.post("/stores/<int:store_id>/printers/<int:printer_id>/test", scope=WRITE)
async def print_test_page(visit: Visit, store_id: int, printer_id: int) -> Response:
    to, notice = f"/stores/{store_id}/printers/{printer_id}", _("The test page is waiting for the printer.")
    return await visit.act("POST", f"{PRINTER}/test", to=to, notice=notice, id=store_id, printerId=printer_id)


@dashboard.post("/stores/<int:store_id>/printers/<int:printer_id>/delete", scope=WRITE)
async def delete_printer(visit: Visit, store_id: int, printer_id: int) -> Response:
    to, notice = f"/stores/{store_id}/printers", _("Printer deleted.")
    return await visit.act("DELETE", PRINTER, to=to, notice=notice, id=store_id, printerId=printer_id)


@dashboard.get("/stores/<int:store_id>/print-jobs/<int:job_id>/preview", scope="orders:read")
async def show_preview(visit: Visit, store_id: int, job_id: int) -> Response:
    """Return a picture of a job."""
    answer = await visit.api.send("GET", f"{JOB}/preview", id=store_id, jobId=job_id)
    return Response(answer.body, content_type=answer.content_type, headers=PRIVATE_HEADERS)


@dashboard.post("/stores/<int:store_id>/print-jobs/<int:job_id>/reprint", scope="orders:write")
async def print_again(visit: Visit, store_id: int, job_id: int) -> Response:
    printer_id = parse_id((await visit.read_texts()).get("printer_id"))
    to = f"/stores/{store_id}/printers/{printer_id}" if printer_id else f"/stores/{store_id}/printers"
    return await visit.act("POST", f"{JOB}/reprint", to=to, notice=_("Printed again."), id=store_id, jobId=job_id)


@dashboard.post("/stores/<int:store_id>/orders/<int:order_id>/print", scope="orders:write")
async def print_order(visit: Visit, store_id: int, order_id: int) -> Response:
    """Print an order's receipt or kitchen ticket."""
    texts = await visit.read_texts()
    path, to = "/restaurants/{id}/orders/{orderId}/printers/{printerId}", f"/stores/{store_id}/orders/{order_id}"
    place = {"id": store_id, "orderId": order_id, "printerId": parse_id(texts.get("printer_id")) or 0}
    return await visit.act(
        "POST", path, to=to, notice=_("Sent to the printer."), body={"kind": texts.get("kind")}, **place
    )


@dashboard.get("/stores/<int:store_id>/printers/<int:printer_id>/page", scope="orders:write")
async def show_print_page(visit: Visit, store_id: int, printer_id: int) -> Response:
    """Show the page that prints: it claims the next job as long as some wait."""
    printer = await visit.api.get(PRINTER, id=store_id, printerId=printer_id)
    return await visit.render("printing/dashboard/print_page.html", printer=printer, job=None)


@dashboard.post("/stores/<int:store_id>/printers/<int:printer_id>/page", scope="orders:write")
async def print_next(visit: Visit, store_id: int, printer_id: int) -> Response:
    """Confirm the job that was printed, if there is one, and show the next one."""
    if job_id := parse_id((await visit.read_texts()).get("job_id")):
        await visit.api.post(f"{JOB}/confirm", id=store_id, jobId=job_id)
    claimed = await visit.api.post(f"{PRINTER}/claim", id=store_id, printerId=printer_id)
    if claimed["job"] is None:
        return visit.redirect(f"/stores/{store_id}/printers/{printer_id}/page")
    printer = await visit.api.get(PRINTER, id=store_id, printerId=printer_id)
    return await visit.render("printing/dashboard/print_page.html", printer=printer, job=claimed["job"])


async def _render_form(visit: Visit, form: Form, printer: dict[str, Any] | None) -> Response:
    store_id = visit.store.id
    found = await visit.api.get(PRINTERS, query={"per_page": 100}, id=store_id)
    others = [(each["id"], each["name"]) for each in found["data"] if printer is None or each["id"] != printer["id"]]
    vertical, modes = find_vertical(visit.store.store_type), runtime.registry().fulfillment_modes
    codes = vertical.fulfillment_modes if vertical is not None else ()
    return await visit.render(
        "printing/dashboard/printer_form.html",
        form=form,
        printer=printer,
        others=others,
        stations=await _list_stations(visit),
        modes=[(code, _(modes[code].label)) for code in codes if code in modes],
        slip_languages=list(LANGUAGES.items()),
        prints=[("kitchen", _("Kitchen tickets")), ("receipt", _("Receipts, when an order is paid"))],
        **get_labels(),
    )


async def _list_stations(visit: Visit) -> list[tuple[str, str]]:
    """Return the stations of the store's kitchen, if it has one."""
    if not visit.api.has("GET", STATIONS):
        return []
    try:
        found = await visit.api.get(STATIONS, query={"per_page": 100}, id=visit.store.id)
    except (Forbidden, NotFound):
        return []
    return [(str(each["id"]), each["name"]) for each in found["data"]]
