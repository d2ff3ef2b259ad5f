"""Nobody reaches another owner's data: asked of every route that the router has, not of a list kept by hand."""

import re
from dataclasses import replace

import pytest
from comanda import plugins, registry
from comanda.accounts import scopes, services
from comanda.accounts.kinds import CallerKind
from comanda.app import create_app
from comanda.db import sql
from comanda.http.routes import ANY_SCOPE, API_PREFIX
from comanda.testing.client import CheckedClient

ROUTES = [route for route in registry.gather(plugins.load()).routes if "owner" in route.callers]
WITH_PARAMETERS = [route for route in ROUTES if route.binding.path_parameters]
WITH_SCOPE = [route for route in ROUTES if route.scope != ANY_SCOPE]

NOBODYS = 987_654_321_000


async def made(response):
    body = await response.get_json()
    assert response.status_code == 201, body
    return body["id"]


class Workshop:
    """Makes real things of one owner's, through the API."""

    def __init__(self, client, owner):
        self.client, self.owner = client, owner

    async def post(self, path, body):
        return await made(await self.client.post(API_PREFIX + path, headers=self.owner.auth, json=body))

    async def store(self):
        return await self.owner.store()

    async def category(self, store_id):
        return await self.post(f"/restaurants/{store_id}/menu/categories", {"name": "Soups"})

    async def item(self, store_id):
        body = {"name": "Minestrone", "price": 7.5, "category_id": await self.category(store_id)}
        return await self.post(f"/restaurants/{store_id}/menu/items", body)

    async def variant(self, store_id, item_id):
        return await self.post(f"/restaurants/{store_id}/menu/items/{item_id}/variants", {"name": "Large", "price": 9})

    async def order(self, store_id):
        body = {"type": "takeaway", "items": [{"item_id": await self.item(store_id)}]}
        return await self.post(f"/restaurants/{store_id}/orders", body)

    async def webhook_endpoint(self):
        return await self.post("/webhook-endpoints", {"url": "https://93.184.215.14/hook", "events": ["*"]})

    async def webhook_delivery(self, endpoint_id):
        path = f"{API_PREFIX}/webhook-endpoints/{endpoint_id}/test"
        delivery = await (await self.client.post(path, headers=self.owner.auth)).get_json()
        # One that is still being tried cannot be sent again.
        await sql.execute(
            "UPDATE webhooks_delivery SET status = 'failed', finished_at = now(), next_attempt_at = NULL WHERE id = $1",
            delivery["id"],
        )
        return delivery["id"]


# What stands in each place of a path: the path up to the parameter, and how to make one, given the ids before it.
FACTORIES = {
    "/restaurants/{id}": Workshop.store,
    "/restaurants/{id}/orders/{orderId}": Workshop.order,
    "/restaurants/{id}/menu/categories/{categoryId}": Workshop.category,
    "/restaurants/{id}/menu/items/{itemId}": Workshop.item,
    "/restaurants/{id}/menu/items/{itemId}/variants/{variantId}": Workshop.variant,
    "/webhook-endpoints/{id}": Workshop.webhook_endpoint,
    "/webhook-endpoints/{id}/deliveries/{deliveryId}": Workshop.webhook_delivery,
}

# Bodies that would change something, by the name of their model; ids in them are made for each call.
BODIES = {
    "CategoryBody": {"name": "Stolen"},
    "CategoryChange": {"name": "Stolen"},
    "ItemBody": {"name": "Stolen", "price": 1, "category_id": "category"},
    "ItemChange": {"name": "Stolen", "price": 0},
    "SoldOutBody": {"is_sold_out": True},
    "VariantBody": {"name": "Stolen", "price": 1},
    "VariantChange": {"name": "Stolen"},
    "SettingsChange": {"title": "Stolen"},
    "OrderBody": {"type": "takeaway", "items": [{"item_id": "item"}]},
    "StatusBody": {"status": "cancelled"},
    "EndpointChange": {"events": ["order.created"]},
    "ReplayBody": {"since": "2020-01-01T00:00:00Z", "status": "all"},
}


def called(route):
    return f"{route.method} {route.path}"


def positions(route):
    return [route.path[: found.end()] for found in re.finditer(r"\{\w+\}", route.path)]


async def ids_of(workshop, route):
    ids = []
    for position in positions(route):
        assert position in FACTORIES, (
            f"{called(route)} has the parameter {position}: add to FACTORIES in {__file__} how to make one, "
            "so that this test can try another owner's."
        )
        ids.append(await FACTORIES[position](workshop, *ids))
    return ids


async def body_of(workshop, route, store_id):
    """Make a body that is right in every way, so that nothing but the owner stands in its way."""
    if route.binding.body is None:
        return None
    body = dict(BODIES.get(route.binding.body.__name__, {}))
    if body.get("category_id"):
        body["category_id"] = await workshop.category(store_id)
    if body.get("items"):
        body["items"] = [{"item_id": await workshop.item(store_id)}]
    return body


def filled(route, ids):
    numbers = iter(ids)
    return API_PREFIX + re.sub(r"\{\w+\}", lambda _: str(next(numbers)), route.path)


