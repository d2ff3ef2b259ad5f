"""Reports on shifts and movements."""


async def test_report_sums_amounts_of_any_size(drawers, book):
    """Two such payments exceed what a column of eight bytes holds."""
    shift = await drawers.open_shift("Bar", 0)
    for _ in range(2):
        await drawers.take_cash(minor=9 * 10**18)

    assert (await drawers.get_shift(shift))["expected"] == 18e16
    assert [found["expected"] for found in (await drawers.get("/shifts"))["data"]] == [18e16]
    closed = await drawers.close_shift(shift, 0)
    assert (closed.status, closed["expected"], closed["difference"]) == (200, 18e16, -18e16)


async def test_movements_are_listed_newest_first(drawers):
    shift = await drawers.open_shift()
    for amount in (1, 2, 3):
        await drawers.create_movement(shift, "paid_in", amount)

    page = await drawers.get(f"/shifts/{shift['id']}/movements?per_page=3")

    assert (page["total"], [move["amount"] for move in page["data"]]) == (4, [3.0, 2.0, 1.0])
    assert {move["shift_id"] for move in page["data"]} == {shift["id"]}
