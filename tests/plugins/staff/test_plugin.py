"""The plugin as a whole: its tables, its declarations, and the people of the demo."""

from comanda.demo_data.builder import DemoBuilder
from comanda_migrations.differences import differences
from comanda_staff import api, demo
from comanda_staff.plugin import register_demo_data


async def test_models_and_migrated_tables_agree(app, database_url, runtime):
    assert await differences(database_url, [one for one in runtime.registry.models if one.app == "staff"]) == []


def test_what_it_declares_is_registered(runtime):
    kind = runtime.registry.caller_kinds["staff"]

    assert (kind.prefix, kind.header, kind.lifetime.days, kind.is_sliding) == ("stf_", "authorization", 30, True)


async def test_the_demo_has_people_who_can_log_in(store, employ):
    [step] = register_demo_data()
    showcase = DemoBuilder(owners={"owner": store.owner.id}, stores=[{"id": store.id, "store_type": "restaurant"}])

    await step.fill(showcase)
    again = DemoBuilder(owners=showcase.owners, stores=showcase.stores, kept=showcase.tokens)
    await step.fill(again)

    logins = showcase.logins["staff"]
    assert again.tokens == showcase.tokens
    assert again.logins == showcase.logins
    assert (await store.get("/staff"))["total"] == len(demo.PEOPLE) == 3
    for role in ("manager", "waiter", "kitchen"):
        for way, names in (("login", ("email", "password")), ("pin", ("pin",))):
            body = {name: logins[role][name] for name in names} | {"device": f"{role}'s"}
            reply = await store.send("POST", f"/staff/{way}", body)
            assert (reply.status, reply["staff"]["role"]) == (200, role)
    me = await store.client.get("/api/v1/staff/me", headers={"Authorization": f"Bearer {showcase.tokens['staff']}"})
    assert (await me.get_json())["role"] == "manager"


async def two_stations(store):
    return [(await store.send("POST", "/stations", {"name": name}))["id"] for name in ("Grill", "Cold")]


async def test_other_plugins_learn_names_and_stations(store, other_owner, employ):
    cook = await employ("kitchen", station_ids=await two_stations(store))
    await cook.login()

    assert list((await api.names_of(store.owner.id, [cook.id, 987654])).keys()) == [cook.id]
    assert await api.names_of(other_owner.id, [cook.id]) == {}
