"""Orders placed by customers."""

import re

import pytest
from comanda.devkit.testing import line


@pytest.fixture
async def ada_with_phone(ada):
    """Give Ada a phone."""
    await ada.send("PUT", "/me", {"phone": "+351912345678"})
    return ada


async def test_order_uses_name_and_phone_of_profile(ada_with_phone, soup, published, store):
    body = {"type": "takeaway", "items": [line(soup, 2)], "customer_name": "Eve", "phone": "666", "customer_id": 1}

    reply = await ada_with_phone.send("POST", "/orders", body)

    assert (reply.status, reply["total"], reply["source"]) == (201, 20, "customer_app")
    assert (reply["customer_name"], reply["phone"], reply["customer_id"]) == (
        "Ada Lovelace", "+351912345678", ada_with_phone.id,
    )  # fmt: skip
    assert re.fullmatch(r"[0-9A-Za-z]{1,11}[\w-]{43}", reply["track_token"], re.ASCII)
    assert (await published())[-1][0] == "order.created"
    assert await ada_with_phone.get(f"/orders/{reply['id']}") == reply.document
    assert (await ada_with_phone.get("/me"))["orders_count"] == 1
    page = await ada_with_phone.get("/orders")
    assert ([order["id"] for order in page["data"]], page["total"], page["per_page"]) == ([reply["id"]], 1, 30)
    assert (await store.get(f"/orders/{reply['id']}"))["customer_id"] == ada_with_phone.id


async def test_delivery_goes_to_given_or_saved_address(ada, soup):
    saved = await ada.send("POST", "/addresses", {"line1": "Rua da Prata 8", "city": "Lisboa"})
    body = {"type": "delivery", "items": [line(soup)]}

    nowhere = await ada.send("POST", "/orders", body)
    typed = await ada.send("POST", "/orders", {**body, "address": "Rossio 1"})
    kept = await ada.send("POST", "/orders", {**body, "address_id": saved["id"]})

    assert list(nowhere.errors) == ["address"]
    assert (typed.status, typed["address"]) == (201, "Rossio 1")
    assert (kept.status, kept["address"]) == (201, "Rua da Prata 8, Lisboa")


async def test_saved_address_overrides_address_of_body(ada, soup):
    place = {"lat": 38.7139, "lng": -9.1335, "postcode": "1100-414", "instructions": "Third floor"}
    placed = await ada.send("POST", "/addresses", {"line1": "Rua da Prata 8", **place})
    bare = await ada.send("POST", "/addresses", {"line1": "Rossio 1"})
    claimed = {"address_lat": 1, "address_lng": 2, "address_postcode": "1", "address_instructions": "Next door"}
    body = {"type": "delivery", "items": [line(soup)], **claimed}

    to_placed = await ada.send("POST", "/orders", {**body, "address_id": placed["id"]})
    to_bare = await ada.send("POST", "/orders", {**body, "address_id": bare["id"]})

    assert {name: to_placed[name] for name in claimed} == {
        "address_lat": 38.7139, "address_lng": -9.1335, "address_postcode": "1100-414",
        "address_instructions": "Third floor",
    }  # fmt: skip
    assert not claimed.keys() & to_bare.document.keys()


INVALID_ADDRESS_IDS = [987_654_321, 0, -1, "x", 1.5, True, [], {}, 2**63, "9" * 40]


async def test_address_of_other_customer_is_rejected(ada, make_shopper, soup, subtests):
    eve = make_shopper()
    await eve.log_in_by_code(email="eve@example.com")
    theirs = await eve.send("POST", "/addresses", {"line1": "Eve's"})
    body = {"type": "delivery", "items": [line(soup)], "address": "Rossio 1"}

    for wrong in INVALID_ADDRESS_IDS:
        with subtests.test(wrong=wrong):
            for address_id in (wrong, theirs["id"]):
                assert list((await ada.send("POST", "/orders", {**body, "address_id": address_id})).errors) == [
                    "address_id"
                ]
            assert (await ada.get("/orders"))["data"] == []


async def test_repeat_returns_first_order(ada, soup):
    body = {"type": "takeaway", "items": [line(soup)]}
    first = await ada.send("POST", "/orders", body, Idempotency_Key="one")
    again = await ada.send("POST", "/orders", {**body, "address_id": 5}, Idempotency_Key="one")

    assert (again.status, again.document, again.headers["idempotent-replayed"]) == (201, first.document, "true")
    assert (await ada.get("/orders"))["total"] == 1


async def test_idempotency_keys_are_per_customer(ada, make_shopper, soup):
    eve = make_shopper()
    await eve.log_in_by_code(email="eve@example.com")
    body = {"type": "takeaway", "items": [line(soup)], "client_uuid": "same"}

    first, second = await ada.send("POST", "/orders", body), await eve.send("POST", "/orders", body)

    assert first["id"] != second["id"]
    assert (second["customer_name"], second["customer_id"]) != (first["customer_name"], first["customer_id"])


async def test_order_is_limited_to_40_lines_of_30(ada, soup):
    too_many = await ada.send("POST", "/orders", {"type": "takeaway", "items": [line(soup)] * 41})
    too_much = await ada.send("POST", "/orders", {"type": "takeaway", "items": [line(soup, 31)]})

    assert (list(too_many.errors), list(too_much.errors)) == (["items"], ["items.0.quantity"])
    most = await ada.send("POST", "/orders", {"type": "takeaway", "items": [line(soup, 30)] * 40})
    assert most.status == 201


async def test_item_of_other_store_is_rejected(ada, owner, store):
    other = type(store)(store.client, owner, await owner.store())
    theirs = await other.item("Cake")

    reply = await ada.send("POST", "/orders", {"type": "takeaway", "items": [line(theirs)]})
    assert list(reply.errors) == ["items.0.item_id"]


async def test_unpublished_store_rejects_orders(ada, store, soup):
    await store.send("PUT", "/settings", {"is_published": False})

    assert (await ada.send("POST", "/orders", {"type": "takeaway", "items": [line(soup)]})).status == 404
    assert (await ada.get("/orders"))["data"] == []
