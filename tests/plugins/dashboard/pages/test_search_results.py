"""Orders, items and guests that the palette finds."""

import json

import pytest
from comanda.devkit.testing import line


@pytest.fixture
def find(dashboard, store):
    """Return a function that returns the labels and paths of what a text finds."""

    async def find(text, at=store.id):
        found = json.loads(await dashboard.get(f"/stores/{at}/search?q={text}"))
        return [(each["label"], each["href"].removeprefix(f"/dashboard/stores/{at}")) for each in found]

    return find


async def test_records_are_found_by_number_and_name(store, find):
    soup = await store.item("Rosa soup", 5)
    orders = [await store.order(line(soup), customer_name=name) for name in ("Rosa", "Luís")]
    reply = await store.send("POST", "/customers", {"name": "Rosa Lima", "phone": "+351912345678"})
    assert reply.status == 201, reply

    by_name, by_number = await find("rosa"), await find("%23" + str(orders[1]["number"]))

    number = orders[0]["number"]
    assert (f"Order #{number} \N{MIDDLE DOT} Rosa", f"/orders/{orders[0]['id']}") in by_name
    assert ("Rosa soup", f"/menu/items/{soup['id']}") in by_name
    assert ("Rosa Lima", f"/customers/{reply.document['id']}") in by_name
    assert by_number[0][1] == f"/orders/{orders[1]['id']}"
    assert await find("") == await find("%00") == await find("zzz") == []


async def test_other_stores_are_not_searched(store, find, dashboard, open_store, other_owner):
    await store.item("Soup", 5)
    other = await open_store("restaurant")
    foreign = await other_owner.store("restaurant")

    assert await find("soup", other.id) == []
    await dashboard.get(f"/stores/{foreign}/search?q=soup", status=404)
