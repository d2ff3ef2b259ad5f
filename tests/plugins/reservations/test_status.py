"""How a reservation goes on: confirmed, seated, completed, cancelled, not come."""

import pytest


async def test_a_reservation_goes_its_way_and_frees_its_table(restaurant, published):
    await restaurant.table("1")
    made = await restaurant.reserve(status="pending")

    for status in ("confirmed", "seated", "completed"):
        reply = await restaurant.set_status(made, status)
        assert reply.document == {**made, "status": status}

    # Early, too: the table can be had again at once.
    assert (await restaurant.ask()).status == 201
    assert [name for name, _ in await published()] == ["reservation.created"] * 2


@pytest.mark.parametrize(("given", "by"), [({}, "store"), ({"cancelled_by": "customer"}, "customer")])
async def test_a_cancelled_reservation_says_by_whom_and_is_told_of_once(restaurant, published, given, by):
    await restaurant.table("1")
    made = await restaurant.reserve()

    reply = await restaurant.set_status(made, "cancelled", **given)
    again = await restaurant.set_status(made, "cancelled", cancelled_by="store")

    assert reply.document == {**made, "status": "cancelled", "cancelled_by": by}
    assert again.document == reply.document
    assert await restaurant.seatings() == []
    created, cancelled = await published()
    assert cancelled == ("reservation.cancelled", {**created[1], "status": "cancelled"})


async def test_guests_who_do_not_come_free_their_table_once_they_were_due(restaurant, published, noon):
    await restaurant.table("1")
    made = await restaurant.reserve(hours=1)

    early = await restaurant.set_status(made, "no_show")
    noon.advance(hours=1)
    reply = await restaurant.set_status(made, "no_show")

    assert (early.status, early["message"]) == (409, "This reservation has not started yet.")
    assert reply["status"] == "no_show"
    assert await restaurant.seatings() == []
    assert [name for name, _ in await published()] == ["reservation.created"]


@pytest.mark.parametrize(
    ("way", "status"),
    [
        ((), "completed"),
        ((), "pending"),
        (("seated",), "confirmed"),
        (("seated",), "cancelled"),
        (("seated", "completed"), "seated"),
        (("cancelled",), "confirmed"),
        (("cancelled",), "completed"),
    ],
)
async def test_what_cannot_follow_is_refused(restaurant, published, way, status):
    made = await restaurant.reserve()
    for step in way:
        await restaurant.set_status(made, step)
    before, events = await restaurant.shown(made), await published()

    reply = await restaurant.set_status(made, status)

    assert (reply.status, reply["code"], reply["status"]) == (409, "conflict", before["status"])
    assert await restaurant.shown(made) == before
    assert await published() == events


async def test_a_status_of_stays_is_none_of_a_table(restaurant):
    made = await restaurant.reserve()

    reply = await restaurant.set_status(made, "checked_in")

    assert list(reply.errors) == ["status"]


async def test_a_reservation_of_the_owner_s_other_store_is_not_there(restaurant, owner, store):
    made = await restaurant.reserve()
    elsewhere = f"/api/v1/restaurants/{await owner.store()}/reservations/{made['id']}"

    for method, path, body in (
        ("GET", elsewhere, None),
        ("PUT", elsewhere, {"party_size": 9}),
        ("PUT", f"{elsewhere}/status", {"status": "cancelled"}),
    ):
        assert (await store.send_to(path, method, body)).status == 404
    assert await restaurant.shown(made) == made
