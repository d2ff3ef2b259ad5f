"""Staff for other plugins."""

from comanda_staff import api


async def two_stations(store):
    return [(await store.send("POST", "/stations", {"name": name}))["id"] for name in ("Grill", "Cold")]


async def test_names_are_limited_to_the_owner(store, other_owner, create_member):
    cook = await create_member("kitchen", station_ids=await two_stations(store))
    await cook.log_in()

    assert list((await api.get_names(store.owner.id, [cook.id, 987654])).keys()) == [cook.id]
    assert await api.get_names(other_owner.id, [cook.id]) == {}
