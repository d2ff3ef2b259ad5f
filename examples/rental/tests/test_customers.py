"""Customers: what they have hired, and their erasure."""

import pytest
from comanda.contracts import Person
from comanda.devkit.testing import line
from comanda.platform.db import sql
from comanda_rental.erasure import ERASER
from comanda_rental.models import Booking

ADA = {"name": "Ada", "email": "ada@example.com", "password": "a long pass phrase"}


@pytest.fixture
async def ada(shop, client):
    """A customer of the shop who has hired a drill."""
    assert (await shop.send("PUT", "/settings", {"is_published": True})).status == 200
    response = await client.post(f"/api/v1/restaurants/{shop.id}/customer/register", json=ADA)
    registered = await response.get_json()
    assert response.status_code == 201, registered
    headers = {"Authorization": f"Bearer {registered['token']}"}
    body = {"items": [line(shop.drill)], **shop.days()}
    placed = await client.post("/api/v1/customer/orders", json=body, headers=headers)
    assert placed.status_code == 201, await placed.get_json()
    return registered["customer"]["id"], headers


async def list_own(client, headers):
    response = await client.get("/api/v1/customer/rental/bookings", headers=headers)
    assert response.status_code == 200
    return [(each["tool_name"], each["pieces"]) for each in (await response.get_json())["data"]]


async def test_customers_see_only_their_own_bookings(shop, ada, client):
    await shop.hire()

    assert await list_own(client, ada[1]) == [("Drill", [1])]


async def test_erased_customers_leave_bookings_without_them(shop, ada):
    person = Person(shop.owner.id, shop.id, ada[0], frozenset(), frozenset(), frozenset())

    async with sql.transaction():
        await ERASER.erase(person)

    [booking] = await Booking.filter(owner_id=shop.owner.id)
    assert (booking.customer_id, booking.pieces) == (None, [1])
