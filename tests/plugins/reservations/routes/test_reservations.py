"""The routes of reservations."""


async def test_status_of_stay_returns_422(restaurant):
    made = await restaurant.create_reservation()

    reply = await restaurant.update_status(made, "checked_in")

    assert list(reply.errors) == ["status"]


async def test_reservation_of_other_store_returns_404(restaurant, owner, store):
    made = await restaurant.create_reservation()
    elsewhere = f"/api/v1/restaurants/{await owner.store()}/reservations/{made['id']}"

    for method, path, body in (
        ("GET", elsewhere, None),
        ("PUT", elsewhere, {"party_size": 9}),
        ("PUT", f"{elsewhere}/status", {"status": "cancelled"}),
    ):
        assert (await store.send_to(path, method, body)).status == 404
    assert await restaurant.get_reservation(made) == made
