"""The list of guests, one guest, and what the owner notes."""

import pytest


async def test_the_list_is_paged_and_shows_who_was_there_last_first(store, order):
    for number in range(21):
        await order(phone=f"+3519120000{number:02}", days_ago=21 - number)

    first, second = await store.get("/guests"), await store.get("/guests?page=2")

    assert (first["total"], first["per_page"], first["last_page"]) == (21, 20, 2)
    assert [guest["phone"] for guest in first["data"]] == [f"+3519120000{number:02}" for number in range(20, 0, -1)]
    assert [guest["phone"] for guest in second["data"]] == ["+351912000000"]
    assert (await store.get("/guests?page=9"))["data"] == []


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("jose", True), ("JOS%C3%89", True), ("jos%C3%A9  arau", True), ("STRASSE", True), ("s%C3%B8ren", True),
        ("soren", True), ("912 345", True), ("%2B351 912-345-678", True), ("00351912", True), ("0912", True),
        ("345678", True), ("", True), ("%20", True), ("jo_e", False), ("%25", False), ("jos%25", False), ("_", False),
        ("5678 jose", False), ("9999", False), ("0", False), ("x' OR 1=1", False), ("%5C", False), ("x" * 100, False),
    ],
)  # fmt: skip
async def test_searching_without_case_and_accents_signs_taken_as_they_are(order, guests, query, found):
    await order(customer_name="José Araújo Søren Straße")

    assert bool(await guests(f"search={query}")) is found


async def test_a_search_that_is_too_long_and_a_segment_that_is_none_are_refused(store):
    assert list((await store.send("GET", f"/guests?search={'x' * 101}")).errors) == ["search"]
    assert list((await store.send("GET", "/guests?segment=rich")).errors) == ["segment"]


async def test_tags_are_set_as_given_without_repeats(store, order, guests):
    await order()
    path = f"/guests/{(await guests())[0]['id']}"

    reply = await store.send("PUT", path, {"tags": [" VIP ", "no nuts", "vip", "Vïp"]})

    assert (reply.status, reply["tags"]) == (200, ["VIP", "no nuts"])
    assert (await store.get(path)).document == reply.document
    assert (await store.send("PUT", path, {"name": "Ada"}))["tags"] == ["VIP", "no nuts"]
    assert (await store.send("PUT", path, {"tags": []}))["tags"] == []


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"tags": [""]}, "tags.0"), ({"tags": ["x" * 51]}, "tags.0"), ({"tags": [str(n) for n in range(21)]}, "tags"),
        ({"tags": "vip"}, "tags"), ({"name": " "}, "name"), ({"name": "x" * 256}, "name"),
        ({"tags": ["a"], "name": 5}, "name"),
    ],
)  # fmt: skip
async def test_what_will_not_do_changes_nothing(store, order, guests, body, field):
    await order(customer_name="Ada")
    before = await guests()

    reply = await store.send("PUT", f"/guests/{before[0]['id']}", body)

    assert list(reply.errors) == [field]
    assert await guests() == before


async def test_the_owners_name_for_a_guest_stands_until_it_is_taken_back(store, order, guests):
    await order(customer_name="A. Lovelace")
    path = f"/guests/{(await guests())[0]['id']}"

    assert (await store.send("PUT", path, {"name": "Countess"}))["name"] == "Countess"
    await order(customer_name="Ada Lovelace")

    assert [guest["name"] for guest in await guests("search=countess")] == ["Countess"]
    assert await guests("search=lovelace") == []
    assert (await store.send("PUT", path, {"name": None}))["name"] == "Ada Lovelace"
    assert len(await guests("search=ada")) == 1
    assert await guests("search=countess") == []


async def test_an_average_is_rounded_to_the_currencys_unit(client, owner, store, hear):
    yen = type(store)(client, owner, await owner.store(currency="JPY"))
    item = await yen.item(price=100)
    for quantity in (1, 1, 3):
        placed = await yen.order({"item_id": item["id"], "quantity": quantity}, phone="+81312345678")
        await hear(placed["id"])

    (guest,) = (await yen.get("/guests"))["data"]
    assert (guest["total_spent"], guest["avg_order"]) == (500, 167)


async def test_reading_needs_customers_read_and_noting_customers_write(client, store, owner, order, guests):
    await order()
    path = f"/api/v1/restaurants/{store.id}/guests/{(await guests())[0]['id']}"
    reader = await owner.token_with("customers:read")

    assert (await client.get(path, headers=reader)).status_code == 200
    assert (await client.put(path, headers=reader, json={"tags": ["x"]})).status_code == 403
    assert (await guests())[0]["tags"] == []


async def test_a_guest_of_another_store_of_ours_is_not_there(client, store, owner, order, guests):
    await order()
    path = f"/guests/{(await guests())[0]['id']}"
    other = type(store)(client, owner, await owner.store())

    assert (await other.send("GET", path)).status == 404
    assert (await other.send("PUT", path, {"tags": ["x"]})).status == 404
    assert (await store.get(path))["tags"] == []
