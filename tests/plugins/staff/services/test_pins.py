"""PIN hashing and weak PINs."""

import pytest
from comanda.platform.db import sql

pytestmark = pytest.mark.usefixtures("genuine_pin_hash")

PASSWORD = "lemon tart at dawn"
COOK = {"name": "Rosa", "role": "kitchen", "email": "Rosa@Example.com", "password": PASSWORD, "pin": "5918"}


@pytest.mark.parametrize("pin", ["0000", "1234", "4321", "1212", "1999", "2580", "12121212", "987654"])
async def test_weak_pin_is_accepted_with_warning(store, pin):
    reply = await store.send("POST", "/staff", {**COOK, "pin": pin})

    assert reply.status == 201
    assert len(reply["warnings"]) == 1


@pytest.mark.parametrize("pin", ["8301", "62749", "5918", "47110815"])
async def test_strong_pin_has_no_warning(store, pin):
    assert (await store.send("POST", "/staff", {**COOK, "pin": pin}))["warnings"] == []


async def test_pin_and_password_are_stored_hashed(store):
    created = await store.send("POST", "/staff", COOK)

    row = await sql.fetch_one(
        "SELECT to_jsonb(m)::text AS row, pin_hash FROM staff_member m WHERE id = $1", created["id"]
    )

    assert PASSWORD not in row["row"]
    assert "5918" not in row["row"].replace(row["pin_hash"].hex(), "")
    assert len(row["pin_hash"]) == 32


async def test_same_pin_has_different_hash_per_store(store, open_store):
    elsewhere = await open_store("restaurant")
    for each in (store, elsewhere):
        assert (await each.send("POST", "/staff", COOK)).status == 201

    hashes = await sql.fetch("SELECT pin_hash FROM staff_member WHERE owner_id = $1", store.owner.id)

    assert len({row["pin_hash"] for row in hashes}) == 2
