"""Printers in the network that are not there."""

from comanda.devkit.testing import process_queue
from comanda_printing.services import worker

from tests.plugins.printing.emulators import taken_port


async def test_a_printer_that_is_off_gets_no_copy_later(shop, networks, print_order, advance_time):
    with taken_port() as port:
        await shop.add_printer("escpos_tcp", address=f"127.0.0.1:{port}")
        await print_order()
        await process_queue(worker.QUEUE)
    [job] = await shop.list_jobs()

    assert (job["state"], job["is_copy"], job["error"]) == (
        "waiting", False, "The printer does not answer at its address."
    )  # fmt: skip
