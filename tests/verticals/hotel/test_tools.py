"""What agents are told: an owner's in any of their hotels, a guest's in one, a customer's of their own stays."""

import types

import pytest
from comanda import hookimpl, plugin_loader, registry
from comanda import runtime as runtime_module
from comanda.accounts import services as accounts
from comanda.app import create_app
from comanda.contracts.mcp import McpServer
from comanda.contracts.registry import Plugin
from comanda.devkit.testing.client import CheckedClient
from comanda.devkit.testing.mcp import McpClient
from comanda.runtime import Runtime

from .conftest import day

SERVERS = {
    "admin": McpServer("admin", "/test/admin", "Admin", "x", callers=("owner",)),
    "storefront": McpServer("storefront", "/test/storefront", "Storefront", "x", ("storefront",), scope="agent"),
    "customer": McpServer("customer", "/test/customer", "Customer", "x", callers=("customer",)),
}


@pytest.fixture(scope="session")
def served_registry():
    """What is installed, with servers that have no tools but plugins' own."""
    module = types.ModuleType("comanda_agents.plugin")
    module.register_mcp_servers = hookimpl(lambda: list(SERVERS.values()))
    installed = [plugin for plugin in plugin_loader.load() if not plugin.name.startswith("mcp_")]
    return registry.gather([*installed, Plugin("agents", "comanda-agents", "1.0", module)])


@pytest.fixture
def served(app, runtime, settings, served_registry):
    made = Runtime(settings, served_registry)
    runtime_module.use(made)
    other = create_app(made, with_background=False)
    other.test_client_class = CheckedClient
    yield other.test_client()
    runtime_module.use(runtime)


@pytest.fixture
def agent(served, owner, hotel):
    """Make an agent with a token of a kind; of the owner's own where no kind is named."""

    async def make(kind=None, scopes=("agent", "menu:read"), store_id=hotel.id, subject_id=None):
        if kind is None:
            return McpClient(served, SERVERS["admin"].path, owner.auth)
        known = runtime_module.registry().caller_kinds[kind]
        issued = await accounts.issue_token(
            known, owner.id, scopes, name="test", store_id=store_id, subject_id=subject_id
        )
        value = f"Bearer {issued.secret}" if known.header == "authorization" else issued.secret
        return McpClient(served, SERVERS[kind].path, {known.header: value})

    return make


ASKED = {"check_in": day(0), "check_out": day(2), "adults": 2}


async def test_an_owners_agent_is_told_what_the_route_tells(agent, hotel):
    double = await hotel.room_type(rooms=2)
    await hotel.room_type("Suite", 1, first=201)
    await hotel.stay(double, 1)
    office = await agent()

    told = await office.call("hotel_availability", {**ASKED, "restaurant_id": hotel.id})
    narrowed = await office.call("hotel_availability", {**ASKED, "room_type": "double"})

    assert told == (await hotel.get(f"/availability?check_in={day(0)}&check_out={day(2)}&adults=2")).document
    assert [one["available"] for one in told["room_types"]] == [1, 1]
    assert narrowed["room_types"] == told["room_types"][:1]


async def test_every_argument_is_described(agent):
    tools = [(await (await agent()).tools())["hotel_availability"]]
    tools.append((await (await agent("storefront")).tools())["hotel_availability"])
    tools.append((await (await agent("customer", subject_id=1)).tools())["my_bookings"])

    assert [sorted(tool["inputSchema"]["properties"]) for tool in tools] == [
        ["adults", "check_in", "check_out", "children", "restaurant_id", "room_type"],
        ["adults", "check_in", "check_out", "children"],
        ["limit"],
    ]
    for tool in tools:
        assert all(field["description"] for field in tool["inputSchema"]["properties"].values())
        assert tool["annotations"]["readOnlyHint"] is True
        assert "$ref" not in str(tool["inputSchema"])


async def test_a_store_without_rooms_is_not_applicable(agent, owner, hotel):
    shop = await owner.store("restaurant")
    office = await agent()
    guest = await agent("storefront", store_id=shop)

    assert (await office.refused("hotel_availability", {**ASKED, "restaurant_id": shop}))["code"] == "not_applicable"
    assert (await guest.refused("hotel_availability", ASKED))["code"] == "not_applicable"


