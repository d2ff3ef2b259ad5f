"""The people who work in a store, as their owner manages them."""

import asyncio

import pytest
from comanda.db import sql
from comanda.devkit.testing.stores import TestStore

PASSWORD = "lemon tart at dawn"
COOK = {"name": "Rosa", "role": "kitchen", "email": "Rosa@Example.com", "password": PASSWORD, "pin": "5918"}
ALL = ["orders", "menu_edit", "coupons", "analytics", "kds", "customers"]


async def test_somebody_is_employed_listed_changed_and_deleted(store):
    grill, cold = [(await store.send("POST", "/stations", {"name": name}))["id"] for name in ("Grill", "Cold")]
    made = await store.send("POST", "/staff", {**COOK, "phone": "123", "station_ids": [grill, grill, cold]})
    path = f"/staff/{made['id']}"

    assert made.status == 201
    assert made.document == {
        "id": made["id"], "restaurant_id": store.id, "name": "Rosa", "email": "rosa@example.com", "phone": "123",
        "role": "kitchen", "grants": [], "denials": [], "permissions": ["kds"], "station_ids": [grill, cold],
        "is_active": True, "has_password": True, "has_pin": True, "two_factor": False, "last_login_at": None,
        "created_at": made["created_at"], "warnings": [],
    }  # fmt: skip
    changed = await store.send("PUT", path, {"name": "Rosa Almeida", "phone": None, "pin": None})
    assert (changed["name"], changed["phone"], changed["has_pin"]) == ("Rosa Almeida", None, False)
    page = await store.get("/staff")
    assert [each["id"] for each in page["data"]] == [made["id"]]
    assert (await store.get(path)).document == page["data"][0]
    assert (await store.send("DELETE", path)).status == 204
    assert (await store.send("GET", path)).status == 404
    assert (await store.get("/staff"))["total"] == 0


@pytest.mark.parametrize(
    ("role", "grants", "denials", "permissions"),
    [
        ("manager", [], [], ALL),
        ("cashier", [], [], ["orders", "coupons", "customers"]),
        ("kitchen", [], [], ["kds"]),
        ("waiter", [], [], ["orders"]),
        ("waiter", ["menu_edit", "kds"], [], ["orders", "menu_edit", "kds"]),
        ("manager", [], ["analytics"], ["orders", "menu_edit", "coupons", "kds", "customers"]),
        ("waiter", ["orders", "kds"], ["kds", "orders"], []),
    ],
)
async def test_permissions_are_the_roles_and_the_grants_without_the_denials(employ, role, grants, denials, permissions):
    person = await employ(role, grants=grants, denials=denials)

    entered = await person.login()

    assert entered["staff"]["permissions"] == permissions
    assert (await person.send("GET", "/me"))["permissions"] == permissions


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"pin": "123"}, "pin"),
        ({"pin": "123456789"}, "pin"),
        ({"pin": "12a4"}, "pin"),
        ({"pin": "١٢٣٤"}, "pin"),
        ({"email": "nobody"}, "email"),
        ({"email": None}, "email"),
        ({"password": "short"}, "password"),
        ({"password": "rosa@example.com"}, "password"),
        ({"password": "password123"}, "password"),
        ({"password": None, "pin": None}, "pin"),
        ({"role": "boss"}, "role"),
        ({"grants": ["fly"]}, "grants.0"),
        ({"station_ids": [0]}, "station_ids.0"),
    ],
)
async def test_what_is_no_member_is_refused(store, fields, field):
    reply = await store.send("POST", "/staff", {**COOK, **fields})

    assert list(reply.errors) == [field]
    assert (await store.get("/staff"))["total"] == 0


async def test_an_email_and_a_pin_belong_to_one_member_of_a_store(store, open_store, employ):
    first = await employ(email="ana@example.com", pin="7391")
    second = await employ(pin="7392")
    elsewhere = await open_store("restaurant")

    assert list((await second.change(email="ANA@example.com")).errors) == ["email"]
    assert list((await second.change(pin="7391")).errors) == ["pin"]
    assert list((await store.send("POST", "/staff", {**COOK, "pin": "7391"})).errors) == ["pin"]
    # Somebody who does not work here any more has no PIN that counts, until they come back.
    assert (await first.change(is_active=False)).status == 200
    assert (await second.change(pin="7391")).status == 200
    assert list((await first.change(is_active=True)).errors) == ["pin"]
    # In another store both are free.
    await employ(at=elsewhere, email="ana@example.com", pin="7391")


async def test_of_two_who_are_given_one_pin_at_the_same_moment_one_gets_it(store):
    bodies = [{"name": f"P{number}", "role": "waiter", "pin": "7391"} for number in range(6)]

    replies = await asyncio.gather(*(store.send("POST", "/staff", body) for body in bodies))

    assert sorted(reply.status for reply in replies) == [201] + [422] * 5


@pytest.mark.parametrize("pin", ["0000", "1234", "4321", "1212", "1999", "2580", "12121212", "987654"])
async def test_a_weak_pin_draws_a_warning_and_is_taken(store, pin):
    reply = await store.send("POST", "/staff", {**COOK, "pin": pin})

    assert reply.status == 201
    assert len(reply["warnings"]) == 1


@pytest.mark.parametrize("pin", ["8301", "62749", "5918", "47110815"])
async def test_another_pin_draws_none(store, pin):
    assert (await store.send("POST", "/staff", {**COOK, "pin": pin}))["warnings"] == []


async def test_neither_pin_nor_password_is_kept_as_it_is(store):
    made = await store.send("POST", "/staff", COOK)

    row = await sql.fetch_one("SELECT to_jsonb(m)::text AS row, pin_hash FROM staff_member m WHERE id = $1", made["id"])

    assert PASSWORD not in row["row"]
    assert "5918" not in row["row"].replace(row["pin_hash"].hex(), "")
    assert len(row["pin_hash"]) == 32


async def test_one_pin_has_another_hash_in_another_store(store, open_store):
    elsewhere = await open_store("restaurant")
    for each in (store, elsewhere):
        assert (await each.send("POST", "/staff", COOK)).status == 201

    hashes = await sql.fetch("SELECT pin_hash FROM staff_member WHERE owner_id = $1", store.owner.id)

    assert len({row["pin_hash"] for row in hashes}) == 2


async def test_members_of_another_store_of_ones_own_look_missing(store, open_store, employ):
    elsewhere = await open_store("restaurant")
    person = await employ(at=elsewhere)
    wrong = TestStore(store.client, store.owner, store.id)

    for method, body in (("GET", None), ("PUT", {"name": "Stolen"}), ("DELETE", None)):
        assert (await wrong.send(method, f"/staff/{person.id}", body)).status == 404
    assert (await wrong.send("DELETE", f"/staff/{person.id}/2fa")).status == 404

    assert (await elsewhere.get(f"/staff/{person.id}"))["name"] != "Stolen"


async def test_scopes_are_the_stores(store, owner):
    reads, writes = await owner.token_with("restaurants:read"), await owner.token_with("orders:write")

    for headers, method, body, status in (
        (reads, "GET", None, 200),
        (reads, "POST", COOK, 403),
        (writes, "GET", None, 403),
    ):
        assert (await store.send(method, "/staff", body, **headers)).status == status
