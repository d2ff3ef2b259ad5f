"""Table assignments under concurrent requests."""

import asyncio

import pytest
from comanda.platform.db import sql


async def test_database_refuses_double_assignment(restaurant):
    await restaurant.create_table("1")
    first, second = await restaurant.create_reservation(hours=6), await restaurant.create_reservation(hours=8)

    with pytest.raises(Exception, match="reservations_seating_once"):
        await sql.execute(
            """UPDATE reservations_seating SET starts_at = (SELECT starts_at FROM reservations_seating
               WHERE reservation_id = $1) WHERE reservation_id = $2""",
            first["id"],
            second["id"],
        )


async def test_concurrent_guests_get_last_table_once(restaurant, published):
    await restaurant.create_table("1")
    await restaurant.create_table("2")
    await restaurant.create_reservation(table_numbers=["1"])

    replies = await asyncio.gather(*(restaurant.request_reservation(hours=6 + place / 40) for place in range(20)))

    assert sorted(reply.status for reply in replies) == [201] + [409] * 19
    assert {reply["reason"] for reply in replies if reply.status == 409} == {"fully_booked"}
    assert await restaurant.count_reservations() == 2
    assert len(await restaurant.list_seatings()) == 2
    assert len(await published()) == 2


async def test_concurrent_guests_get_named_table_once(restaurant):
    await restaurant.create_table("1")

    replies = await asyncio.gather(*(restaurant.request_reservation(table_numbers=["1"]) for _ in range(20)))

    assert sorted(reply.status for reply in replies) == [201] + [409] * 19
    assert await restaurant.count_reservations() == 1


async def test_concurrent_guests_never_exceed_capacity(restaurant):
    await restaurant.update_settings(capacity_seats=10)

    replies = await asyncio.gather(*(restaurant.request_reservation(party_size=3) for _ in range(10)))

    assert sorted(reply.status for reply in replies) == [201] * 3 + [409] * 7


async def test_concurrent_swaps_and_cancellations_stay_consistent(restaurant):
    for number in ("1", "2", "3"):
        await restaurant.create_table(number)
    parties = [await restaurant.create_reservation(table_numbers=[number]) for number in ("1", "2", "3")]

    replies = await asyncio.gather(
        *(
            restaurant.update_reservation(party, table_numbers=[number])
            for party in parties
            for number in ("1", "2", "3")
        ),
        *(restaurant.update_status(party, "cancelled") for party in parties[:1]),
        *(restaurant.request_reservation() for _ in range(5)),
    )

    assert {reply.status for reply in replies} <= {200, 201, 409}
    held = [number for _, number in await restaurant.list_seatings()]
    assert sorted(held) == sorted(set(held))
