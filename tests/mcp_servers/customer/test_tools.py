"""Tools for customers."""

import pytest


async def test_order_has_no_internal_fields(agent, customer, order_of):
    order = await order_of(customer.id, note="No salt", client_uuid="device-1", source="app")

    shown = await agent.call("order_detail", {"order_id": order["id"]})

    hidden = {"customer_id", "client_uuid", "source", "restaurant_id"}
    assert shown == {name: value for name, value in order.items() if name not in hidden}
    assert (shown["note"], shown["items"][0]["quantity"], shown["driver"]) == ("No salt", 2, None)


async def test_order_is_tracked_by_id_or_token(agent, customer, order_of):
    order = await order_of(customer.id)

    by_id = await agent.call("track_order", {"order_id": order["id"]})
    by_token = await agent.call("track_order", {"track_token": order["track_token"]})

    assert by_id == by_token
    assert (by_id["id"], by_id["status"], by_id["total"]) == (order["id"], "new", 10.0)


@pytest.mark.parametrize("arguments", [{}, {"order_id": 1, "track_token": "x"}])
async def test_tracking_requires_id_or_token(agent, arguments):
    assert list((await agent.refused("track_order", arguments))["errors"]) == ["order_id"]
