"""Features of plans on routes and tools, in every process at once, and at the price of one lookup."""

import asyncio
import os
import sys
from asyncio.subprocess import PIPE

import pytest
from comanda.platform.db import sql
from comanda_entitlements import api

CRM_TOOLS = {"list_customers", "get_customer"}


@pytest.fixture
def agent(mcp, owner):
    return mcp("/mcp", owner.auth)


@pytest.fixture
def lookups(statements):
    """Return a function that returns the statements about entitlements since its last call."""

    def take():
        found = [text for text in statements if "entitlements_" in text]
        statements.clear()
        return found

    return take


async def test_owner_without_a_plan_has_all_admin_tools(agent):
    tools = set(await agent.tools())

    assert tools >= CRM_TOOLS
    assert len(tools) == 23


async def test_tools_of_a_missing_feature_are_hidden_and_refused(agent, owner, store, plan):
    await plan()

    assert len(await agent.tools()) == 21
    assert not CRM_TOOLS & set(await agent.tools())
    for name, arguments in (("list_customers", {}), ("get_customer", {"customer_id": 1})):
        error = await agent.error(name, {"restaurant_id": store.id, **arguments})
        assert error["code"] == -32003
        assert error["data"] == {"code": "forbidden", "reason": "not_entitled", "feature": "crm_suite"}

    await api.set_source(owner.id, "add_on", "crm", {"crm_suite": None})
    assert set(await agent.tools()) >= CRM_TOOLS
    assert await agent.call("list_customers", {"restaurant_id": store.id})


async def test_customers_stay_readable_over_rest(store, plan):
    await plan()

    assert (await store.send("GET", "/customers")).status == 200


async def test_webhooks_need_the_feature(client, owner, plan):
    await plan(crm_suite=None)

    response = await client.get("/api/v1/webhook-endpoints", headers=owner.auth)

    document = await response.get_json()
    assert (response.status_code, document["reason"], document["feature"]) == (403, "not_entitled", "webhooks")


CHANGE = """
import asyncio, sys
from comanda.composition.app import open_runtime
from comanda.composition.bootstrap import start_runtime
from comanda.platform.settings import Settings, read_settings
from comanda_entitlements import api

async def main():
    made = start_runtime(read_settings(Settings, development=True))
    async with open_runtime(made, with_background=False):
        for line in sys.stdin:
            await api.set_source(int(sys.argv[1]), "plan", "pro", dict.fromkeys(line.split()))
            print("done", flush=True)

asyncio.run(main())
"""


async def test_revocation_of_another_process_holds_at_once(agent, settings, owner, store, plan):
    await plan(crm_suite=None)
    environment = {**os.environ, "DATABASE_URL": settings.database_url, "COMANDA_DATA": str(settings.data)}
    other_process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", CHANGE, str(owner.id), stdin=PIPE, stdout=PIPE, env=environment
    )
    try:
        for features in ("", "crm_suite", "webhooks", "crm_suite", ""):
            other_process.stdin.write(f"{features}\n".encode())
            assert await other_process.stdout.readline() == b"done\n"
            is_granted = features == "crm_suite"
            assert (set(await agent.tools()) >= CRM_TOOLS) is is_granted
            reply = await agent.request("tools/call", {"name": "list_customers", "arguments": {}})
            assert ("result" in reply) is is_granted
    finally:
        other_process.kill()
        await other_process.wait()


async def test_repeated_requests_take_no_lookup_until_a_change(agent, owner, store, plan, lookups):
    await agent.tools()
    assert len(lookups()) == 1

    await agent.tools()
    await agent.call("list_customers", {"restaurant_id": store.id})
    assert lookups() == []

    await plan()
    lookups()
    assert not CRM_TOOLS & set(await agent.tools())
    assert len(lookups()) == 1


async def test_change_that_is_rolled_back_is_not_seen(agent, owner, plan):
    await plan(crm_suite=None)

    async def fail():
        async with sql.transaction():
            await plan()
            assert (await api.get_effective(owner.id))["crm_suite"].is_granted is False
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await fail()

    assert set(await agent.tools()) >= CRM_TOOLS


async def test_routes_without_a_feature_take_no_lookup(store, lookups):
    await store.get()
    await store.get("/menu")
    await store.get("/orders")

    assert lookups() == []


async def test_owner_without_sources_has_no_rows(owner, store):
    await store.item()

    assert await sql.fetch_value("SELECT count(*) FROM entitlements_owner WHERE owner_id = $1", owner.id) == 0
