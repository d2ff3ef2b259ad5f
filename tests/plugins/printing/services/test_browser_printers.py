"""A page in a browser claims jobs, prints and confirms them."""

from comanda_printing.services import claims


async def test_a_browser_claims_prints_and_confirms(shop, print_order, advance_time):
    printer = await shop.add_printer("browser")
    await print_order()
    path = f"/printers/{printer['id']}/claim"
    first, second = await shop.send("POST", path), await shop.send("POST", path)
    advance_time(seconds=claims.LEASE.total_seconds() + 1)
    again = await shop.send("POST", path)
    confirmed = await shop.send("POST", f"/print-jobs/{again['job']['id']}/confirm")

    assert first["job"]["kind"] == "kitchen"
    assert second["job"] is None
    assert again["job"]["is_copy"] is True
    assert confirmed["state"] == "printed"


async def test_a_picture_shows_what_is_printed(shop, printer, print_order, owner):
    await print_order()
    [job] = await shop.list_jobs(state="waiting")
    path = f"/api/v1/restaurants/{shop.id}/print-jobs/{job['id']}/preview"
    response = await shop.client.get(path, headers=owner.auth)

    assert response.content_type == "image/png"
    assert (await response.get_data()).startswith(b"\x89PNG")
