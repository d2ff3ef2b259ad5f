"""Many at once, over real connections: one table is one party's."""

import asyncio


async def test_of_twenty_who_want_the_last_table_one_gets_it(restaurant, published):
    await restaurant.table("1")
    await restaurant.table("2")
    await restaurant.reserve(table_numbers=["1"])

    replies = await asyncio.gather(*(restaurant.ask(hours=6 + place / 40) for place in range(20)))

    assert sorted(reply.status for reply in replies) == [201] + [409] * 19
    assert {reply["reason"] for reply in replies if reply.status == 409} == {"fully_booked"}
    assert await restaurant.count() == 2
    assert len(await restaurant.seatings()) == 2
    assert len(await published()) == 2


async def test_of_twenty_who_name_a_table_one_gets_it(restaurant):
    await restaurant.table("1")

    replies = await asyncio.gather(*(restaurant.ask(table_numbers=["1"]) for _ in range(20)))

    assert sorted(reply.status for reply in replies) == [201] + [409] * 19
    assert await restaurant.count() == 1


async def test_twenty_requests_of_one_key_make_one_reservation(restaurant, published):
    replies = await asyncio.gather(*(restaurant.ask(key="abc") for _ in range(20)))

    assert {reply.status for reply in replies} == {201}
    assert len({reply["id"] for reply in replies}) == 1
    assert len(await published()) == await restaurant.count() == 1


async def test_seats_are_not_given_out_twice(restaurant):
    await restaurant.settings(capacity_seats=10)

    replies = await asyncio.gather(*(restaurant.ask(party_size=3) for _ in range(10)))

    assert sorted(reply.status for reply in replies) == [201] * 3 + [409] * 7


async def test_parties_that_swap_tables_and_cancel_at_once_leave_each_table_to_one(restaurant):
    for number in ("1", "2", "3"):
        await restaurant.table(number)
    parties = [await restaurant.reserve(table_numbers=[number]) for number in ("1", "2", "3")]

    replies = await asyncio.gather(
        *(restaurant.change(party, table_numbers=[number]) for party in parties for number in ("1", "2", "3")),
        *(restaurant.set_status(party, "cancelled") for party in parties[:1]),
        *(restaurant.ask() for _ in range(5)),
    )

    assert {reply.status for reply in replies} <= {200, 201, 409}
    held = [number for _, number in await restaurant.seatings()]
    assert sorted(held) == sorted(set(held))


async def test_a_table_is_not_removed_while_it_is_being_reserved(restaurant):
    made = await restaurant.table("1")

    reserved, removed = await asyncio.gather(
        restaurant.ask(table_numbers=["1"]), restaurant.store.send("DELETE", f"/tables/{made['id']}")
    )

    assert (reserved.status, removed.status) in {(201, 409), (422, 204)}


async def test_two_tables_of_one_number_are_not_added_at_once(restaurant):
    body = {"number": "1", "seats": 2}

    replies = await asyncio.gather(*(restaurant.store.send("POST", "/tables", body) for _ in range(5)))

    assert sorted(reply.status for reply in replies) == [201, 422, 422, 422, 422]


async def test_one_cancellation_is_told_of_many_at_once(restaurant, published):
    made = await restaurant.reserve()

    replies = await asyncio.gather(*(restaurant.set_status(made, "cancelled") for _ in range(8)))

    assert {reply.status for reply in replies} == {200}
    assert [name for name, _ in await published()] == ["reservation.created", "reservation.cancelled"]
