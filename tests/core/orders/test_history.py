"""The history of an order."""

from comanda.devkit.testing.stores import line


async def test_history_names_each_change_with_its_author_and_note(store, owner):
    order = await store.order(line(await store.item("Soup", 5)))
    for status, note in (("preparing", None), ("cancelled", "Guest called")):
        await store.send("PUT", f"/orders/{order['id']}/status", {"status": status, "note": note})

    found = (await store.get(f"/orders/{order['id']}/history"))["data"]

    assert [(each["field"], each["from"], each["to"], each["note"]) for each in found] == [
        ("status", "preparing", "cancelled", "Guest called"),
        ("status", "new", "preparing", None),
    ]
    assert {each["actor"] for each in found} == {f"owner:{owner.id}"}


async def test_history_of_an_unknown_order_returns_404(store):
    assert (await store.send("GET", "/orders/999999999/history")).status == 404
