"""Export of a customer's data."""


async def test_export_has_all_data(customer_with_data, store):
    own = await customer_with_data.get("/me/export")
    owners = (await store.get(f"/customers/{customer_with_data.id}/export")).document

    assert {**own, "exported_at": None, "devices": None} == {**owners, "exported_at": None, "devices": None}
    assert own["profile"] == await customer_with_data.get("/me")
    assert [one["line1"] for one in own["addresses"]] == ["Rua da Prata 8"]
    assert [one["name"] for one in own["devices"]] == ["Ada's phone"]
    assert [(one["id"], one["items"][0]["note"]) for one in own["orders"]] == [
        (customer_with_data.order["id"], "No onions")
    ]
    assert sorted((one["name"], one["orders"]) for one in own["guest"]) == [("A. Lovelace", 1), ("Ada Lovelace", 1)]
