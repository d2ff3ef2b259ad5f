"""Storefront tokens: creation, rotation, revocation."""

import asyncio

import pytest
from comanda_storefront.schemas.tokens import StorefrontTokenBody
from comanda_storefront.services import tokens

PATH = "/storefront-tokens"


async def test_new_token_reaches_its_store_and_never_expires(store, clock, find_token, create_token):
    made = await create_token(store, "App", ["menu:read", "order:write"])

    caller = await find_token(made["token"])
    assert made["token"].startswith("sf_")
    assert (made["name"], made["scopes"], made["restaurant_id"]) == ("App", ["menu:read", "order:write"], store.id)
    assert (caller.kind, caller.owner_id, caller.store_id) == ("storefront", store.owner.id, store.id)
    assert (caller.may("menu:read"), caller.may("order:write"), caller.may("agent")) == (True, True, False)
    clock.advance(days=10_000)
    assert await find_token(made["token"]) == caller
    assert caller.expires_at is None


async def test_revoked_token_is_refused_at_once(store, find_token, create_token):
    made = await create_token(store)

    assert (await store.send("DELETE", f"{PATH}/{made['id']}")).status == 204

    assert await find_token(made["token"]) is None
    assert (await store.send("DELETE", f"{PATH}/{made['id']}")).status == 404
    assert (await store.send("POST", f"{PATH}/{made['id']}/rotate")).status == 404


async def test_rotation_keeps_token_and_ends_old_secret(store, find_token, create_token):
    made = await create_token(store, "App", ["agent", "menu:read"])
    await find_token(made["token"])

    reply = await store.send("POST", f"{PATH}/{made['id']}/rotate")

    assert (reply.status, reply.document | {"token": ""}) == (200, made | {"token": ""})
    assert await find_token(made["token"]) is None
    assert (await find_token(reply["token"])).token_id == made["id"]


async def test_concurrent_creations_respect_the_limit(store, owner, monkeypatch, list_live_tokens):
    monkeypatch.setattr(tokens, "MAX_TOKENS", 3)
    body = StorefrontTokenBody(name="x", scopes=["agent"])

    made = await asyncio.gather(
        *(tokens.create_token(owner.caller, store.id, body) for _ in range(6)), return_exceptions=True
    )

    refused = [answer for answer in made if isinstance(answer, Exception)]
    assert [error.status for error in refused] == [409, 409, 409]
    assert refused[0].extras == {"limits": {"storefront_tokens": 3}}
    assert await list_live_tokens(store) == 3


@pytest.mark.parametrize(
    ("scopes", "missing"),
    [(["menu:read"], "menu:read"), (["order:write"], "orders:write"), (["agent"], "menu:read")],
)
async def test_token_cannot_create_stronger_one(store, owner, scopes, missing, list_live_tokens):
    weak = await owner.token_with("restaurants:write")

    reply = await store.send("POST", PATH, {"name": "Web shop", "scopes": scopes}, **weak)

    assert (reply.status, reply["code"], reply["required"]) == (403, "forbidden", missing)
    assert await list_live_tokens(store) == 0


async def test_token_can_create_equal_one(store, owner):
    strong = await owner.token_with("restaurants:write", "menu:read", "orders:write")

    reply = await store.send("POST", PATH, {"name": "App", "scopes": ["menu:read", "order:write", "agent"]}, **strong)

    assert reply.status == 201


async def test_secret_of_stronger_token_cannot_be_rotated(store, owner, find_token, create_token):
    made = await create_token(store, "App", ["menu:read", "order:write"])
    weak = await owner.token_with("restaurants:write", "menu:read")

    reply = await store.send("POST", f"{PATH}/{made['id']}/rotate", None, **weak)

    assert (reply.status, reply["required"]) == (403, "orders:write")
    assert await find_token(made["token"]) is not None
