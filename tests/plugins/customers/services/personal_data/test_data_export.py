"""Export of a customer's data."""

from datetime import timedelta

from comanda.basics import clock as clock_module
from comanda.devkit.testing import line

PHONE = "+351912345678"


async def test_export_has_all_data(customer_with_data, store):
    own = await customer_with_data.get("/me/export")
    owners = (await store.get(f"/customers/{customer_with_data.id}/export")).document

    assert {**own, "exported_at": None, "devices": None} == {**owners, "exported_at": None, "devices": None}
    assert own["profile"] == await customer_with_data.get("/me")
    assert [one["line1"] for one in own["addresses"]] == ["Rua da Prata 8"]
    assert [one["name"] for one in own["devices"]] == ["Ada's phone"]
    # With the account, and without it by the phone number that is proven.
    assert [one["items"][0]["note"] for one in own["orders"]] == [None, "No onions"]
    assert own["orders"][1]["id"] == customer_with_data.order["id"]
    assert sorted((one["name"], one["orders"]) for one in own["guest"]) == [("A. Lovelace", 1), ("Ada Lovelace", 1)]


async def test_records_under_unproven_contact_data_are_nobodys(make_shopper, store, soup):
    eve = make_shopper()
    await eve.call_public("register", name="Eve", email="ada@example.com", password="correct horse", phone=PHONE)
    await store.order(line(soup), phone=PHONE, customer_name="Ada Lovelace")
    await store.send("POST", "/tables", {"number": "1", "seats": 2})
    tomorrow = (clock_module.now() + timedelta(days=1)).isoformat()
    guest = {"guest_name": "Ada Lovelace", "party_size": 2, "starts_at": tomorrow, "email": "ada@example.com"}
    assert (await store.send("POST", "/reservations", {**guest, "override": True})).status == 201

    exported = await eve.get("/me/export")

    assert exported["orders"] == []
    assert "reservations" not in exported["records"]
    assert "Lovelace" not in str(exported)
