"""A printer for each of the demo's stores, which is a page in a browser."""

from comanda.contracts import PageRequest, Showcase
from comanda.operations.demo_data import fill_once

from comanda_printing.models import PrinterKind
from comanda_printing.schemas import PrinterBody
from comanda_printing.services import printers


async def create_demo_printer(showcase: Showcase) -> None:
    """Create a printer for kitchen tickets and receipts in each store that has none yet."""
    caller = showcase.caller()
    for store in showcase.stores:
        store_id = int(str(store["id"]))
        body = PrinterBody(name="Browser", kind=PrinterKind.BROWSER, prints=["kitchen", "receipt"])
        there = await printers.list_printers(caller, store_id, PageRequest(1, 1))

        async def create(store_id: int = store_id, body: PrinterBody = body) -> None:
            await printers.create_printer(caller, store_id, body)

        await fill_once(f"printers:{store_id}", create, is_there=there.total > 0)
