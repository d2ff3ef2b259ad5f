"""Epson Server Direct Print: a form, XML, and the result in a form."""

import pytest
from comanda_printing.services import claims

from tests.plugins.printing.emulators import EpsonPrinter, read_paper


@pytest.fixture
async def epson(shop):
    made = await shop.add_printer("epson", name="Bar", opens_drawer=True, prints=["kitchen", "receipt"])
    return EpsonPrinter(shop.client, made["url"])


async def test_an_order_prints_once_and_is_confirmed(shop, epson, print_order):
    await print_order()
    job_id = await epson.fetch()
    assert await epson.fetch() is None
    await epson.answer(job_id)
    [job] = await shop.list_jobs()
    [printer] = (await shop.get("/printers"))["data"]

    assert "1 x Soup" in read_paper(epson.papers[0])
    assert job["state"] == "printed"
    assert printer["state"] == "ready"
    assert await epson.fetch() is None


async def test_a_job_that_was_not_printed_is_offered_again(shop, epson, print_order, advance_time):
    await print_order()
    await epson.answer(await epson.fetch(), "false", "EPTR_REC_EMPTY")
    [job] = await shop.list_jobs()
    [printer] = (await shop.get("/printers"))["data"]
    advance_time(seconds=claims.REFUSED_PAUSE.total_seconds() + 1)
    await epson.fetch()

    assert (job["state"], job["error"]) == ("waiting", "EPTR_REC_EMPTY")
    assert printer["state"] == "paper_out"
    assert not any("COPY" in row for row in read_paper(epson.papers[1]))


@pytest.mark.parametrize(
    "document",
    ["", "<a", '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>', "<PrintResponseInfo><ePOSPrint/></PrintResponseInfo>"],
)
async def test_bad_results_are_never_errors_of_the_server(epson, document):
    response = await epson.send(ConnectionType="SetResponse", ResponseFile=document)

    assert response.status_code in {200, 400}


async def test_other_forms_are_answered_with_nothing(epson):
    response = await epson.send(ConnectionType="SetStatus", Status="<statusmonitor/>")

    assert (response.status_code, await response.get_data()) == (200, b"")
    assert (await epson.send(**{f"field{number}": "x" for number in range(30)})).status_code == 400
