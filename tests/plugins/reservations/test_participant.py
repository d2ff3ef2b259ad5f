"""The table of dine-in orders."""

from comanda.devkit.testing import line


async def test_dine_in_order_needs_active_table(restaurant):
    soup = line(await restaurant.store.item())

    async def place(number, type="on-table"):
        return await restaurant.store.place(soup, type=type, table_number=number)

    assert (await place("4")).status == 201
    first, _ = await restaurant.create_table("1"), await restaurant.create_table("2", is_active=False)
    assert (await place(1)).status == 201
    for number in ("2", "4"):
        assert (await place(number)).errors == {"table_number": [f"Table {number} does not exist or is not active."]}
    # Whoever takes the dish away may have sat anywhere.
    assert (await place("4", type="takeaway")).status == 201
    assert list((await restaurant.store.place(soup, type="on-table")).errors) == ["table_number"]
    await restaurant.store.send("PUT", f"/tables/{first['id']}", {"number": "4"})
    assert [(await place(number)).status for number in ("1", "4")] == [422, 201]
    await restaurant.store.send("DELETE", f"/tables/{first['id']}")
    assert (await place("4")).status == 422
