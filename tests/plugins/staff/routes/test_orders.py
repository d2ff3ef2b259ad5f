"""Order routes of staff."""

from comanda.devkit.testing import line


async def test_staff_place_and_serve_table_order(store, waiter, soup, published):
    body = {"type": "on-table", "table_number": 4, "items": [line(soup, 2)]}

    placed = await waiter.send("POST", "/orders", body, **{"Idempotency-Key": "a"})

    assert placed.status == 201
    assert (placed["source"], placed["total"], placed["table_number"]) == ("pos", 10, "4")
    again = await waiter.send("POST", "/orders", body, **{"Idempotency-Key": "a"})
    assert (again.status, again["id"]) == (201, placed["id"])
    ready = await waiter.send("PUT", f"/orders/{placed['id']}/status", {"status": "ready"})
    assert ready["status"] == "ready"
    assert (await waiter.send("GET", f"/orders/{placed['id']}"))["items"][0]["name"] == "Soup"
    events = await published()
    assert [name for name, _ in events][-2:] == ["order.created", "order.status_changed"]
    assert events[-1][1]["actor"] == f"staff:{waiter.id}"


async def test_list_filters_by_status_type_time_and_table(store, waiter, soup, clock):
    def ids(reply):
        return [each["id"] for each in reply["data"]]

    first = await store.order(line(soup))
    clock.advance(minutes=10)
    moment = clock()
    second = await store.order(line(soup), type="on-table", table_number="7")
    third = await store.order(line(soup), type="on-table", table_number="8")
    await store.set_status(third["id"], "ready")

    everything = await waiter.send("GET", "/orders")
    assert ids(everything) == [third["id"], second["id"], first["id"]]
    assert (everything["per_page"], everything["total"]) == (30, 3)
    for query, expected in {
        "status=ready": [third], "type=takeaway": [first], "table=7": [second],
        f"since={moment:%Y-%m-%dT%H:%M:%SZ}": [third, second], "type=on-table&status=new": [second],
        "table=none": [], "type=takeaway&page=2": [],
    }.items():  # fmt: skip
        reply = await waiter.send("GET", f"/orders?{query}")
        assert ids(reply) == [each["id"] for each in expected], query
    assert (await waiter.send("GET", "/orders?status=cold")).status == 422
    assert (await waiter.send("GET", "/orders?type=x&status=cold")).status == 422
    assert (await waiter.send("GET", "/orders?since=yesterday")).status == 422


async def test_list_of_what_is_due_has_orders_of_any_age(store, waiter, soup, clock):
    old = await store.order(line(soup), type="on-table", table_number="7")
    await store.set_status(old["id"], "completed")
    cancelled = await store.order(line(soup))
    await store.set_status(cancelled["id"], "cancelled")
    clock.advance(days=40)
    await waiter.log_in()
    paid = await store.order(line(soup))
    reply = await waiter.send("POST", f"/orders/{paid['id']}/payments", {"method": "cash"})
    assert reply.status == 201
    young = await store.order(line(soup, 2))

    due = await waiter.send("GET", "/orders?is_due=true")

    assert [(each["id"], each["amount_due"]) for each in due["data"]] == [(young["id"], 10), (old["id"], 5)]
    assert due["total"] == 2
    assert (await waiter.send("GET", "/orders?is_due=false"))["total"] == 4