async def test_an_owner_of_one_shop_and_no_hotel_is_told_so(served, other_owner):
    office = McpClient(served, SERVERS["admin"].path, other_owner.auth)
    assert (await office.refused("hotel_availability", ASKED))["code"] == "not_applicable"

    await other_owner.store("restaurant")

    assert (await office.refused("hotel_availability", ASKED))["code"] == "not_applicable"


async def test_the_hotel_may_be_left_out_only_while_there_is_one(agent, owner, hotel):
    await owner.store("restaurant")
    office = await agent()
    assert (await office.call("hotel_availability", ASKED))["restaurant_id"] == hotel.id

    second = await owner.store("hotel", title="Second")

    refused = await office.refused("hotel_availability", ASKED)
    assert refused["code"] == "validation_failed"
    assert list(refused["errors"]) == ["restaurant_id"]
    assert [choice["restaurant_id"] for choice in refused["choices"]] == [hotel.id, second]


async def test_another_owners_hotel_is_not_there(agent, other_owner):
    theirs = await other_owner.store("hotel")

    refused = await (await agent()).refused("hotel_availability", {**ASKED, "restaurant_id": theirs})

    assert refused["code"] == "not_found"


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"check_in": day(-1)}, "check_in"), ({"check_out": day(0)}, "check_out"),
        ({"check_out": day(31)}, "check_out"),
        ({"check_in": "soon"}, "check_in"), ({"adults": 0}, "adults"), ({"rooms": 2}, "rooms"),
        ({"room_type": "Tent"}, "room_type"),
    ],
)  # fmt: skip
async def test_a_question_that_makes_no_sense_is_explained(agent, hotel, change, field):
    await hotel.room_type(rooms=1)

    refused = await (await agent()).refused("hotel_availability", {**ASKED, "restaurant_id": hotel.id, **change})

    assert (refused["code"], list(refused["errors"])) == ("validation_failed", [field])


async def test_a_guests_agent_sees_the_hotel_of_its_token_and_takes_no_other(agent, owner, hotel):
    await hotel.room_type(rooms=1)
    other = await owner.store("hotel")
    guest = await agent("storefront")

    assert (await guest.call("hotel_availability", ASKED))["restaurant_id"] == hotel.id
    refused = await guest.refused("hotel_availability", {**ASKED, "restaurant_id": other})
    assert list(refused["errors"]) == ["restaurant_id"]
    without = await agent("storefront", scopes=("agent",))
    assert "hotel_availability" not in await without.tools()


async def customer_of(hotel, name):
    return (await hotel.send("POST", "/customers", {"name": name, "email": f"{name}@example.com"}))["id"]


async def test_a_customer_sees_their_own_stays_in_their_own_hotel_alone(agent, client, owner, hotel):
    double = await hotel.room_type(rooms=5)
    ada, bea = [await customer_of(hotel, name) for name in ("ada", "bea")]
    early = await hotel.stay(double, 1, 2, customer_id=ada, note="Tips badly.", room_id=double["rooms"][0]["id"])
    late = await hotel.stay(double, 4, customer_id=ada, status="optional")
    await hotel.stay(double, 1, customer_id=bea)
    await hotel.stay(double, 1)
    branch = type(hotel)(client, owner, await owner.store("hotel", timezone="Europe/Lisbon"))
    await branch.stay(await branch.room_type(rooms=1), 1, customer_id=await customer_of(branch, "ada"))
    customer = await agent("customer", subject_id=ada)

    told = (await customer.call("my_bookings"))["bookings"]

    assert [stay["id"] for stay in told] == [late["id"], early["id"]]
    assert told[1] == {
        "id": early["id"], "status": "confirmed", "room_type": "Double", "room_number": "101",
        "guest_name": "Ada Costa", "adults": 1, "children": 0, "check_in": day(1), "check_out": day(3), "nights": 2,
        "nightly": early["nightly"], "total": 160.0, "currency": "EUR", "expires_at": None,
    }  # fmt: skip
    assert (await customer.call("my_bookings", {"limit": 1}))["bookings"] == told[:1]
    assert (await customer.refused("my_bookings", {"customer_id": bea}))["code"] == "validation_failed"


async def test_a_customer_of_a_store_without_rooms_has_no_bookings(agent, owner, hotel):
    customer = await agent("customer", store_id=await owner.store("restaurant"), subject_id=71)

    assert await customer.call("my_bookings") == {"bookings": []}
