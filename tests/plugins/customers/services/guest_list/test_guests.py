"""Lists and updates of guests."""


async def test_list_is_paged_by_latest_visit(store, order):
    for number in range(21):
        await order(phone=f"+3519120000{number:02}", days_ago=21 - number)

    first, second = await store.get("/guests"), await store.get("/guests?page=2")

    assert (first["total"], first["per_page"], first["last_page"]) == (21, 20, 2)
    assert [guest["phone"] for guest in first["data"]] == [f"+3519120000{number:02}" for number in range(20, 0, -1)]
    assert [guest["phone"] for guest in second["data"]] == ["+351912000000"]
    assert (await store.get("/guests?page=9"))["data"] == []


async def test_tags_are_deduplicated(store, order, list_guests):
    await order()
    path = f"/guests/{(await list_guests())[0]['id']}"

    reply = await store.send("PUT", path, {"tags": [" VIP ", "no nuts", "vip", "Vïp"]})

    assert (reply.status, reply["tags"]) == (200, ["VIP", "no nuts"])
    assert (await store.get(path)).document == reply.document
    assert (await store.send("PUT", path, {"name": "Ada"}))["tags"] == ["VIP", "no nuts"]
    assert (await store.send("PUT", path, {"tags": []}))["tags"] == []


async def test_owner_name_overrides_order_name_until_cleared(store, order, list_guests):
    await order(customer_name="A. Lovelace")
    path = f"/guests/{(await list_guests())[0]['id']}"

    assert (await store.send("PUT", path, {"name": "Countess"}))["name"] == "Countess"
    await order(customer_name="Ada Lovelace")

    assert [guest["name"] for guest in await list_guests("search=countess")] == ["Countess"]
    assert await list_guests("search=lovelace") == []
    assert (await store.send("PUT", path, {"name": None}))["name"] == "Ada Lovelace"
    assert len(await list_guests("search=ada")) == 1
    assert await list_guests("search=countess") == []


async def test_average_is_rounded_to_currency_unit(client, owner, store, handle_order_event, mark_as_paid):
    yen = type(store)(client, owner, await owner.store(currency="JPY"))
    item = await yen.item(price=100)
    for quantity in (1, 1, 3):
        placed = await yen.order({"item_id": item["id"], "quantity": quantity}, phone="+81312345678")
        await mark_as_paid(placed["id"])
        await handle_order_event(placed["id"])

    (guest,) = (await yen.get("/guests"))["data"]
    assert (guest["total_spent"], guest["avg_order"]) == (500, 167)
