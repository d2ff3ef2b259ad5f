"""The routes of tables."""


async def test_table_is_created_read_updated_and_deleted(restaurant):
    made = await restaurant.create_table(7, 4, area="Terrace", position=2)

    assert made == {
        "id": made["id"],
        "number": "7",
        "seats": 4,
        "area": "Terrace",
        "is_active": True,
        "position": 2,
        "plan_column": None,
        "plan_row": None,
    }
    path = f"/tables/{made['id']}"
    changed = await restaurant.store.send("PUT", path, {"seats": 6, "area": "", "is_active": None})
    assert changed.document == {**made, "seats": 6, "area": None}
    assert (await restaurant.store.get(path)).document == changed.document
    assert (await restaurant.store.send("DELETE", path)).status == 204
    assert (await restaurant.store.send("GET", path)).status == 404
    assert (await restaurant.store.get("/tables"))["data"] == []


async def test_tables_are_in_owner_order(restaurant):
    for number, position in (("1", 5), ("2", 1), ("3", 5)):
        await restaurant.create_table(number, position=position)

    listed = await restaurant.store.get("/tables")

    assert [table["number"] for table in listed["data"]] == ["2", "1", "3"]
    assert (listed["total"], listed["per_page"]) == (3, 100)


async def test_number_is_unique_within_store(restaurant, owner, client):
    made, other = await restaurant.create_table("1"), await restaurant.create_table("2")

    again = await restaurant.store.send("POST", "/tables", {"number": " 1 ", "seats": 2})
    renamed = await restaurant.store.send("PUT", f"/tables/{other['id']}", {"number": 1, "seats": 2})
    elsewhere = await restaurant.store.send_to(
        f"/api/v1/restaurants/{await owner.store()}/tables", "POST", {"number": "1", "seats": 2}
    )

    assert again.errors == renamed.errors == {"number": ["The store already has a table 1."]}
    assert elsewhere.status == 201
    assert (await restaurant.store.get("/tables"))["data"] == [made, other]
