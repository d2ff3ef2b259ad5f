"""Arguments of the tools."""

from comanda.contracts import McpServer

from ..conftest import STAY_ARGUMENTS, day

SERVERS = {
    "admin": McpServer("admin", "/test/admin", "Admin", "x", callers=("owner",)),
    "storefront": McpServer("storefront", "/test/storefront", "Storefront", "x", ("storefront",), scope="agent"),
    "customer": McpServer("customer", "/test/customer", "Customer", "x", callers=("customer",)),
}


async def test_every_argument_has_a_description(agent):
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


INVALID_ARGUMENTS = [
    ({"check_in": day(-1)}, "check_in"), ({"check_out": day(0)}, "check_out"),
    ({"check_out": day(31)}, "check_out"),
    ({"check_in": "soon"}, "check_in"), ({"adults": 0}, "adults"), ({"rooms": 2}, "rooms"),
    ({"room_type": "Tent"}, "room_type"),
]  # fmt: skip


async def test_invalid_arguments_are_explained(agent, hotel, subtests):
    await hotel.room_type(rooms=1)

    for change, field in INVALID_ARGUMENTS:
        with subtests.test(change=change, field=field):
            refused = await (await agent()).refused(
                "hotel_availability", {**STAY_ARGUMENTS, "restaurant_id": hotel.id, **change}
            )

            assert (refused["code"], list(refused["errors"])) == ("validation_failed", [field])
