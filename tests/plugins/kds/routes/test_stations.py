"""Stations of other stores, over HTTP."""

import pytest


async def test_station_of_another_store_looks_missing(kitchen, cook, foreign_cook):
    theirs = await foreign_cook.store.add_station("Grill")

    assert (await cook.send("GET", f"?station_id={theirs}")).status == 404
    refused = await kitchen.send("PUT", f"/station-routes/items/{kitchen.soup['id']}", {"station_id": theirs})
    assert refused.errors == {"station_id": ["The store has no such station."]}
    assert (await kitchen.get("/station-routes"))["total"] == 0


@pytest.mark.parametrize(
    "body", [{}, {"station_id": "x"}, {"station_id": 0}, {"station_id": 2**60}, {"station_id": True}]
)
async def test_invalid_route_is_refused(kitchen, body):
    reply = await kitchen.send("PUT", f"/station-routes/items/{kitchen.soup['id']}", body)

    assert list(reply.errors) == ["station_id"]
