"""MCP tools of hotels."""

from comanda.contracts import McpServer
from comanda.devkit.testing import McpClient

from .conftest import STAY_ARGUMENTS, day

SERVERS = {
    "admin": McpServer("admin", "/test/admin", "Admin", "x", callers=("owner",)),
    "storefront": McpServer("storefront", "/test/storefront", "Storefront", "x", ("storefront",), scope="agent"),
    "customer": McpServer("customer", "/test/customer", "Customer", "x", callers=("customer",)),
}


async def test_owner_agent_gets_the_routes_answer(agent, hotel):
    double = await hotel.room_type(rooms=2)
    await hotel.room_type("Suite", 1, first=201)
    await hotel.stay(double, 1)
    office = await agent()

    told = await office.call("hotel_availability", {**STAY_ARGUMENTS, "restaurant_id": hotel.id})
    narrowed = await office.call("hotel_availability", {**STAY_ARGUMENTS, "room_type": "double"})

    assert told == (await hotel.get(f"/availability?check_in={day(0)}&check_out={day(2)}&adults=2")).document
    assert [one["available"] for one in told["room_types"]] == [1, 1]
    assert narrowed["room_types"] == told["room_types"][:1]


async def test_store_without_rooms_is_not_applicable(agent, owner, hotel):
    shop = await owner.store("restaurant")
    office = await agent()
    guest = await agent("storefront", store_id=shop)

    assert (await office.refused("hotel_availability", {**STAY_ARGUMENTS, "restaurant_id": shop}))[
        "code"
    ] == "not_applicable"
    assert (await guest.refused("hotel_availability", STAY_ARGUMENTS))["code"] == "not_applicable"


async def test_owner_without_hotel_is_refused(served, other_owner):
    office = McpClient(served, SERVERS["admin"].path, other_owner.auth)
    assert (await office.refused("hotel_availability", STAY_ARGUMENTS))["code"] == "not_applicable"

    await other_owner.store("restaurant")

    assert (await office.refused("hotel_availability", STAY_ARGUMENTS))["code"] == "not_applicable"


async def test_hotel_is_optional_while_there_is_only_one(agent, owner, hotel):
    await owner.store("restaurant")
    office = await agent()
    assert (await office.call("hotel_availability", STAY_ARGUMENTS))["restaurant_id"] == hotel.id

    second = await owner.store("hotel", title="Second")

    refused = await office.refused("hotel_availability", STAY_ARGUMENTS)
    assert refused["code"] == "validation_failed"
    assert list(refused["errors"]) == ["restaurant_id"]
    assert [choice["restaurant_id"] for choice in refused["choices"]] == [hotel.id, second]


async def test_hotel_of_another_owner_is_not_found(agent, other_owner):
    theirs = await other_owner.store("hotel")

    refused = await (await agent()).refused("hotel_availability", {**STAY_ARGUMENTS, "restaurant_id": theirs})

    assert refused["code"] == "not_found"


async def test_guest_agent_only_sees_the_tokens_hotel(agent, owner, hotel):
    await hotel.room_type(rooms=1)
    other = await owner.store("hotel")
    guest = await agent("storefront")

    assert (await guest.call("hotel_availability", STAY_ARGUMENTS))["restaurant_id"] == hotel.id
    refused = await guest.refused("hotel_availability", {**STAY_ARGUMENTS, "restaurant_id": other})
    assert list(refused["errors"]) == ["restaurant_id"]
    without = await agent("storefront", scopes=("agent",))
    assert "hotel_availability" not in await without.tools()


async def customer_of(hotel, name):
    return (await hotel.send("POST", "/customers", {"name": name, "email": f"{name}@example.com"}))["id"]


async def test_customer_only_sees_own_stays(agent, client, owner, hotel):
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


async def test_customer_of_other_store_has_no_bookings(agent, owner, hotel):
    customer = await agent("customer", store_id=await owner.store("restaurant"), subject_id=71)

    assert await customer.call("my_bookings") == {"bookings": []}
