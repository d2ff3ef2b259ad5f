"""What was printed long ago is deleted."""

from comanda.devkit.testing import process_queue
from comanda_printing import settings
from comanda_printing.services import worker


async def test_old_jobs_are_deleted_and_waiting_ones_are_not(shop, printer, print_order, run_task, advance_time):
    await print_order()
    await printer.run()
    advance_time(days=settings.get_settings().keep_days, seconds=1)
    await print_order()
    await run_task("printing_prune")
    await process_queue(worker.QUEUE)

    assert [job["state"] for job in await shop.list_jobs()] == ["waiting"]
