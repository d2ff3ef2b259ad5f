"""Orders that are split."""

from comanda.devkit.testing.stores import line


async def read(store, order):
    return (await store.get(f"/orders/{order['id']}")).document


async def test_split_makes_an_order_of_lines(store, soup, wine, published):
    order = await store.order(line(soup, 3), line(wine), type="on-table", table_number="4", tip_amount=1)
    await store.set_status(order["id"], "preparing")
    soup_id, wine_id = (each["id"] for each in order["items"])

    answer = await store.send(
        "POST", f"/orders/{order['id']}/split", {"lines": [{"line_id": soup_id, "quantity": 1}, {"line_id": wine_id}]}
    )

    split, rest = answer.document, await read(store, order)
    assert [(each["name"], each["quantity"]) for each in split["items"]] == [("Soup", 1), ("Wine", 1)]
    assert (split["total"], split["split_from"], split["status"], split["table_number"]) == (
        12.5,
        order["id"],
        "preparing",
        "4",
    )
    assert split["track_token"] != order["track_token"]
    assert split["number"] != order["number"]
    assert [(each["name"], each["quantity"]) for each in rest["items"]] == [("Soup", 2)]
    assert (rest["total"], rest["tip_amount"], rest["voided_items"]) == (11, 1, [])
    names = [name for name, _ in await published()]
    created = [data for name, data in await published() if name == "order.created"][-1]
    assert names[-3:] == ["order.created", "order.status_changed", "order.amended"]
    assert created["split_from"] == order["id"]


async def test_split_of_everything_is_refused(store, soup):
    order = await store.order(line(soup))

    answer = await store.send("POST", f"/orders/{order['id']}/split", {"lines": [{"line_id": order["items"][0]["id"]}]})

    assert (answer.status, list(answer.document["errors"])) == (422, ["lines"])
    assert await read(store, order) == order


async def test_split_below_what_was_paid_is_refused(store, soup, wine, pay):
    order = await store.order(line(soup), line(wine))
    await pay(order, 800)

    answer = await store.send("POST", f"/orders/{order['id']}/split", {"lines": [{"line_id": order["items"][1]["id"]}]})

    assert (answer.status, answer.document["reason"], answer.document["refund_due"]) == (422, "refund_due", 3)
    assert len((await store.get("/orders")).document["data"]) == 1


async def test_split_of_a_delivery_is_refused(store, soup, wine):
    order = await store.order(line(soup), line(wine), type="delivery", address="Rua da Prata 8, Lisboa")

    answer = await store.send("POST", f"/orders/{order['id']}/split", {"lines": [{"line_id": order["items"][1]["id"]}]})

    assert (answer.status, list(answer.document["errors"])) == (422, ["type"])
    assert await read(store, order) == order
