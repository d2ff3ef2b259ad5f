"""Track tokens: the owner in front of 256 random bits."""

import pytest
from comanda.basics.owner_prefix import add_owner_prefix
from comanda.devkit.testing.stores import line
from comanda.orders.track_tokens import RANDOM_LENGTH, generate_track_token, hash_track_token
from comanda.platform.db import sql


async def get_status(client, token):
    return (await client.get(f"/api/v1/track/{token}")).status_code


@pytest.fixture
async def order(store):
    return (await store.place(line(await store.item("Soup", 5)))).document


async def test_token_names_the_owner(client, owner, order):
    token = order["track_token"]

    assert token[:-RANDOM_LENGTH] == add_owner_prefix(owner.id, "")
    assert await get_status(client, token) == 200


async def test_token_works_with_its_own_owner_alone(client, other_owner, order):
    random = order["track_token"][-RANDOM_LENGTH:]

    assert await get_status(client, add_owner_prefix(other_owner.id, random)) == 404
    assert await get_status(client, random) == 404
    assert await get_status(client, "x" * 55) == 404


async def test_token_without_prefix_still_works(client, owner, order):
    token = generate_track_token(owner.id)[-RANDOM_LENGTH:]
    await sql.execute(
        "UPDATE core_order SET track_token = $1, track_hash = $2 WHERE id = $3 AND owner_id = $4",
        token,
        hash_track_token(token),
        order["id"],
        owner.id,
    )

    response = await client.get(f"/api/v1/track/{token}")
    assert (response.status_code, (await response.get_json())["id"]) == (200, order["id"])
    assert await get_status(client, add_owner_prefix(owner.id, token)) == 404