async def everything_of(owner):
    """Dump all rows of an owner's, from every table that has owners."""
    tables = await sql.fetch(
        """SELECT c.table_name AS name FROM information_schema.columns c
           WHERE c.table_schema = 'public' AND c.column_name = 'owner_id' ORDER BY 1"""
    )
    rows = {"core_owner": await sql.fetch("SELECT to_jsonb(o)::text AS row FROM core_owner o WHERE id = $1", owner.id)}
    for table in tables:
        rows[table["name"]] = await sql.fetch(
            f'SELECT to_jsonb(t)::text AS row FROM "{table["name"]}" t WHERE owner_id = $1 ORDER BY 1', owner.id
        )
    return {name: [row["row"] for row in found] for name, found in rows.items()}


async def send(client, route, ids, headers, body):
    options = {} if body is None else {"json": body}
    response = await client.open(filled(route, ids), method=route.method, headers=headers, **options)
    return response.status_code, await response.get_json()


def test_there_is_something_to_test():
    assert len(WITH_PARAMETERS) >= 15
    assert {"GET", "POST", "PUT", "PATCH", "DELETE"} <= {route.method for route in WITH_PARAMETERS}


@pytest.mark.parametrize("route", WITH_PARAMETERS, ids=called)
async def test_another_owners_ids_look_missing_and_stay_as_they_are(client, owner, other_owner, route):
    theirs, mine = Workshop(client, owner), Workshop(client, other_owner)
    ids, own_ids = await ids_of(theirs, route), await ids_of(mine, route)
    body, own_body = await body_of(theirs, route, ids[0]), await body_of(mine, route, own_ids[0])
    # The first use of a token leaves its mark on it, so that is made before.
    await client.get(f"{API_PREFIX}/me", headers=other_owner.auth)
    before = await everything_of(owner)
    mine_before = await everything_of(other_owner)

    # Every mixture of own ids in front and foreign ones behind, and foreign ones in front of own: none may pass.
    mixtures = {(*own_ids[:place], *ids[place:]) for place in range(len(ids))}
    mixtures |= {(*ids[:place], *own_ids[place:]) for place in range(1, len(ids))}
    for mixture in sorted(mixtures):
        for sent in [body] if body == own_body else [body, own_body]:
            status, answer = await send(client, route, mixture, other_owner.auth, sent)
            assert (status, answer["code"]) == (404, "not_found"), (mixture, answer)

    assert await everything_of(owner) == before
    assert await everything_of(other_owner) == mine_before
    # The same request of their owner's own goes through: so it was the owner that the refusals were about.
    status, answer = await send(client, route, ids, owner.auth, body)
    assert 200 <= status < 300, answer


@pytest.mark.parametrize("route", WITH_PARAMETERS, ids=called)
async def test_an_id_that_nobody_has_looks_as_another_owners_does(client, owner, other_owner, route):
    ids = await ids_of(Workshop(client, owner), route)
    body = await body_of(Workshop(client, owner), route, ids[0])

    _, foreign = await send(client, route, ids, other_owner.auth, body)
    _, missing = await send(client, route, [NOBODYS] * len(ids), other_owner.auth, body)

    assert {**foreign, "request_id": None} == {**missing, "request_id": None}


@pytest.mark.parametrize("route", WITH_SCOPE, ids=called)
async def test_a_token_without_the_scope_gets_403_whether_or_not_the_id_exists(client, owner, route):
    lacking = [scope for scope in scopes.owner_scopes() if not scopes.grant([scope], route.scope)]
    auth = await owner.token_with(*lacking)
    ids = await ids_of(Workshop(client, owner), route)
    before = await everything_of(owner)

    for numbers in (ids, [NOBODYS] * len(ids), ["x"] * len(ids)):
        status, answer = await send(client, route, numbers, auth, None)
        assert (status, answer["code"], answer["required"]) == (403, "forbidden", route.scope)

    now = await everything_of(owner)
    assert {**now, "core_access_token": None} == {**before, "core_access_token": None}


@pytest.mark.parametrize("route", ROUTES, ids=called)
async def test_no_token_is_401_whether_or_not_the_id_exists(client, owner, route):
    ids = await ids_of(Workshop(client, owner), route)

    for numbers in (ids, [NOBODYS] * len(ids), ["x"] * len(ids)):
        status, answer = await send(client, route, numbers, {}, None)
        assert (status, answer["code"]) == (401, "unauthenticated")


@pytest.fixture
async def stranger(app, runtime, owner):
    """Give a client of an application that knows another kind of token, and a token of that kind that may do all."""
    kind = CallerKind("stranger", "str_")
    kinds = {**runtime.registry.caller_kinds, "stranger": kind}
    other = create_app(replace(runtime, registry=replace(runtime.registry, caller_kinds=kinds)), with_background=False)
    other.test_client_class = CheckedClient
    issued = await services.issue_token(kind, owner.id, ["*"], name="test")
    return other.test_client(), {"Authorization": f"Bearer {issued.secret}"}


@pytest.mark.parametrize("route", ROUTES, ids=called)
async def test_a_token_of_the_wrong_kind_is_401(stranger, route):
    client, auth = stranger

    status, answer = await send(client, route, [NOBODYS] * len(positions(route)), auth, None)

    assert (status, answer["code"]) == (401, "unauthenticated")
