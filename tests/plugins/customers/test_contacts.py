"""Customers as their store's owner sees them."""

import asyncio

import pytest
from comanda.devkit.testing.stores import line

EVE = {"name": "Ève Gonçalves", "email": "Eve@example.com", "phone": "+351 912 345 678"}


async def test_the_owner_writes_a_customer_down(store, published):
    reply = await store.send("POST", "/customers", {**EVE, "consents": {"terms": True}})

    assert (reply.status, reply["email"], reply["phone"]) == (201, "eve@example.com", "+351912345678")
    assert (reply["has_account"], reply["orders_count"], reply["total_spent"], reply["last_order_at"]) == (
        False, 0, 0, None,
    )  # fmt: skip
    assert (await store.get(f"/customers/{reply['id']}")).document == reply.document
    assert [(name, data["source"]) for name, data in await published()] == [("customer.created", "owner")]


async def test_a_duplicate_is_refused_with_who_it_is(store, ada, customers_rows):
    before = await customers_rows()

    reply = await store.send("POST", "/customers", {**EVE, "email": "ADA@example.com"})

    assert (list(reply.errors), reply["customer_id"]) == (["email"], ada.id)
    assert await customers_rows() == before


async def test_two_owners_apps_that_write_one_customer_at_once_write_one(store, customers_rows):
    replies = await asyncio.gather(*(store.send("POST", "/customers", EVE) for _ in range(4)))

    assert sorted(reply.status for reply in replies) == [201, 422, 422, 422]
    assert len(await customers_rows()) == 1


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"name": "Eve"}, "email"), ({**EVE, "name": ""}, "name"), ({"email": "a@example.com"}, "name"),
        ({**EVE, "email": "x"}, "email"), ({**EVE, "phone": "x"}, "phone"),
        ({**EVE, "consents": {"x": True}}, "consents.x"),
    ],
)  # fmt: skip
async def test_what_will_not_do_is_not_written_down(store, customers_rows, body, field):
    assert list((await store.send("POST", "/customers", body)).errors) == [field]
    assert await customers_rows() == []


async def test_the_list_adds_up_what_customers_ordered(store, ada, soup, clock):
    eve = await store.send("POST", "/customers", EVE)
    first = await ada.send("POST", "/orders", {"type": "takeaway", "items": [line(soup, 2)]})
    clock.advance(minutes=5)
    last = await ada.send("POST", "/orders", {"type": "takeaway", "items": [line(soup)]})
    gone = await ada.send("POST", "/orders", {"type": "takeaway", "items": [line(soup, 9)]})
    await store.set_status(gone["id"], "cancelled")

    page = await store.get("/customers")

    assert (page["per_page"], page["total"]) == (30, 2)
    assert [one["id"] for one in page["data"]] == [eve["id"], ada.id]
    listed = page["data"][1]
    assert (listed["orders_count"], listed["total_spent"], listed["last_order_at"]) == (2, 30, last["created_at"])
    assert first["total"] == 20


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("eve", True), ("%C3%88VE", True), ("goncalves", True), ("eve%40EXAMPLE", True), ("912 345-678", True),
        ("00351912", True), ("", True), ("%25", False), ("_ve", False), ("nobody", False), ("x' OR 1=1", False),
    ],
)  # fmt: skip
async def test_searching_without_case_and_accents_signs_taken_as_they_are(store, query, found):
    await store.send("POST", "/customers", EVE)

    assert bool((await store.get(f"/customers?search={query}"))["data"]) is found


async def test_reading_needs_customers_read_and_writing_customers_write(client, store, owner, customers_rows):
    eve = await store.send("POST", "/customers", EVE)
    before, path = await customers_rows(), f"/api/v1/restaurants/{store.id}/customers"
    reader = await owner.token_with("customers:read")

    assert (await client.get(f"{path}/{eve['id']}/export", headers=reader)).status_code == 200
    assert (await client.post(path, headers=reader, json={"name": "x", "email": "x@example.com"})).status_code == 403
    assert (await client.delete(f"{path}/{eve['id']}", headers=reader)).status_code == 403
    assert await customers_rows() == before
