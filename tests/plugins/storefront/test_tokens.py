"""Storefront tokens: what they reach, and how owners make, rotate and revoke them."""

import asyncio

import pytest
from comanda.accounts import callers
from comanda.accounts.models import AccessToken
from comanda_storefront import services
from comanda_storefront.kinds import STOREFRONT
from comanda_storefront.schemas import StorefrontTokenBody

PATH = "/storefront-tokens"


async def create(store, name="Web shop", scopes=("menu:read",)):
    reply = await store.send("POST", PATH, {"name": name, "scopes": list(scopes)})
    assert reply.status == 201, reply
    return reply.document


async def found(secret):
    return await callers.find_caller(secret, STOREFRONT)


async def live(store):
    return await AccessToken.filter(store_id=store.id, revoked_at=None).count()


async def test_a_new_token_reaches_its_store_with_its_scopes_and_never_expires(store, clock):
    made = await create(store, "App", ["menu:read", "order:write"])

    caller = await found(made["token"])
    assert made["token"].startswith("sf_")
    assert (made["name"], made["scopes"], made["restaurant_id"]) == ("App", ["menu:read", "order:write"], store.id)
    assert (caller.kind, caller.owner_id, caller.store_id) == ("storefront", store.owner.id, store.id)
    assert (caller.may("menu:read"), caller.may("order:write"), caller.may("agent")) == (True, True, False)
    clock.advance(days=10_000)
    assert await found(made["token"]) == caller
    assert caller.expires_at is None


async def test_the_list_shows_live_tokens_newest_first_and_no_secret(store):
    first, second, gone = [await create(store, name) for name in ("one", "two", "gone")]
    await store.send("DELETE", f"{PATH}/{gone['id']}")

    page = await store.get(PATH)

    assert (page["total"], page["per_page"]) == (2, 20)
    assert page["data"] == [{key: one[key] for key in one if key != "token"} for one in (second, first)]


async def test_the_list_tells_when_a_token_was_last_used(store, clock):
    made = await create(store)
    await found(made["token"])

    assert (await store.get(PATH))["data"][0]["last_used_at"] == clock().isoformat()


async def test_a_revoked_token_is_refused_at_once_and_cannot_be_revoked_again(store):
    made = await create(store)

    assert (await store.send("DELETE", f"{PATH}/{made['id']}")).status == 204

    assert await found(made["token"]) is None
    assert (await store.send("DELETE", f"{PATH}/{made['id']}")).status == 404
    assert (await store.send("POST", f"{PATH}/{made['id']}/rotate")).status == 404


async def test_rotating_keeps_the_token_and_ends_its_old_secret(store):
    made = await create(store, "App", ["agent", "menu:read"])
    await found(made["token"])

    reply = await store.send("POST", f"{PATH}/{made['id']}/rotate")

    assert (reply.status, reply.document | {"token": ""}) == (200, made | {"token": ""})
    assert await found(made["token"]) is None
    assert (await found(reply["token"])).token_id == made["id"]


@pytest.mark.parametrize("scopes", [["orders:write"], ["menu:read", "*"], [], ["menu:write"]])
async def test_a_scope_that_is_no_storefronts_is_refused(store, scopes):
    reply = await store.send("POST", PATH, {"name": "x", "scopes": scopes})

    assert list(reply.errors) == ["scopes"]
    assert await live(store) == 0


async def test_a_scope_given_twice_is_kept_once(store):
    assert (await create(store, scopes=["agent", "menu:read", "agent"]))["scopes"] == ["agent", "menu:read"]


async def test_names_are_needed_and_short(store):
    for name in (None, "", "  ", "x" * 101):
        reply = await store.send("POST", PATH, {"name": name, "scopes": ["agent"]})
        assert list(reply.errors) == ["name"]
    assert await live(store) == 0


async def test_a_storefront_token_opens_no_owners_route_however_it_is_sent(store, client):
    made = await create(store, scopes=["menu:read", "order:write", "agent"])

    for headers in ({"X-Storefront-Token": made["token"]}, {"Authorization": f"Bearer {made['token']}"}):
        for path in (f"/restaurants/{store.id}/menu", f"/restaurants/{store.id}{PATH}", "/me"):
            assert (await client.get(f"/api/v1{path}", headers=headers)).status_code == 401


async def test_tokens_of_another_kind_or_store_are_not_there(store, owner, client):
    other = type(store)(client, owner, await owner.store())
    elsewhere = await create(other)

    for token_id in (owner.token_id, elsewhere["id"]):
        assert (await store.send("DELETE", f"{PATH}/{token_id}")).status == 404
        assert (await store.send("POST", f"{PATH}/{token_id}/rotate")).status == 404

    assert (await store.get(PATH))["total"] == 0
    assert await found(elsewhere["token"]) is not None
    assert (await store.get("")).status == 200


async def test_two_creations_at_once_do_not_pass_the_limit_together(store, owner, monkeypatch):
    monkeypatch.setattr(services, "MAX_TOKENS", 3)
    body = StorefrontTokenBody(name="x", scopes=["agent"])

    made = await asyncio.gather(
        *(services.create_token(owner.caller, store.id, body) for _ in range(6)), return_exceptions=True
    )

    refused = [answer for answer in made if isinstance(answer, Exception)]
    assert [error.status for error in refused] == [409, 409, 409]
    assert refused[0].extras == {"limits": {"storefront_tokens": 3}}
    assert await live(store) == 3


@pytest.mark.parametrize(
    ("scopes", "missing"),
    [(["menu:read"], "menu:read"), (["order:write"], "orders:write"), (["agent"], "menu:read")],
)
async def test_a_token_makes_no_stronger_one(store, owner, scopes, missing):
    weak = await owner.token_with("restaurants:write")

    reply = await store.send("POST", PATH, {"name": "Web shop", "scopes": scopes}, **weak)

    assert (reply.status, reply["code"], reply["required"]) == (403, "forbidden", missing)
    assert await live(store) == 0


async def test_a_token_that_may_do_as_much_makes_one(store, owner):
    strong = await owner.token_with("restaurants:write", "menu:read", "orders:write")

    reply = await store.send("POST", PATH, {"name": "App", "scopes": ["menu:read", "order:write", "agent"]}, **strong)

    assert reply.status == 201


async def test_a_stronger_tokens_secret_is_not_rotated_into_ones_hands(store, owner):
    made = await create(store, "App", ["menu:read", "order:write"])
    weak = await owner.token_with("restaurants:write", "menu:read")

    reply = await store.send("POST", f"{PATH}/{made['id']}/rotate", None, **weak)

    assert (reply.status, reply["required"]) == (403, "orders:write")
    assert await found(made["token"]) is not None
