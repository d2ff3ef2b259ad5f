"""Creation of stores over the API."""

BODY = {"title": "Tasca da Rua", "store_type": "restaurant", "currency": "EUR", "timezone": "Europe/Lisbon"}


async def test_stores_of_one_title_get_numbered_addresses(client, owner):
    answers = [await client.post("/api/v1/restaurants", headers=owner.auth, json=BODY) for _ in range(2)]
    first, second = [await answer.get_json() for answer in answers]

    assert [answer.status_code for answer in answers] == [201, 201]
    assert (first["title"], first["timezone"], first["store_type"]) == ("Tasca da Rua", "Europe/Lisbon", "restaurant")
    assert second["slug"] == f"{first['slug']}-2"


async def test_wrong_fields_are_named(client, owner):
    for change, field in (
        ({"store_type": "moonbase"}, "store_type"),
        ({"currency": "XQQ"}, "currency"),
        ({"timezone": "Mars/Base"}, "timezone"),
        ({"title": " "}, "title"),
    ):
        response = await client.post("/api/v1/restaurants", headers=owner.auth, json={**BODY, **change})

        assert (response.status_code, list((await response.get_json())["errors"])) == (422, [field])


async def test_store_types_say_what_their_stores_can(client, owner):
    types = await (await client.get("/api/v1/store-types", headers=owner.auth)).get_json()

    found = {each["store_type"]: each for each in types}
    assert found["restaurant"]["capabilities"]["kds"] is True
    assert "takeaway" in found["restaurant"]["fulfillment_modes"]


async def test_owners_pause_and_resume_a_store(client, owner, store_id, clock):
    path = f"/api/v1/restaurants/{store_id}/intake-status"
    busy = await client.put(path, headers=owner.auth, json={"status": "busy"})
    await client.put(path, headers=owner.auth, json={"status": "busy", "delay_minutes": 20, "reason": "Rush"})
    shown = await (await client.get(path, headers=owner.auth)).get_json()

    assert list((await busy.get_json())["errors"]) == ["delay_minutes"]
    assert (shown["status"], shown["delay_minutes"], shown["reason"]) == ("busy", 20, "Rush")
    assert shown["source"] == f"owner:{owner.id}"
