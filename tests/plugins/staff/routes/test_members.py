"""Management of members by the owner."""

from comanda.devkit.testing import TestStore

PASSWORD = "lemon tart at dawn"


COOK = {"name": "Rosa", "role": "kitchen", "email": "Rosa@Example.com", "password": PASSWORD, "pin": "5918"}


async def test_member_is_created_listed_updated_and_deleted(store):
    grill, cold = [(await store.send("POST", "/stations", {"name": name}))["id"] for name in ("Grill", "Cold")]
    created = await store.send("POST", "/staff", {**COOK, "phone": "123", "station_ids": [grill, grill, cold]})
    path = f"/staff/{created['id']}"

    assert created.status == 201
    assert created.document == {
        "id": created["id"], "restaurant_id": store.id, "name": "Rosa", "email": "rosa@example.com", "phone": "123",
        "role": "kitchen", "grants": [], "denials": [], "permissions": ["kds"], "station_ids": [grill, cold],
        "is_active": True, "has_password": True, "has_pin": True, "two_factor": False, "last_login_at": None,
        "created_at": created["created_at"], "warnings": [],
    }  # fmt: skip
    changed = await store.send("PUT", path, {"name": "Rosa Almeida", "phone": None, "pin": None})
    assert (changed["name"], changed["phone"], changed["has_pin"]) == ("Rosa Almeida", None, False)
    page = await store.get("/staff")
    assert [each["id"] for each in page["data"]] == [created["id"]]
    assert (await store.get(path)).document == page["data"][0]
    assert (await store.send("DELETE", path)).status == 204
    assert (await store.send("GET", path)).status == 404
    assert (await store.get("/staff"))["total"] == 0


async def test_member_of_other_store_returns_404(store, open_store, create_member):
    elsewhere = await open_store("restaurant")
    person = await create_member(at=elsewhere)
    wrong = TestStore(store.client, store.owner, store.id)

    for method, body in (("GET", None), ("PUT", {"name": "Stolen"}), ("DELETE", None)):
        assert (await wrong.send(method, f"/staff/{person.id}", body)).status == 404
    assert (await wrong.send("DELETE", f"/staff/{person.id}/2fa")).status == 404

    assert (await elsewhere.get(f"/staff/{person.id}"))["name"] != "Stolen"


async def test_members_require_restaurant_scopes(store, owner):
    reads, writes = await owner.token_with("restaurants:read"), await owner.token_with("orders:write")

    for headers, method, body, status in (
        (reads, "GET", None, 200),
        (reads, "POST", COOK, 403),
        (writes, "GET", None, 403),
    ):
        assert (await store.send(method, "/staff", body, **headers)).status == status
