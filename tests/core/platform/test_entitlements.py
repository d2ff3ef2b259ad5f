"""Features that an owner's plan lacks are refused on routes and tools, and cost nothing where nobody asks."""

import pytest
from comanda.basics.errors import Forbidden, ValidationFailed
from comanda.composition import plugin_loader, registry
from comanda.contracts.entitlements import Entitlement, EntitlementProvider, Feature
from comanda.contracts.requests.mcp import Arguments, McpServer, Tool
from comanda.contracts.requests.routes import Routes
from comanda.devkit.testing.mcp import McpClient
from comanda.platform import entitlements
from comanda.platform.db import sql
from fake_plugins import fake_plugin, serving
from pydantic import BaseModel

GREENHOUSE = Feature("greenhouse", "Greenhouse", quota_unit="beds")
PLANS = {}
ASKED = []
CALLED = []


class Answer(BaseModel):
    """How it went."""

    done: bool


async def find_entitlement(owner_id, feature):
    ASKED.append((owner_id, feature))
    return PLANS.get((owner_id, feature), Entitlement())


def garden():
    """A group of routes, of which one needs no feature, and a tool."""
    free, paid = Routes("Garden"), Routes("Garden", feature="greenhouse")

    async def show() -> Answer:
        """Show the garden."""
        CALLED.append("free")
        return Answer(done=True)

    async def heat() -> Answer:
        """Heat the greenhouse."""
        CALLED.append("paid")
        return Answer(done=True)

    async def water(call, arguments):
        CALLED.append("tool")
        return Answer(done=True)

    free.get("/garden", scope="restaurants:read")(show)
    paid.get("/greenhouse", scope="restaurants:read")(heat)
    tools = [
        Tool(name, name.title(), "Water it.", ("patch",), Arguments, Answer, water, is_read_only=True, feature=feature)
        for name, feature in (("water_garden", None), ("water_greenhouse", "greenhouse"))
    ]
    return fake_plugin(
        "garden",
        register_entitlements=[GREENHOUSE],
        register_routes=[free, paid],
        register_mcp_servers=[McpServer("patch", "/patch", "Patch", "Water it.", callers=("owner",))],
        register_mcp_tools=tools,
    )


PROVIDER = fake_plugin("plans", register_entitlements=[EntitlementProvider(find_entitlement)])
# The installed plugin that provides entitlements, and those that require it.
PLATFORM = {"entitlements", "marketplace", "reseller"}


def registry_without_plans(*plugins):
    """Return the registry of the installed plugins, but for the provider of entitlements, and these."""
    return registry.gather([*(plugin for plugin in plugin_loader.load() if plugin.name not in PLATFORM), *plugins])


@pytest.fixture(autouse=True)
def fresh():
    for kept in (PLANS, ASKED, CALLED):
        kept.clear()


@pytest.fixture(scope="module")
def with_provider():
    return registry_without_plans(garden(), PROVIDER)


@pytest.fixture
def client(runtime, with_provider):
    with serving(runtime, with_provider) as made:
        yield made


@pytest.fixture(scope="module")
def without_provider():
    return registry_without_plans(garden())


@pytest.fixture
def client_without_provider(runtime, without_provider):
    with serving(runtime, without_provider) as made:
        yield made


async def test_owner_without_the_feature_gets_403(client, owner):
    PLANS[owner.id, "greenhouse"] = Entitlement(is_granted=False)

    response = await client.get("/api/v1/greenhouse", headers=owner.auth)

    document = await response.get_json()
    assert response.status_code == 403
    assert (document["code"], document["reason"], document["feature"]) == ("forbidden", "not_entitled", "greenhouse")
    assert document["message"] == "Your plan does not include this feature: Greenhouse."
    assert CALLED == []


async def test_owner_with_the_feature_is_served(client, owner):
    response = await client.get("/api/v1/greenhouse", headers=owner.auth)

    assert (response.status_code, CALLED) == (200, ["paid"])
    assert [(owner.id, "greenhouse")] == ASKED


async def test_route_without_a_feature_asks_nobody(client, owner):
    response = await client.get("/api/v1/garden", headers=owner.auth)

    assert (response.status_code, CALLED, ASKED) == (200, ["free"], [])


async def test_token_without_the_scope_is_refused_before(client, owner):
    response = await client.get("/api/v1/greenhouse", headers=await owner.token_with("orders:read"))

    assert (await response.get_json())["required"] == "restaurants:read"
    assert ASKED == []


async def test_without_a_provider_everything_is_included(client_without_provider, owner):
    response = await client_without_provider.get("/api/v1/greenhouse", headers=owner.auth)

    assert (response.status_code, CALLED, ASKED) == (200, ["paid"], [])
    assert await entitlements.require_feature(owner.id, "greenhouse") == Entitlement(is_granted=True, quota=None)


async def test_tool_of_a_missing_feature_is_hidden_and_refused(client, owner):
    agent = McpClient(client, "/patch", owner.auth)
    assert set(await agent.tools()) == {"water_garden", "water_greenhouse"}
    PLANS[owner.id, "greenhouse"] = Entitlement(is_granted=False)

    assert set(await agent.tools()) == {"water_garden"}
    error = await agent.error("water_greenhouse", {})

    assert error["code"] == -32003
    assert error["data"] == {"code": "forbidden", "reason": "not_entitled", "feature": "greenhouse"}
    assert CALLED == []


async def test_quota_of_webhook_endpoints(client, owner):
    PLANS[owner.id, "webhooks"] = Entitlement(quota=1)
    body = {"url": "https://93.184.216.34/hook", "events": ["order.created"]}

    first = await client.post("/api/v1/webhook-endpoints", json=body, headers=owner.auth)
    second = await client.post("/api/v1/webhook-endpoints", json=body, headers=owner.auth)

    assert (first.status_code, second.status_code) == (201, 409)
    assert (await second.get_json())["limits"] == {"webhook_endpoints": 1}
    found = await sql.fetch_value("SELECT count(*) FROM webhooks_endpoint WHERE owner_id = $1", owner.id)
    assert found == 1


async def test_quota_of_a_feature_that_is_not_counted_is_not_refused(client, owner):
    PLANS[owner.id, "greenhouse"] = Entitlement(quota=0)

    async with sql.transaction():
        await entitlements.require_quota(owner.id, "greenhouse")

    assert [(owner.id, "greenhouse")] == ASKED


async def test_quota_is_checked_in_a_transaction(client, owner):
    PLANS[owner.id, "stores"] = Entitlement(quota=9)

    with pytest.raises(RuntimeError):
        await entitlements.require_quota(owner.id, "stores")


async def test_limits_hold_with_any_provider_and_none(client, owner):
    PLANS[owner.id, "stores"] = Entitlement(quota=1)
    await owner.store()

    with pytest.raises(ValidationFailed) as refused:
        await owner.store()

    assert refused.value.extras == {
        "reason": "quota_reached",
        "limits": {"feature": "stores", "limit": 1, "used": 1},
    }


@pytest.mark.usefixtures("client_without_provider")
async def test_nothing_is_limited_without_a_provider(owner):
    PLANS[owner.id, "stores"] = Entitlement(quota=0)

    assert await owner.store()
    assert ASKED == []


@pytest.mark.usefixtures("client")
async def test_services_require_features_too(owner):
    PLANS[owner.id, "greenhouse"] = Entitlement(is_granted=False)

    with pytest.raises(Forbidden) as refused:
        await entitlements.require_feature(owner.id, "greenhouse")

    assert refused.value.extras["reason"] == "not_entitled"
