"""Drawers in the hands of the people who work in a store."""


async def test_a_cashier_opens_fills_and_counts_a_drawer(drawers):
    ana = await drawers.member()
    ben = await drawers.member()

    shift = await ana.send("POST", "", {"drawer": "Bar", "opening_float": 50})
    path = f"/{shift['id']}"
    moved = await ben.send("POST", f"{path}/movements", {"kind": "paid_out", "amount": 5})
    closed = await ben.send("POST", f"{path}/close", {"counted": 45})

    assert (shift.status, moved.status, closed.status) == (201, 201, 200)
    assert (shift["opened_by"], moved["actor"], closed["closed_by"]) == (ana.actor, ben.actor, ben.actor)
    assert (closed["difference"], closed["restaurant_id"]) == (0.0, drawers.id)
    assert (await ana.send("GET", path)).document == (await drawers.shift(shift)) == closed.document
    assert (await ana.send("GET"))["total"] == 1
    assert [move["kind"] for move in (await ana.send("GET", f"{path}/movements"))["data"]] == ["paid_out", "opening"]


async def test_a_shift_of_another_store_looks_missing_and_stays_put(drawers, elsewhere):
    shift = await elsewhere.open()
    ana = await drawers.member()
    before = await elsewhere.rows()

    for method, path, body in (
        ("GET", "", None),
        ("GET", "/movements", None),
        ("POST", "/movements", {"kind": "paid_in", "amount": 5}),
        ("POST", "/close", {"counted": 1}),
    ):
        for caller in (ana.send(method, f"/{shift['id']}{path}", body), drawers.send(
            method, f"/shifts/{shift['id']}{path}", body
        )):  # fmt: skip
            reply = await caller
            assert (reply.status, reply["code"]) == (404, "not_found")

    assert (await ana.send("GET"))["total"] == 0
    assert await elsewhere.rows() == before


async def test_whoever_may_not_take_orders_may_not_touch_the_cash(drawers):
    cook = await drawers.member("kds", "menu_edit")
    shift = await drawers.open()
    before = await drawers.rows()

    for method, path, body in (
        ("GET", "", None),
        ("POST", "", {"drawer": "Bar", "opening_float": 50}),
        ("GET", f"/{shift['id']}", None),
        ("GET", f"/{shift['id']}/movements", None),
        ("POST", f"/{shift['id']}/movements", {"kind": "paid_in", "amount": 5}),
        ("POST", f"/{shift['id']}/close", {"counted": 1}),
    ):
        reply = await cook.send(method, path, body)
        assert (reply.status, reply["required"]) == (403, "orders")

    assert await drawers.rows() == before


async def test_an_owners_token_is_no_members_and_a_members_no_owners(drawers):
    ana = await drawers.member()

    assert (await drawers.send_to("/api/v1/staff/shifts")).status == 401
    assert (await drawers.send_to(f"/api/v1/restaurants/{drawers.id}/shifts", **ana.headers)).status == 401
