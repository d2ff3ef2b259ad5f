"""Lists of shifts, over HTTP."""


async def test_shifts_are_filtered_by_status_and_drawer(drawers):
    old = await drawers.open_shift("Bar", 10)
    await drawers.create_movement(old, "paid_in", 5)
    await drawers.close_shift(old, 15)
    new = await drawers.open_shift("Bar", 20)
    await drawers.create_movement(new, "paid_out", 1)
    other = await drawers.open_shift("Terrace", 30)

    async def listed(query=""):
        return [(shift["id"], shift["expected"]) for shift in (await drawers.get(f"/shifts{query}"))["data"]]

    assert await listed() == [(other["id"], 30.0), (new["id"], 19.0), (old["id"], 15.0)]
    assert await listed("?status=open&drawer=bar") == [(new["id"], 19.0)]
    assert await listed("?status=closed") == [(old["id"], 15.0)]
    page = await drawers.get("/shifts?per_page=1&page=2")
    assert (page["total"], page["data"][0]["id"]) == (3, new["id"])
    assert set((await drawers.send("GET", "/shifts?status=lost")).errors) == {"status"}
