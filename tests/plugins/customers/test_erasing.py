"""Everything that is known of a customer: handed out, and forgotten."""

from datetime import timedelta

import pytest
from comanda import clock as clock_module
from comanda.db import sql
from comanda.devkit.testing.stores import line
from comanda.orders import placement
from comanda_customers.models import Customer

PHONE = "+351912345678"
TRACES = (
    "lovelace",
    "ada@example.com",
    "912345678",
    "912 345 678",
    "prata 8",
    "ring twice",
    "no onions",
    "ada's phone",
)


async def traces(owner):
    """Search every column of text or JSON of every table for what is known of Ada."""
    columns = await sql.fetch(
        """SELECT c.table_name AS name, c.column_name AS column FROM information_schema.columns c
           JOIN information_schema.tables t ON t.table_name = c.table_name AND t.table_schema = c.table_schema
           WHERE c.table_schema = 'public' AND t.table_type = 'BASE TABLE'
             AND c.data_type IN ('text', 'character varying', 'jsonb', 'json', 'ARRAY')
             AND EXISTS (SELECT FROM information_schema.columns o WHERE o.table_schema = 'public'
                         AND o.table_name = c.table_name AND o.column_name = 'owner_id')"""
    )
    found = set()
    for column in columns:
        name = f"{column['name']}.{column['column']}"
        statement = f'SELECT "{column["column"]}"::text AS text FROM "{column["name"]}" WHERE owner_id = $1'
        for row in await sql.fetch(statement, owner.id):
            if any(trace in (row["text"] or "").lower() for trace in TRACES):
                found.add(name)
    return found


@pytest.fixture
async def known(shopper, store, soup, dispatch):
    """Make a customer of whom there is something everywhere."""
    ada = shopper()
    code = await ada.sent_code(phone=PHONE, purpose="proof")
    reply = await ada.enter(
        "register", name="Ada Lovelace", email="ada@example.com", password="correct horse", phone=PHONE, code=code,
        device="Ada's phone",
    )  # fmt: skip
    assert reply.status == 201, reply
    ada.id = reply["customer"]["id"]
    await ada.send("PUT", "/me", {"birthday": "1990-02-28", "consents": {"terms": True}})
    saved = await ada.send("POST", "/addresses", {"line1": "Rua da Prata 8", "instructions": "Ring twice"})
    lines = [line(soup, note="No onions")]
    ada.order = await ada.send(
        "POST", "/orders", {"type": "delivery", "items": lines, "address_id": saved["id"], "note": "Ring twice"}
    )
    assert ada.order.status == 201, ada.order
    await store.set_status(ada.order["id"], "preparing", note="Ask Lovelace about onions")
    ada.as_guest = await store.order(line(soup), phone="+351 912 345 678", customer_name="A. Lovelace")
    await dispatch()
    await ada.enter("login", email="ada@example.com", password="wrong horse")
    return ada


async def test_an_export_has_all_there_is(known, store):
    own = await known.get("/me/export")
    owners = (await store.get(f"/customers/{known.id}/export")).document

    assert {**own, "exported_at": None, "devices": None} == {**owners, "exported_at": None, "devices": None}
    assert own["profile"] == await known.get("/me")
    assert [one["line1"] for one in own["addresses"]] == ["Rua da Prata 8"]
    assert [one["name"] for one in own["devices"]] == ["Ada's phone"]
    assert [(one["id"], one["items"][0]["note"]) for one in own["orders"]] == [(known.order["id"], "No onions")]
    assert sorted((one["name"], one["orders"]) for one in own["guest"]) == [("A. Lovelace", 1), ("Ada Lovelace", 1)]


