"""Printers are found by their codes."""

from comanda.platform.db import sql


async def test_a_code_of_one_protocol_opens_no_other(shop, printer):
    response = await shop.client.post(printer.path.replace("cloudprnt", "epson"), data=b"", headers={})

    assert response.status_code in {404, 415}


async def test_a_suspended_owners_printer_gets_nothing(shop, printer, print_order, owner):
    await print_order()
    await sql.execute("UPDATE core_owner SET is_suspended = true WHERE id = $1", owner.id)

    assert (await shop.client.post(printer.path, json={})).status_code == 404
