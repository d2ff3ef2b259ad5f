"""Validation of routes."""

import pytest


@pytest.mark.parametrize(
    "body", [{}, {"station_id": "x"}, {"station_id": 0}, {"station_id": 2**60}, {"station_id": True}]
)
async def test_invalid_route_is_refused(kitchen, body):
    reply = await kitchen.send("PUT", f"/station-routes/items/{kitchen.soup['id']}", body)

    assert list(reply.errors) == ["station_id"]
