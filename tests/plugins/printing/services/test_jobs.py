"""Jobs: a page in a browser that prints, copies by hand, pictures, and what is deleted."""


async def test_printing_again_by_hand_is_a_copy(shop, printer, print_order):
    await print_order()
    await printer.run()
    [job] = await shop.list_jobs()
    await shop.send("POST", f"/print-jobs/{job['id']}/reprint")
    [ticket] = await printer.run()

    assert any("COPY" in row for row in ticket)
    assert any("1 x Soup" in row for row in ticket)


async def test_an_order_prints_by_hand_on_any_printer(shop, print_order):
    order = await print_order()
    printer = await shop.add_cloud_printer(prints=[])
    [found] = (await shop.get("/printers"))["data"]
    path = f"/orders/{order['id']}/printers/{found['id']}"
    made = [await shop.send("POST", path, {"kind": kind}) for kind in ("receipt", "kitchen", "test")]
    receipt, ticket = await printer.run()

    assert [reply.status for reply in made] == [201, 201, 422]
    assert any("Total" in row for row in receipt)
    assert any("1 x Soup" in row for row in ticket)
