"""Printers of a store, for owners."""

from comanda.contracts import Caller, PageRequest, RecordPage, Routes

from comanda_printing.entitlements import PRINTING
from comanda_printing.records import IssuedPrinter, Job, Printer
from comanda_printing.schemas import PrinterBody, PrinterChange
from comanda_printing.services import jobs, printers

routes = Routes("Printing", feature=PRINTING.code)

PRINTERS = "/restaurants/{id}/printers"
PRINTER = f"{PRINTERS}/{{printerId}}"
READ = "restaurants:read"
WRITE = "restaurants:write"


@routes.get(PRINTERS, scope=READ)
async def list_printers(caller: Caller, id: int, page: PageRequest) -> RecordPage[Printer]:
    """List a store's printers by name, with their states and how many jobs wait for them."""
    return await printers.list_printers(caller, id, page)


@routes.post(PRINTERS, scope=WRITE, status=201)
async def create_printer(caller: Caller, id: int, body: PrinterBody) -> IssuedPrinter:
    """Register a printer. The ``url`` that it polls is shown only in this response."""
    return await printers.create_printer(caller, id, body)


@routes.get(PRINTER, scope=READ)
async def get_printer(caller: Caller, id: int, printer_id: int) -> Printer:
    """Get a printer with its state."""
    return await printers.get_printer(caller, id, printer_id)


@routes.patch(PRINTER, scope=WRITE)
async def update_printer(caller: Caller, id: int, printer_id: int, body: PrinterChange) -> Printer:
    """Update a printer; omitted fields stay unchanged."""
    return await printers.update_printer(caller, id, printer_id, body)


@routes.delete(PRINTER, scope=WRITE)
async def delete_printer(caller: Caller, id: int, printer_id: int) -> None:
    """Delete a printer with its jobs; what waits for it is not printed."""
    await printers.delete_printer(caller, id, printer_id)


@routes.post(f"{PRINTER}/replace-code", scope=WRITE, status=200)
async def replace_code(caller: Caller, id: int, printer_id: int) -> IssuedPrinter:
    """Give a printer a new ``url`` to poll; the old one ends at once. 409 for a printer that does not poll."""
    return await printers.replace_code(caller, id, printer_id)


@routes.post(f"{PRINTER}/test", scope=WRITE, status=201)
async def print_test_page(caller: Caller, id: int, printer_id: int) -> Job:
    """Print a test page."""
    return await jobs.print_test_page(caller, id, printer_id)
