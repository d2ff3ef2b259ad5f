"""Personal data in deliveries, within the scopes of the endpoint."""

import orjson
import pytest
from comanda.platform.db import sql

ADA = {"id": 41, "restaurant_id": 7, "name": "Ada Almeida", "email": "ada@mail.example", "phone": "+351912555001"}


HIDDEN = {**ADA, "name": None, "email": None, "phone": None}


DRIVER = {"order_id": 7, "restaurant_id": 7, "driver": {"id": 3, "name": "Rui", "phone": "+351912555002"}}


ENDPOINTS = "/api/v1/webhook-endpoints"


@pytest.fixture
def register(create_endpoint, owner, inbox):
    """Register the receiver with a token that has ``webhooks:write`` and these scopes."""

    async def create(*scopes):
        return await create_endpoint(inbox.url, ["*"], auth=await owner.token_with("webhooks:write", *scopes))

    return create


@pytest.fixture
def received(inbox):
    def read():
        return [orjson.loads(one.body)["data"] for one in inbox.received]

    return read


async def test_ids_and_facts_are_delivered_without_scope(register, emit_events, sender, received, get_deliveries):
    endpoint = await register("orders:read")
    await emit_events("customer.created", **ADA)
    await emit_events("order.driver_assigned", **DRIVER)
    await emit_events("order.created", order_id=7, total="9.50")

    await sender.process_all_due()

    assert endpoint["scopes"] == ["orders:read", "webhooks:write"]
    assert sorted(received(), key=str) == sorted(
        [HIDDEN, {**DRIVER, "driver": {"id": 3, "name": None, "phone": None}}, {"order_id": 7, "total": "9.50"}],
        key=str,
    )
    assert "Ada" not in str([row["body"] for row in await get_deliveries(endpoint)])


@pytest.mark.parametrize("scope", ["customers:read", "customers:write", "read"])
async def test_personal_data_is_delivered_with_scope(register, emit_events, sender, received, scope):
    await register(scope)
    await emit_events("customer.created", **ADA)

    await sender.process_all_due()

    assert received() == [ADA]


async def test_two_endpoints_get_bodies_for_their_scopes(create_endpoint, register, emit_events, get_deliveries):
    whole = await create_endpoint("https://hooks.example.com/whole")
    part = await register()
    await emit_events("customer.created", **ADA)

    bodies = [orjson.loads(row["body"])["data"] for one in (whole, part) for row in await get_deliveries(one)]

    assert bodies == [ADA, HIDDEN]


async def test_signature_covers_the_redacted_body(register, emit_events, sender, inbox):
    endpoint = await register()
    await emit_events("customer.created", **ADA)

    await sender.process_all_due()

    assert inbox.received[0].verify(endpoint["secret"])["data"] == HIDDEN


async def test_new_url_takes_scopes_of_caller(client, owner, create_endpoint, emit_events, sender, inbox, received):
    """Pending deliveries and redeliveries go to the new URL without personal data too."""
    inbox.status = 500
    endpoint = await create_endpoint(inbox.url)
    await emit_events("customer.created", **ADA)
    await sender.process_all_due()
    inbox.status = 200
    weak = await owner.token_with("webhooks:write")
    path = f"{ENDPOINTS}/{endpoint['id']}"

    changed = await client.patch(path, json={"url": inbox.url + "/stolen"}, headers=weak)
    [delivery] = (await (await client.get(f"{path}/deliveries", headers=weak)).get_json())["data"]
    await client.post(f"{path}/deliveries/{delivery['id']}/redeliver", headers=weak)
    await emit_events("customer.created", **ADA)
    await sender.process_all_due()

    assert (await changed.get_json())["scopes"] == ["webhooks:write"]
    assert received() == [ADA, HIDDEN, HIDDEN]


async def test_weaker_token_never_widens_scopes(client, owner, create_endpoint, register):
    full, part = await create_endpoint("https://hooks.example.com/full"), await register("orders:read")
    weak = await owner.token_with("webhooks:write", "drivers:read")

    async def change(endpoint, body, auth):
        answer = await client.patch(f"{ENDPOINTS}/{endpoint['id']}", json=body, headers=auth)
        return (await answer.get_json())["scopes"]

    assert await change(full, {"paused": True}, weak) == ["*"]
    assert await change(full, {"events": ["*"], "url": full["url"]}, weak) == ["*"]
    assert await change(full, {"events": ["customer.*"]}, weak) == ["drivers:read", "webhooks:write"]
    assert await change(full, {"events": ["*"]}, owner.auth) == ["drivers:read", "webhooks:write"]
    assert await change(part, {"events": ["customer.*"]}, weak) == ["webhooks:read", "webhooks:write"]
    assert await change(part, {"url": "https://hooks.example.com/mine"}, owner.auth) == ["*"]


async def test_ping_and_rotation_keep_scopes(client, owner, register):
    endpoint = await register("orders:read")

    for action in ("test", "rotate-secret"):
        await client.post(f"{ENDPOINTS}/{endpoint['id']}/{action}", headers=owner.auth)

    shown = await (await client.get(f"{ENDPOINTS}/{endpoint['id']}", headers=owner.auth)).get_json()
    assert shown["scopes"] == ["orders:read", "webhooks:write"]


async def test_log_is_redacted_to_scopes_of_reader(
    client, owner, create_endpoint, emit_events, sender, get_deliveries, inbox
):
    endpoint = await create_endpoint(inbox.url)
    await emit_events("customer.created", **ADA)
    await sender.process_all_due()
    [row] = await get_deliveries(endpoint)
    await sql.execute("UPDATE webhooks_attempt SET response_snippet = 'Hello Ada' WHERE delivery_id = $1", row["id"])
    path = f"{ENDPOINTS}/{endpoint['id']}/deliveries/{row['id']}"

    whole = await (await client.get(path, headers=owner.auth)).get_json()
    part = await (await client.get(path, headers=await owner.token_with("webhooks:read"))).get_json()

    assert (whole["payload"]["data"], whole["attempts"][0]["response_snippet"]) == (ADA, "Hello Ada")
    assert (part["payload"]["data"], part["attempts"][0]["response_snippet"]) == (HIDDEN, "")
