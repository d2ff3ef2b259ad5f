"""Saved addresses."""

import asyncio

HOME = {"label": "Home", "line1": "Rua da Prata 8", "line2": "2 Esq", "postcode": "1100-420", "city": "Lisboa"}


async def test_first_address_is_default_until_replaced(ada):
    first = await ada.send("POST", "/addresses", {**HOME, "lat": 38.71, "lng": -9.13, "is_default": False})
    second = await ada.send("POST", "/addresses", {"address": "Praça do Comércio, Lisboa", "country": "pt"})
    third = await ada.send("POST", "/addresses", {"line1": "Office", "is_default": True})

    assert (first.status, first["is_default"], first["lat"]) == (201, True, 38.71)
    assert first["address"] == "Rua da Prata 8, 2 Esq, 1100-420 Lisboa"
    assert (second["line1"], second["address"], second["country"], second["is_default"]) == (
        "Praça do Comércio, Lisboa", "Praça do Comércio, Lisboa, PT", "PT", False,
    )  # fmt: skip
    listed = (await ada.get("/addresses"))["data"]
    assert [(one["id"], one["is_default"]) for one in listed] == [
        (third["id"], True), (second["id"], False), (first["id"], False),
    ]  # fmt: skip
    assert (await ada.send("DELETE", f"/addresses/{third['id']}")).status == 204
    assert [one["id"] for one in (await ada.get("/addresses"))["data"] if one["is_default"]] == [first["id"]]


async def test_update_changes_given_fields_only(ada):
    path = f"/addresses/{(await ada.send('POST', '/addresses', HOME))['id']}"

    changed = await ada.send("PUT", path, {"line2": None, "instructions": "Ring twice", "is_default": False})

    assert (changed["line1"], changed["line2"], changed["instructions"]) == ("Rua da Prata 8", None, "Ring twice")
    assert changed["is_default"] is True
    whole = await ada.send("PUT", path, {"address": "Rossio 1, Lisboa"})
    assert (whole["address"], whole["city"], whole["instructions"]) == ("Rossio 1, Lisboa", None, "Ring twice")


async def test_concurrent_saves_keep_limit_and_one_default(ada):
    replies = await asyncio.gather(
        *(ada.send("POST", "/addresses", {"line1": f"Street {number}", "is_default": True}) for number in range(22))
    )

    assert sorted(reply.status for reply in replies) == [201] * 20 + [422] * 2
    listed = (await ada.get("/addresses"))["data"]
    assert (len(listed), sum(one["is_default"] for one in listed)) == (20, 1)


async def test_address_of_other_customer_returns_404(ada, make_shopper, owner):
    path = f"/addresses/{(await ada.send('POST', '/addresses', HOME))['id']}"
    eve, elsewhere = make_shopper(), make_shopper(await owner.store())
    await eve.log_in_by_code(email="eve@example.com")
    await elsewhere.log_in_by_code(email="ada@example.com")

    for other in (eve, elsewhere):
        assert (await other.send("PUT", path, {"line1": "Stolen", "is_default": True})).status == 404
        assert (await other.send("DELETE", path)).status == 404
    assert [one["line1"] for one in (await ada.get("/addresses"))["data"]] == ["Rua da Prata 8"]
