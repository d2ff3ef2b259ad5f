"""The MCP tools of the server ``storefront``."""

import pytest

TWELVE = {
    "get_store", "get_menu", "search_menu", "get_item", "check_availability", "track_order", "hotel_availability",
    "create_cart", "get_cart", "update_cart", "apply_coupon", "place_order",
}  # fmt: skip


async def test_server_has_twelve_tools(guest):
    assert set(await guest.tools()) == TWELVE


@pytest.mark.parametrize(
    ("scopes", "shown"),
    [
        (("agent",), {"track_order"}),
        (("agent", "order:write"), {"track_order", "place_order"}),
        (("agent", "menu:read"), TWELVE - {"place_order"}),
    ],
)
async def test_tools_require_their_scopes(guest_of, owner, store, scopes, shown):
    found = set(await (await guest_of(owner, store.id, *scopes)).tools())

    assert found - {"hotel_availability"} == shown - {"hotel_availability"}


async def test_agent_orders_from_menu_to_tracking(guest, store, published):
    item = await store.item("Tomato soup", 5)
    kinds = [mode["code"] for mode in (await guest.call("get_store"))["modes"]]
    [found] = (await guest.call("search_menu", {"query": "tomato"}))["items"]
    assert (await guest.call("check_availability", {"type": kinds[0]}))["is_available"]
    cart = await guest.call(
        "create_cart", {"type": kinds[0], "table_number": "4", "items": [{"item_id": found["id"], "quantity": 2}]}
    )

    placed = await guest.call(
        "place_order",
        {
            "cart_id": cart["cart_id"], "customer_name": "Ada", "phone": "+351 1", "note": "Hot, please",
            "idempotency_key": "3f0c", "expected_total": cart["total"],
        },
    )  # fmt: skip

    order = (await store.get(f"/orders/{placed['order']['id']}")).document
    assert (placed["cart"], placed["messages"], placed["order"]["total"]) == (None, [], 10.0)
    assert placed["order"]["continue_url"] == f"http://comanda.test/t/{order['track_token']}"
    assert [(one["item_id"], one["quantity"]) for one in order["items"]] == [(item["id"], 2)]
    assert (order["source"], order["type"], order["table_number"]) == ("mcp", "on-table", "4")
    assert (order["customer_name"], order["phone"], order["note"]) == ("Ada", "+351 1", "Hot, please")
    assert "storefront_cart" not in order
    tracked = await guest.call("track_order", {"track_token": placed["order"]["track_token"]})
    assert (tracked["status"], tracked["is_paid"]) == ("new", False)
    assert [name for name, _ in await published() if name == "order.created"] == ["order.created"]
