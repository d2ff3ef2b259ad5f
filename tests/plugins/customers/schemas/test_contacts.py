"""Validation of customers created by the owner."""

EVE = {"name": "Ève Gonçalves", "email": "Eve@example.com", "phone": "+351 912 345 678"}


INVALID_CUSTOMERS = [
    ({"name": "Eve"}, "email"), ({**EVE, "name": ""}, "name"), ({"email": "a@example.com"}, "name"),
    ({**EVE, "email": "x"}, "email"), ({**EVE, "phone": "x"}, "phone"),
    ({**EVE, "consents": {"x": True}}, "consents.x"),
]  # fmt: skip


async def test_create_rejects_invalid_field(store, read_customers, subtests):
    for body, field in INVALID_CUSTOMERS:
        with subtests.test(body=body, field=field):
            assert list((await store.send("POST", "/customers", body)).errors) == [field]
            assert await read_customers() == []
