"""Shifts, for staff."""


async def test_staff_open_and_count_a_drawer(drawers):
    ana = await drawers.add_member()
    ben = await drawers.add_member()

    shift = await ana.send("POST", "", {"drawer": "Bar", "opening_float": 50})
    path = f"/{shift['id']}"
    moved = await ben.send("POST", f"{path}/movements", {"kind": "paid_out", "amount": 5})
    closed = await ben.send("POST", f"{path}/close", {"counted": 45})

    assert (shift.status, moved.status, closed.status) == (201, 201, 200)
    assert (shift["opened_by"], moved["actor"], closed["closed_by"]) == (ana.actor, ben.actor, ben.actor)
    assert (closed["difference"], closed["restaurant_id"]) == (0.0, drawers.id)
    assert (await ana.send("GET", path)).document == (await drawers.get_shift(shift)) == closed.document
    assert (await ana.send("GET"))["total"] == 1
    assert [move["kind"] for move in (await ana.send("GET", f"{path}/movements"))["data"]] == ["paid_out", "opening"]


async def test_shift_of_another_store_looks_missing(drawers, elsewhere):
    shift = await elsewhere.open_shift()
    ana = await drawers.add_member()
    before = await elsewhere.list_rows()

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
    assert await elsewhere.list_rows() == before


async def test_staff_without_the_permission_are_refused(drawers):
    cook = await drawers.add_member("kds", "menu_edit")
    shift = await drawers.open_shift()
    before = await drawers.list_rows()

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

    assert await drawers.list_rows() == before


async def test_tokens_of_owners_and_staff_are_not_interchangeable(drawers):
    ana = await drawers.add_member()

    assert (await drawers.send_to("/api/v1/staff/shifts")).status == 401
    assert (await drawers.send_to(f"/api/v1/restaurants/{drawers.id}/shifts", **ana.headers)).status == 401


async def test_staff_accept_cash_from_drivers(drawers, driver):
    shift = await drawers.open_shift("Bar", 0)
    cashier, cook = await drawers.add_member(), await drawers.add_member("kds")
    path = f"/{shift['id']}/driver-cash"

    assert (await cook.send("POST", path, {"driver_id": driver})).status == 403
    listed = await drawers.send_to("/api/v1/staff/driver-cash", **cashier.headers)
    reply = await cashier.send("POST", path, {"driver_id": driver, "amount": 30})

    assert [(each["driver_id"], each["driver_name"], each["amount"]) for each in listed["data"]] == [
        (driver, "Rui Costa", 30)
    ]
    assert (reply.status, reply["actor"]) == (201, cashier.actor)