@pytest.mark.parametrize("by", ["password", "code", "owner"])
async def test_erasing_leaves_no_trace_but_the_sums(known, store, owner, shopper, dispatch, published, by):
    assert {"core_order.customer_name", "customers_guest.name", "customers_customer.email"} <= await traces(owner)
    if by == "owner":
        reply = await store.send("DELETE", f"/customers/{known.id}")
    else:
        proof = await known.sent_code(email="ada@example.com", purpose="proof") if by == "code" else None
        body = {"code": proof} if proof else {"password": "correct horse"}
        reply = await known.send("DELETE", "/me", body)
    await dispatch()

    assert reply.status == 204
    assert await traces(owner) == set()
    assert (await published())[-1] == ("customer.erased", {"id": known.id, "restaurant_id": store.id})
    order = (await store.get(f"/orders/{known.order['id']}")).document
    assert (order["customer_name"], order["phone"], order["address"], order["note"]) == (
        "deleted customer", None, None, None,
    )  # fmt: skip
    assert (order["total"], order["customer_id"], order["items"][0]["note"]) == (10, known.id, None)
    assert (await known.send("GET", "/me")).status == 401
    assert (await shopper().enter("login", email="ada@example.com", password="correct horse")).status == 401
    assert (await store.send("GET", f"/customers/{known.id}")).status == 404
    assert (await store.send("DELETE", f"/customers/{known.id}")).status == 404
    assert (await store.get("/customers"))["data"] == []


async def test_after_an_erasure_the_same_phone_is_somebody_new(known, shopper, store):
    await store.send("DELETE", f"/customers/{known.id}")

    reply = await shopper().verified(phone=PHONE)

    assert reply["created"] is True
    assert reply["customer"]["id"] != known.id


@pytest.mark.parametrize(
    ("body", "status"),
    [({}, 422), ({"password": "wrong horse"}, 401), ({"code": "000000"}, 422), ({"password": None}, 422)],
)
async def test_without_proof_nothing_is_erased(known, customers_rows, owner, body, status):
    before, orders = await customers_rows(), await traces(owner)

    assert (await known.send("DELETE", "/me", body)).status == status
    assert await customers_rows() == before
    assert await traces(owner) == orders
    assert (await known.send("GET", "/me")).status == 200


async def test_a_phone_that_nobody_proved_erases_no_orders_of_guests(shopper, store, soup):
    eve = shopper()
    await eve.enter("register", name="Eve", email="eve@example.com", password="correct horse", phone=PHONE)
    theirs = await store.order(line(soup), phone=PHONE, customer_name="Ada Lovelace")

    assert (await eve.send("DELETE", "/me", {"password": "correct horse"})).status == 204
    assert (await store.get(f"/orders/{theirs['id']}"))["customer_name"] == "Ada Lovelace"


async def test_an_address_that_nobody_proved_erases_no_reservations_of_others(shopper, store):
    eve = shopper()
    await eve.enter("register", name="Eve", email="ada@example.com", password="correct horse", phone=PHONE)
    tomorrow = (clock_module.now() + timedelta(days=1)).isoformat()
    guest = {"guest_name": "Ada Lovelace", "party_size": 2, "starts_at": tomorrow, "override": True}
    for number in "12":
        await store.send("POST", "/tables", {"number": number, "seats": 2})
    made = [
        await store.send("POST", "/reservations", {**guest, **contact})
        for contact in ({"phone": PHONE}, {"email": "ada@example.com"})
    ]

    assert (await eve.send("DELETE", "/me", {"password": "correct horse"})).status == 204

    for reply in made:
        assert reply.status == 201, reply
        assert (await store.get(f"/reservations/{reply['id']}")).document == reply.document


async def test_others_keep_what_is_theirs(known, shopper, store, owner, soup):
    eve = shopper()
    eves = await eve.verified(email="eve@example.com")
    await eve.send("PUT", "/me", {"name": "Eve"})
    order = await eve.send("POST", "/orders", {"type": "takeaway", "items": [line(soup)]})

    await store.send("DELETE", f"/customers/{known.id}")

    assert (await eve.get("/me"))["name"] == "Eve"
    assert (await eve.get(f"/orders/{order['id']}"))["customer_name"] == "Eve"
    assert await Customer.filter(owner_id=owner.id, erased_at=None).values_list("id", flat=True) == [
        eves["customer"]["id"]
    ]


async def test_an_order_that_comes_in_while_its_customer_is_erased_names_nobody(known, store, soup, owner, monkeypatch):
    place = placement.place_order

    async def erased_meanwhile(*order):
        assert (await store.send("DELETE", f"/customers/{known.id}")).status == 204
        return await place(*order)

    monkeypatch.setattr(placement, "place_order", erased_meanwhile)
    placed = await known.send("POST", "/orders", {"type": "takeaway", "items": [line(soup)], "note": "Ring twice"})

    assert (await store.get(f"/orders/{placed['id']}"))["customer_name"] == "deleted customer"
    assert await traces(owner) == set()
