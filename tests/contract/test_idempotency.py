"""A request that creates something and is sent twice with one key creates it once: asked of every creating route."""

import asyncio

import pytest
from comanda.accounts import services as accounts
from comanda.contracts.routes import CREATING_STATUSES, KEY_HEADER
from comanda.db import sql
from installed_plugins import get_registry
from route_requests import called, everything_of, send
from workshop import HOLDERS, Workshop

REGISTRY = get_registry()
CREATING = [
    route
    for route in REGISTRY.routes
    if route.method == "POST" and route.status in CREATING_STATUSES and route.is_rest and not route.is_read_only
]
# What repeats of these mean stands in their bodies, or they are for callers who are not known.
WITHOUT_KEY = {
    "POST /api/app/usage": "the field ref identifies a report",
    "POST /s/{slug}/orders": "the page sends a client_uuid",
    "POST /s/{slug}/reservations": "the page sends a client_uuid",
    "POST /s/{slug}/rooms/{typeId}/stays": "the page sends a client_uuid",
    "POST /s/{slug}/account/addresses": "an address that is saved is not saved again",
    "POST /restaurants/{id}/customer/register": "a second account with the same e-mail or phone is refused",
    "POST /restaurants/{id}/staff-devices/requests": "a request that nobody answers expires",
}
KEYED = [
    pytest.param(kind, route, id=f"{kind} {called(route)}")
    for route in CREATING
    if called(route).removeprefix("/api/v1") not in WITHOUT_KEY
    for kind in route.callers
]
# Written by every request, or when a token is used.
UNRELATED = {"core_audit_entry", "core_access_token", "core_stored_answer", "core_outbox"}


async def request_of(client, owner, kind, route):
    workshop = Workshop(client, owner, None if kind == "owner" else await owner.store())
    if kind == "owner":
        headers = owner.auth
    elif kind == "storefront":
        token = await accounts.issue_token(
            REGISTRY.caller_kinds[kind], owner.id, ["*"], name="site", store_id=workshop.home
        )
        headers = {"X-Storefront-Token": token.secret}
    else:
        headers = await HOLDERS[kind](workshop)
    ids = await workshop.ids_of(route)
    if route.path in {"/customer/orders", "/storefront/orders"}:
        return headers, ids, {"type": "takeaway", "items": [{"item_id": await workshop.item(workshop.home)}]}
    return headers, ids, await workshop.body_of(route, ids)


def test_every_creating_route_takes_a_key_or_says_why_not():
    missing = {called(route) for route in CREATING if not any(name == KEY_HEADER for name, _ in route.headers)}

    assert missing == set(WITHOUT_KEY)
    assert len(KEYED) >= 60


@pytest.mark.parametrize(("kind", "route"), KEYED)
async def test_repeated_request_creates_once(client, owner, kind, route):
    headers, ids, body = await request_of(client, owner, kind, route)
    keyed = {**headers, KEY_HEADER: "order-entry-17"}

    status, first = await send(client, route, ids, keyed, body)
    before = await everything_of(owner, but=UNRELATED)
    events = await count_events(owner)
    again, second = await send(client, route, ids, keyed, body)

    assert (status, again) == (route.status, route.status), (first, second)
    assert await everything_of(owner, but=UNRELATED) == before
    assert await count_events(owner) == events
    if route.is_replayable:
        assert second == first
    else:
        assert second.get("id") == first.get("id")


async def test_concurrent_repeats_create_once(client, owner, open_store):
    store = await open_store("restaurant")
    replies = await asyncio.gather(
        *(store.send("POST", "/menu/categories", {"name": "Soups"}, Idempotency_Key="c-1") for _ in range(5))
    )

    assert {reply.status for reply in replies} == {201}
    assert len({reply["id"] for reply in replies}) == 1
    assert len((await store.send("GET", "/menu/categories")).document) == 1


async def test_refused_request_does_not_use_its_key(open_store):
    store = await open_store("restaurant")
    refused = await store.send("POST", "/menu/categories", {"name": ""}, Idempotency_Key="c-1")

    made = await store.send("POST", "/menu/categories", {"name": "Soups"}, Idempotency_Key="c-1")
    other = await store.send("POST", "/menu/categories", {"name": "Teas"}, Idempotency_Key="c-1")

    assert (refused.status, made.status, other.status) == (422, 201, 201)
    assert other["id"] == made["id"]
    assert (other.headers["idempotent-replayed"], other.headers["idempotency-mismatch"]) == ("true", "true")


async def test_keys_belong_to_caller_and_path(open_store, owner, other_owner, client):
    one, other = await open_store("restaurant"), await open_store("restaurant")
    made = [
        await store.send("POST", "/menu/categories", {"name": "Soups"}, Idempotency_Key="c-1") for store in (one, other)
    ]
    foreign = await client.post("/api/v1/tokens", headers={**other_owner.auth, KEY_HEADER: "c-1"},
                                json={"name": "Books", "scopes": ["orders:read"]})  # fmt: skip

    assert made[0]["id"] != made[1]["id"]
    assert foreign.status_code == 201
    assert "Idempotent-Replayed" not in foreign.headers


async def test_stored_answer_is_encrypted(client, owner):
    headers = {**owner.auth, KEY_HEADER: "t-1"}
    body = {"name": "Books", "scopes": ["orders:read"]}

    first = await (await client.post("/api/v1/tokens", headers=headers, json=body)).get_json()
    again = await client.post("/api/v1/tokens", headers=headers, json=body)

    assert await again.get_json() == first
    assert again.headers["Idempotent-Replayed"] == "true"
    stored = await sql.fetch_value("SELECT answer FROM core_stored_answer WHERE owner_id = $1", owner.id)
    assert stored.startswith("enc1.")
    secrets = [text for text in first.values() if isinstance(text, str) and text.startswith("own_")]
    assert len(secrets) == 1
    assert secrets[0] not in stored


async def count_events(owner):
    return await sql.fetch_value("SELECT count(*) FROM core_outbox WHERE owner_id = $1", owner.id)
