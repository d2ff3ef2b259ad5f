"""The worker: printers in the network, fallbacks, and jobs that are given up."""

import pytest
from comanda.devkit.testing import process_queue
from comanda.platform.db import sql
from comanda_printing import settings
from comanda_printing.services import worker

from tests.plugins.printing.emulators import NetworkPrinter, read_paper


@pytest.fixture
async def network_printer(networks):
    # Printers of other tests had the same address.
    await sql.execute(
        "UPDATE printing_job SET dead_at = now(), next_attempt_at = NULL WHERE next_attempt_at IS NOT NULL"
    )
    async with NetworkPrinter() as printer:
        yield printer


async def test_a_printer_in_the_network_prints_and_confirms(shop, network_printer, print_order):
    await shop.add_printer("escpos_tcp", address=network_printer.address)
    await print_order()
    await process_queue(worker.QUEUE)
    [job] = await shop.list_jobs()
    [found] = (await shop.get("/printers"))["data"]

    assert "1 x Soup" in read_paper(network_printer.papers[0])
    assert (job["state"], found["state"]) == ("printed", "ready")


async def test_a_printer_that_does_not_confirm_gets_a_copy(shop, network_printer, print_order, advance_time):
    network_printer.is_silent = True
    await shop.add_printer("escpos_tcp", address=network_printer.address)
    await print_order()
    await process_queue(worker.QUEUE)
    [waiting] = await shop.list_jobs()
    network_printer.is_silent = False
    advance_time(seconds=30)
    await process_queue(worker.QUEUE)

    assert (waiting["state"], waiting["is_copy"]) == ("waiting", True)
    assert any("COPY" in row for row in read_paper(network_printer.papers[1]))
    assert (await shop.list_jobs())[0]["state"] == "printed"


async def test_a_silent_printers_jobs_go_to_its_fallback_once(shop, print_order, advance_time):
    spare = await shop.add_cloud_printer(name="Spare", prints=[])
    [spare_record] = (await shop.get("/printers"))["data"]
    kitchen = await shop.add_cloud_printer(name="Kitchen", fallback_id=spare_record["id"])
    await print_order()
    await process_queue(worker.QUEUE)
    before = await spare.run()
    advance_time(seconds=settings.get_settings().fallback_seconds + 1)
    await process_queue(worker.QUEUE)
    [ticket] = await spare.run()

    assert before == []
    assert "1 x Soup" in ticket
    assert await kitchen.run() == []


async def test_a_busy_printer_keeps_its_jobs(shop, print_order, advance_time):
    spare = await shop.add_cloud_printer(name="Spare", prints=[])
    [spare_record] = (await shop.get("/printers"))["data"]
    kitchen = await shop.add_cloud_printer(name="Kitchen", fallback_id=spare_record["id"])
    await print_order()
    advance_time(seconds=settings.get_settings().fallback_seconds + 1)
    await kitchen.poll()
    advance_time(seconds=61)
    await process_queue(worker.QUEUE)

    assert await spare.run() == []
    assert len(await kitchen.run()) == 1


async def test_what_nobody_asks_for_is_given_up_and_may_be_retried(shop, printer, print_order, advance_time, owner):
    await print_order()
    advance_time(hours=settings.get_settings().give_up_hours, seconds=1)
    await process_queue(worker.QUEUE)
    [job] = await shop.list_jobs()
    nothing = await printer.run()
    async with sql.transaction():
        await worker.retry_job(owner.id, job["id"])
    await process_queue(worker.QUEUE)

    assert (job["state"], nothing) == ("failed", [])
    assert len(await printer.run()) == 1


async def test_a_printer_that_never_confirms_is_given_up(shop, network_printer, print_order, advance_time):
    network_printer.is_silent = True
    await shop.add_printer("escpos_tcp", address=network_printer.address)
    await print_order()
    for _ in range(worker.MAX_UNCONFIRMED + 1):
        await process_queue(worker.QUEUE)
        advance_time(seconds=70)

    assert len(network_printer.papers) == worker.MAX_UNCONFIRMED
    assert (await shop.list_jobs())[0]["state"] == "failed"


async def test_a_suspended_owners_jobs_wait(shop, network_printer, print_order, owner):
    await shop.add_printer("escpos_tcp", address=network_printer.address)
    await print_order()
    await sql.execute("UPDATE core_owner SET is_suspended = true WHERE id = $1", owner.id)
    await process_queue(worker.QUEUE)
    await sql.execute("UPDATE core_owner SET is_suspended = false WHERE id = $1", owner.id)

    assert network_printer.papers == []
    assert (await shop.list_jobs())[0]["state"] == "waiting"
