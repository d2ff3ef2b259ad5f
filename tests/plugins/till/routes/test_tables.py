"""The tables as the till reads them."""


async def test_waiter_reads_the_tables_of_their_store(store, log_in):
    assert (await store.send("POST", "/tables", {"number": "7", "seats": 4, "area": "Terrace"})).status == 201

    reply = await store.send_to("/api/v1/staff/tables", "GET", None, **await log_in("orders"))

    assert reply.status == 200
    assert [(table["number"], table["area"], table["seated"]) for table in reply.document] == [("7", "Terrace", None)]


async def test_staff_without_orders_may_not_read_tables(store, log_in):
    assert (await store.send_to("/api/v1/staff/tables", "GET", None, **await log_in("kds"))).status == 403
