"""Room-service orders and the stays that they belong to."""

import pytest
from comanda.devkit.testing import line
from comanda.platform.db import sql
from comanda_customers.models import Customer
from comanda_customers.services.sign_in.tokens import issue_token


async def orders_of(owner):
    return await sql.fetch_value("SELECT count(*) FROM core_order WHERE owner_id = $1", owner.id)


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({}, "Room number is required for room service orders."),
        ({"room_number": ""}, "Room number is required for room service orders."),
        ({"room_number": "102"}, "No guest is checked in to room 102."),
        ({"room_number": "999"}, "No guest is checked in to room 999."),
    ],
)
async def test_order_without_occupied_room_is_refused(hotel, soup, stay, owner, fields, sentence):
    reply = await hotel.place(line(soup), type="room_service", **fields)

    assert reply.errors == {"room_number": [sentence]}
    assert await orders_of(owner) == 0


@pytest.mark.parametrize(
    ("room", "name", "status"),
    [("101", "Ada Costa", 201), ("101", "COSTA", 201), ("101", "Eve", 422), ("101", "a", 422), ("102", "Costa", 422)],
)
async def test_public_page_asks_for_a_name_of_the_room(hotel, soup, stay, owner, client, room, name, status):
    slug = await sql.fetch_value("SELECT slug FROM core_store WHERE id = $1", hotel.id)
    body = {"type": "room_service", "items": [line(soup)], "room_number": room, "customer_name": name}

    response = await client.post(f"/s/{slug}/orders", json=body, headers={"Origin": "http://comanda.test"})

    document = await response.get_json()
    assert response.status_code == status, document
    assert await orders_of(owner) == (status == 201)
    if status == 422:
        assert document["errors"] == {"room_number": ["No guest of this name is checked in to this room."]}


@pytest.mark.parametrize(
    ("name", "is_own", "status"), [("Ada Costa", False, 201), ("Eve Lima", False, 422), ("Eve Lima", True, 201)]
)
async def test_customer_orders_to_the_own_room(hotel, soup, stay, owner, client, clock, name, is_own, status):
    columns = {"name": name, "email": "a@example.com", "created_at": clock()}
    customer = await Customer.create(owner_id=owner.id, store_id=hotel.id, **columns)
    if is_own:
        assert (await hotel.change(stay, customer_id=customer.id)).status == 200
    token = await issue_token(owner.id, hotel.id, customer.id, "Phone")
    body = {"type": "room_service", "items": [line(soup)], "room_number": "101", "customer_name": "Costa"}

    response = await client.post(
        "/api/v1/customer/orders", json=body, headers={"Authorization": f"Bearer {token.secret}"}
    )

    assert response.status_code == status, await response.get_json()
    assert await orders_of(owner) == (status == 201)


async def test_only_checked_in_guests_can_order(hotel, soup, stay):
    double = {"id": stay["room_type_id"]}
    await hotel.stay(double, room_id=(await hotel.get("/rooms"))["data"][1]["id"])
    assert (await hotel.place(line(soup), type="room_service", room_number="102")).status == 422

    await hotel.must_set(stay, "checked_out")
    assert (await hotel.place(line(soup), type="room_service", room_number="101")).status == 422


async def test_room_of_another_hotel_is_not_found(client, owner, hotel, soup, stay):
    branch = type(hotel)(client, owner, await owner.store("hotel", timezone="Europe/Lisbon"))
    tea = await branch.item("Tea", 3)

    assert (await branch.place(line(tea), type="room_service", room_number="101")).status == 422
    assert (await hotel.look(stay))["folio"] == []


async def test_counter_orders_need_no_room(hotel, soup):
    order = await hotel.order(line(soup), type="in_store")

    assert "stay_id" not in order
