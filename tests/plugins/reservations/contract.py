"""Path parameters and request bodies of the reservations plugin's routes, for the tests of every route."""

from datetime import UTC, datetime, timedelta
from itertools import count

_numbers = count(100)


def in_days(days):
    return (datetime.now(UTC) + timedelta(days=days)).isoformat()


async def table(workshop, store_id):
    return await numbered_table(workshop, store_id, str(next(_numbers)))


async def numbered_table(workshop, store_id, number):
    return await workshop.post(f"/restaurants/{store_id}/tables", {"number": number, "seats": 4})


async def reservation(workshop, store_id):
    body = {"guest_name": "Ada Costa", "party_size": 2, "starts_at": in_days(2)}
    return await workshop.post(f"/restaurants/{store_id}/reservations", body)


def details(days):
    return {
        "guest_name": "Stolen", "party_size": 3, "starts_at": in_days(days), "ends_at": in_days(days + 0.1),
        "phone": "x", "email": "a@example.com", "note": "x", "override": True,
    }  # fmt: skip


async def reservation_body(workshop, store_id, *_):
    await numbered_table(workshop, store_id, number := str(next(_numbers)))
    return {**details(1), "table_numbers": [number], "source": "x", "status": "pending"}


async def reservation_change(workshop, store_id, *_):
    await numbered_table(workshop, store_id, number := str(next(_numbers)))
    return {**details(3), "table_numbers": [number]}


async def waiting_party(workshop, store_id):
    await open_waitlist(workshop, store_id)
    return await workshop.post(f"/restaurants/{store_id}/waitlist", {"guest_name": "Ada Costa", "party_size": 2})


async def open_waitlist(workshop, store_id):
    path = f"/api/v1/restaurants/{store_id}/reservations/settings"
    response = await workshop.client.put(path, headers=workshop.owner.auth, json={"has_waitlist": True})
    assert response.status_code == 200, await response.get_json()


async def waiting_party_body(workshop, store_id, *_):
    await open_waitlist(workshop, store_id)
    return {"guest_name": "Stolen", "party_size": 3, "phone": "x", "note": "x", "quoted_minutes": 20}


async def waiting_seat_body(workshop, store_id, *_):
    await numbered_table(workshop, store_id, number := str(next(_numbers)))
    return {"table_numbers": [number]}


FACTORIES = {
    "/restaurants/{id}/waitlist/{partyId}": waiting_party,
    "/restaurants/{id}/tables/{tableId}": table,
    "/restaurants/{id}/reservations/{reservationId}": reservation,
}
BODIES = {
    "TableBody": {"number": "13", "seats": 4, "area": "x", "is_active": True, "position": 1},
    "TableChange": {"number": "14", "seats": 5, "area": "x", "is_active": False, "position": 1},
    "ReservationBody": reservation_body,
    "ReservationChange": reservation_change,
    "WaitingPartyBody": waiting_party_body,
    "WaitingSeatBody": waiting_seat_body,
    "WaitingEndBody": {"status": "left"},
    "ReservationStatusBody": {"status": "cancelled", "cancelled_by": "customer"},
    "ReservationSettingsChange": {
        "is_accepting": False, "turn_minutes": 60, "slot_minutes": 30, "max_party_size": 8, "min_notice_minutes": 30,
        "capacity_seats": 40, "deposit_per_guest": 10, "deposit_party_size": 4, "deposit_free_hours": 48,
        "deposit_hold_minutes": 20, "has_waitlist": True, "has_public_waitlist": True,
    },
}  # fmt: skip
