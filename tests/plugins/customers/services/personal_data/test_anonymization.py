"""Anonymization of orders and reservations."""

from datetime import timedelta

from comanda.basics import clock as clock_module
from comanda.devkit.testing import line
from comanda_customers.models import Customer

PHONE = "+351912345678"


async def test_unproven_phone_anonymizes_no_guest_orders(make_shopper, store, soup):
    eve = make_shopper()
    await eve.call_public("register", name="Eve", email="eve@example.com", password="correct horse", phone=PHONE)
    theirs = await store.order(line(soup), phone=PHONE, customer_name="Ada Lovelace")

    assert (await eve.send("DELETE", "/me", {"password": "correct horse"})).status == 204
    assert (await store.get(f"/orders/{theirs['id']}"))["customer_name"] == "Ada Lovelace"


async def test_unproven_email_anonymizes_no_reservations(make_shopper, store):
    eve = make_shopper()
    await eve.call_public("register", name="Eve", email="ada@example.com", password="correct horse", phone=PHONE)
    tomorrow = (clock_module.now() + timedelta(days=1)).isoformat()
    guest = {"guest_name": "Ada Lovelace", "party_size": 2, "starts_at": tomorrow, "override": True}
    for number in "12":
        await store.send("POST", "/tables", {"number": number, "seats": 2})
    created = [
        await store.send("POST", "/reservations", {**guest, **contact})
        for contact in ({"phone": PHONE}, {"email": "ada@example.com"})
    ]

    assert (await eve.send("DELETE", "/me", {"password": "correct horse"})).status == 204

    for reply in created:
        assert reply.status == 201, reply
        assert (await store.get(f"/reservations/{reply['id']}")).document == reply.document


async def test_other_customers_are_unaffected(customer_with_data, make_shopper, store, owner, soup):
    eve = make_shopper()
    eves = await eve.log_in_by_code(email="eve@example.com")
    await eve.send("PUT", "/me", {"name": "Eve"})
    order = await eve.send("POST", "/orders", {"type": "takeaway", "items": [line(soup)]})

    await store.send("DELETE", f"/customers/{customer_with_data.id}")

    assert (await eve.get("/me"))["name"] == "Eve"
    assert (await eve.get(f"/orders/{order['id']}"))["customer_name"] == "Eve"
    assert await Customer.filter(owner_id=owner.id, erased_at=None).values_list("id", flat=True) == [
        eves["customer"]["id"]
    ]
