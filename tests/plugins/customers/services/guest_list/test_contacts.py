"""Customers listed and created by the owner."""

import asyncio

from comanda.devkit.testing import line

EVE = {"name": "Ève Gonçalves", "email": "Eve@example.com", "phone": "+351 912 345 678"}


async def test_owner_creates_customer(store, published):
    reply = await store.send("POST", "/customers", {**EVE, "consents": {"terms": True}})

    assert (reply.status, reply["email"], reply["phone"]) == (201, "eve@example.com", "+351912345678")
    assert (reply["has_account"], reply["orders_count"], reply["total_spent"], reply["last_order_at"]) == (
        False, 0, 0, None,
    )  # fmt: skip
    assert (await store.get(f"/customers/{reply['id']}")).document == reply.document
    assert [(name, data["source"]) for name, data in await published()] == [("customer.created", "owner")]


async def test_duplicate_is_rejected_with_customer_id(store, ada, read_customers):
    before = await read_customers()

    reply = await store.send("POST", "/customers", {**EVE, "email": "ADA@example.com"})

    assert (list(reply.errors), reply["customer_id"]) == (["email"], ada.id)
    assert await read_customers() == before


async def test_concurrent_creates_make_one_customer(store, read_customers):
    replies = await asyncio.gather(*(store.send("POST", "/customers", EVE) for _ in range(4)))

    assert sorted(reply.status for reply in replies) == [201, 422, 422, 422]
    assert len(await read_customers()) == 1


async def test_list_shows_order_totals(store, ada, soup, clock, mark_as_paid):
    eve = await store.send("POST", "/customers", EVE)
    first = await ada.send("POST", "/orders", {"type": "takeaway", "items": [line(soup, 2)]})
    clock.advance(minutes=5)
    last = await ada.send("POST", "/orders", {"type": "takeaway", "items": [line(soup)]})
    gone = await ada.send("POST", "/orders", {"type": "takeaway", "items": [line(soup, 9)]})
    await store.set_status(gone["id"], "cancelled")
    await mark_as_paid(first["id"], gone["id"])

    page = await store.get("/customers")

    assert (page["per_page"], page["total"]) == (30, 2)
    assert [one["id"] for one in page["data"]] == [eve["id"], ada.id]
    listed = page["data"][1]
    assert (listed["orders_count"], listed["total_spent"], listed["last_order_at"]) == (2, 20, last["created_at"])
    assert first["total"] == 20


async def test_owner_updates_a_customer_but_not_what_they_log_in_by(store):
    eve = (await store.send("POST", "/customers", {"name": "Eve", "email": "eve@example.com"})).document
    await store.send("POST", "/customers", {"name": "Ada", "email": "ada@example.com"})
    path = f"/customers/{eve['id']}"

    changed = (await store.send("PUT", path, {"phone": "+351912345678", "email": None})).document
    taken = await store.send("PUT", path, {"email": "ada@example.com"})
    unreachable = await store.send("PUT", path, {"phone": None})

    assert (changed["name"], changed["email"], changed["phone"]) == ("Eve", None, "+351912345678")
    assert (taken.status, list(taken["errors"])) == (422, ["email"])
    assert (unreachable.status, list(unreachable["errors"])) == (422, ["email"])
