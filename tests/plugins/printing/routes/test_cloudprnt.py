"""Star CloudPRNT: poll, fetch, confirm; what is lost is printed again as a copy."""

import pytest

from tests.plugins.printing.emulators import read_paper


async def test_an_order_prints_once_and_is_confirmed(shop, printer, print_order):
    order = await print_order()
    [ticket] = await printer.run()
    [job] = await shop.list_jobs()

    assert f"#{order['number']}" in ticket[0]
    assert "1 x Soup" in ticket
    assert not any("COPY" in row for row in ticket)
    assert job["state"] == "printed"
    assert await printer.run() == []


async def test_a_job_may_be_fetched_again_while_it_is_claimed(printer, print_order):
    await print_order()
    token = (await printer.poll())["jobToken"]
    await printer.fetch(token)
    await printer.fetch(token)

    assert printer.papers[0] == printer.papers[1]


async def test_an_older_printer_names_no_job(shop, printer, print_order):
    await print_order()
    await printer.poll()
    await shop.client.get(f"{printer.path}?type={printer.media_type}")
    await shop.client.delete(f"{printer.path}?code=200%20OK")

    assert (await shop.list_jobs())[0]["state"] == "printed"


async def test_a_printer_without_paper_gets_nothing_and_says_so(shop, printer, print_order):
    await print_order()
    token = (await printer.poll())["jobToken"]
    await printer.fetch(token)
    await printer.confirm(token, "410 Out of paper")
    printer.status = "410%20Out%20of%20paper"
    answer = await printer.poll()
    [found] = (await shop.get("/printers"))["data"]
    [job] = await shop.list_jobs()

    assert answer == {"jobReady": False}
    assert (found["state"], found["is_online"], found["waiting"]) == ("paper_out", True, 1)
    assert (job["state"], job["error"], job["is_copy"]) == ("waiting", "410 Out of paper", False)


async def test_a_picture_is_sent_to_a_printer_that_wants_one(printer, print_order):
    printer.media_type = "image/png"
    await print_order()
    await printer.fetch((await printer.poll())["jobToken"])

    assert printer.papers[0].startswith(b"\x89PNG")


@pytest.mark.parametrize("body", [b"[]", b"{", b'{"statusCode": 7}', b"\xff"])
async def test_bad_polls_are_never_errors_of_the_server(shop, printer, body):
    response = await shop.client.post(printer.path, data=body, headers={"Content-Type": "application/json"})

    assert response.status_code in {200, 400}


async def test_an_unknown_code_and_an_unknown_form_are_refused(shop, printer, print_order):
    await print_order()
    await printer.poll()
    unknown = await shop.client.post(printer.path[:-1] + "~", json={})
    wrong_type = await shop.client.get(f"{printer.path}?type=text/html")

    assert unknown.status_code == 404
    assert wrong_type.status_code == 415


async def test_texts_of_guests_cannot_command_a_printer(shop, printer, print_order):
    await print_order(note="\x1bp0 open", customer={"name": "Zoë \x1d!"})
    await printer.run()
    rows = read_paper(printer.papers[0])

    assert b"\x1bp" not in printer.papers[0]
    assert any("open" in row for row in rows)
