"""Path parameters and bodies of the hotel routes, for tests of every route."""

from datetime import UTC, datetime, timedelta
from itertools import count

from comanda.contracts import API_PREFIX

numbers = count(1)


def day(offset):
    return (datetime.now(UTC).date() + timedelta(days=offset)).isoformat()


async def room_type(workshop, store_id):
    body = {"name": "Double", "base_price": 80, "max_adults": 4, "max_children": 2}
    return await workshop.post(f"/restaurants/{store_id}/room-types", body)


async def room(workshop, store_id):
    body = {"number": str(next(numbers)), "room_type_id": await room_type(workshop, store_id)}
    return await workshop.post(f"/restaurants/{store_id}/rooms", body)


async def block(workshop, store_id, room_id):
    return await workshop.post(f"/restaurants/{store_id}/rooms/{room_id}/blocks", {"from": day(40), "to": day(42)})


async def calendar(workshop, store_id, room_id):
    body = {"name": "Airbnb", "url": "https://calendars.example/airbnb.ics"}
    return await workshop.post(f"/restaurants/{store_id}/rooms/{room_id}/calendars", body)


async def stay(workshop, store_id):
    type_id = await room_type(workshop, store_id)
    await workshop.post(f"/restaurants/{store_id}/rooms", {"number": str(next(numbers)), "room_type_id": type_id})
    body = {"room_type_id": type_id, "check_in": day(0), "check_out": day(3), "guest_name": "Ada Costa"}
    return await workshop.post(f"/restaurants/{store_id}/stays", body)


async def room_body(workshop, store_id, *_):
    type_id = await room_type(workshop, store_id)
    return {"number": f"S{next(numbers)}", "room_type_id": type_id, "floor": "x", "is_active": True}


GUESTS = {"guest_name": "Stolen", "phone": "x", "email": "a@example.com", "adults": 2, "children": 1, "note": "x"}


async def stay_body(workshop, store_id, *_):
    own = await room_body(workshop, store_id)
    room_id = await workshop.post(f"/restaurants/{store_id}/rooms", own)
    return {
        **GUESTS, "room_type_id": own["room_type_id"], "room_id": room_id, "check_in": day(1), "check_out": day(2),
        "source": "x", "status": "optional", "expires_at": f"{day(2)}T00:00:00Z", "customer_id": None,
    }  # fmt: skip


async def stay_change(workshop, store_id, *_):
    own = await room_body(workshop, store_id)
    await workshop.post(f"/restaurants/{store_id}/rooms", own)
    return {
        **GUESTS, "room_type_id": own["room_type_id"], "check_in": day(2), "check_out": day(4), "customer_id": None,
    }  # fmt: skip


async def status_body(workshop, store_id, *_):
    return {
        "status": "checked_in", "room_id": await room(workshop, store_id), "allow_dirty": True,
        "charge_unused_nights": True,
    }  # fmt: skip


async def deposit_body(workshop, store_id, *_):
    """Connect an account for the store, unless it has one, as guests pay online."""
    body = {"provider": "demo", "restaurant_id": store_id}
    await workshop.client.post(f"{API_PREFIX}/payment-accounts", headers=workshop.owner.auth, json=body)
    return {"amount": 1}


async def payment_body(workshop, store_id, *_):
    return {"method": "cash", "amount": 1, "reference": "x", "drawer": None}


async def move_body(workshop, store_id, *_):
    return {"room_id": await room(workshop, store_id)}


TYPE_FIELDS = {
    "name": "Stolen", "description": "x", "base_price": 1, "extra_adult_price": 1, "max_adults": 3, "max_children": 1,
    "base_adults": 2, "min_stay": 2, "overbooking_allowance": 1, "position": 1, "is_active": True,
}  # fmt: skip

FACTORIES = {
    "/restaurants/{id}/room-types/{typeId}": room_type,
    "/restaurants/{id}/rooms/{roomId}": room,
    "/restaurants/{id}/rooms/{roomId}/blocks/{blockId}": block,
    "/restaurants/{id}/rooms/{roomId}/calendars/{calendarId}": calendar,
    "/restaurants/{id}/stays/{stayId}": stay,
}
BODIES = {
    "RoomTypeBody": TYPE_FIELDS,
    "RoomTypeChange": TYPE_FIELDS,
    "RoomBody": room_body,
    "RoomChange": room_body,
    "HousekeepingBody": {"status": "out_of_order"},
    "CalendarBody": {"name": "Stolen", "url": "https://calendars.example/stolen.ics"},
    "CalendarChange": {"name": "Stolen", "url": "https://calendars.example/stolen.ics"},
    "BlockBody": {"from": day(10), "to": day(12), "reason": "x"},
    "RatesBody": {
        "weekdays": {"friday": 1, "sunday": None},
        "nights": [{"from": day(5), "to": day(9), "price": 2}, {"from": day(7), "to": day(7), "price": None}],
    },
    "StayBody": stay_body,
    "StayChange": stay_change,
    "StayStatusBody": status_body,
    "StayDepositBody": deposit_body,
    "StayPaymentBody": payment_body,
    "RoomMove": move_body,
}
STORE_TYPES = {
    "/restaurants/{id}/availability": "hotel",
    "/restaurants/{id}/occupancy": "hotel",
    "/restaurants/{id}/foreign-bookings": "hotel",
    "/restaurants/{id}/room-types": "hotel",
    "/restaurants/{id}/rooms": "hotel",
    "/restaurants/{id}/stays": "hotel",
    "/restaurants/{id}/settings/hotel": "hotel",
}
