"""Stays in the list, kept by the plugin that sells them."""

import asyncio
from datetime import UTC, datetime, timedelta

import pytest
from comanda.basics import NotFound
from comanda.platform.db import sql
from comanda_reservations import api


async def change(owner, reservation_id, **fields):
    async with sql.transaction():
        await api.update_stay(owner_id=owner.id, reservation_id=reservation_id, **fields)


async def test_stay_is_listed_and_emits_event(restaurant, create_stay, published):
    reservation_id = await create_stay()

    [listed] = (await restaurant.store.get("/reservations"))["data"]
    assert listed == {
        "id": reservation_id,
        "kind": "stay",
        "status": "confirmed",
        "guest_name": "Rui Matos",
        "phone": None,
        "email": "rui@example.com",
        "party_size": 2,
        "starts_at": "2027-03-11T12:00:00+00:00",
        "ends_at": "2027-03-13T12:00:00+00:00",
        "table_numbers": [],
        "note": None,
        "source": "api",
        "cancelled_by": None,
        "created_at": "2027-03-10T12:00:00+00:00",
        "deposit": None,
    }
    [(name, data)] = await published()
    assert (name, data["reservation_id"], data["kind"]) == ("reservation.created", reservation_id, "stay")


async def test_status_changes_emit_only_cancellation(restaurant, owner, create_stay, published):
    reservation_id = await create_stay(status=api.StayStatus.OPTIONAL, phone="1", note="Late")

    await change(owner, reservation_id, status=api.StayStatus.CONFIRMED, guest_name="Rui M.", phone="", party_size=3)
    changed = await restaurant.get_reservation({"id": reservation_id})
    await change(owner, reservation_id, status=api.StayStatus.CANCELLED, cancelled_by=api.CancelledBy.SYSTEM)
    await change(owner, reservation_id, status=api.StayStatus.CANCELLED)
    cancelled = await restaurant.get_reservation({"id": reservation_id})

    assert (changed["status"], changed["guest_name"], changed["phone"]) == ("confirmed", "Rui M.", None)
    assert (changed["party_size"], changed["note"], changed["cancelled_by"]) == (3, "Late", None)
    assert cancelled == {**changed, "status": "cancelled", "cancelled_by": "system"}
    assert [name for name, _ in await published()] == ["reservation.created", "reservation.cancelled"]


async def test_dates_move_and_no_show_is_no_cancellation(restaurant, owner, create_stay, published, noon):
    reservation_id = await create_stay()
    starts_at = noon() + timedelta(days=5)

    await change(owner, reservation_id, starts_at=starts_at, ends_at=starts_at + timedelta(days=1))
    await change(owner, reservation_id, status=api.StayStatus.NO_SHOW)

    shown = await restaurant.get_reservation({"id": reservation_id})
    assert (shown["starts_at"], shown["status"]) == ("2027-03-15T12:00:00+00:00", "no_show")
    assert (shown["ends_at"], shown["cancelled_by"]) == ("2027-03-16T12:00:00+00:00", None)
    assert len(await published()) == 1


async def test_departure_before_arrival_stays_listed(restaurant, owner, create_stay):
    reservation_id = await create_stay()
    shown = await restaurant.get_reservation({"id": reservation_id})

    await change(owner, reservation_id, status=api.StayStatus.CHECKED_OUT, ends_at=datetime(2027, 3, 11, 9, tzinfo=UTC))

    after = await restaurant.get_reservation({"id": reservation_id})
    assert after == {**shown, "status": "checked_out", "ends_at": shown["starts_at"]}


async def test_failed_transaction_leaves_no_stay(restaurant, create_stay, published):
    async def fail():
        async with sql.transaction():
            await create_stay()
            raise RuntimeError

    with pytest.raises(RuntimeError):
        await fail()

    assert await restaurant.count_reservations() == 0
    assert await published() == []


async def test_stay_of_other_owner_or_table_returns_404(restaurant, owner, other_owner, create_stay):
    stay, table = await create_stay(), await restaurant.create_reservation()

    for caller, reservation_id in ((other_owner, stay), (owner, table["id"])):
        with pytest.raises(NotFound):
            await change(caller, reservation_id, status=api.StayStatus.CANCELLED)
    assert (await restaurant.get_reservation({"id": stay}))["status"] == "confirmed"
    assert await restaurant.get_reservation(table) == table


async def test_table_routes_do_not_change_stays(restaurant, create_stay):
    stay = {"id": await create_stay()}
    before = await restaurant.get_reservation(stay)

    replies = [
        await restaurant.update_reservation(stay, guest_name="x"),
        await restaurant.update_status(stay, "cancelled"),
    ]

    for reply in replies:
        assert (reply.status, reply["reason"]) == (409, "stay")
        assert reply["message"] == "This is a stay. Change it through the hotel's routes."
    assert await restaurant.get_reservation(stay) == before


async def test_stay_takes_no_table_seat(restaurant, create_stay):
    await restaurant.update_settings(capacity_seats=2)
    await create_stay()

    assert (await restaurant.request_reservation(hours=25)).status == 201


async def test_concurrent_cancellations_emit_one_event(owner, create_stay, restaurant, published):
    reservation_id = await create_stay()

    await asyncio.gather(*(change(owner, reservation_id, status=api.StayStatus.CANCELLED) for _ in range(5)))

    assert [name for name, _ in await published()] == ["reservation.created", "reservation.cancelled"]
