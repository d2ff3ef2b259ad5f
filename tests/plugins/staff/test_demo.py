"""Demo staff."""

from comanda.operations.demo_data import DemoBuilder
from comanda_staff import demo
from comanda_staff.plugin import register_demo_data


async def test_demo_staff_can_log_in(store, create_member):
    [step] = register_demo_data()
    showcase = DemoBuilder(owners={"owner": store.owner.id}, stores=[{"id": store.id, "store_type": "restaurant"}])

    await step.fill(showcase)
    again = DemoBuilder(owners=showcase.owners, stores=showcase.stores, kept=showcase.tokens)
    await step.fill(again)

    logins = showcase.logins["staff"]
    assert again.tokens == showcase.tokens
    assert again.logins == showcase.logins
    assert (await store.get("/staff"))["total"] == len(demo.DEMO_MEMBERS) == 3
    for role in ("manager", "waiter", "kitchen"):
        for way, names in (("login", ("email", "password")), ("pin", ("pin",))):
            body = {name: logins[role][name] for name in names} | {"device": f"{role}'s"}
            reply = await store.send("POST", f"/staff/{way}", body)
            assert (reply.status, reply["staff"]["role"]) == (200, role)
    me = await store.client.get("/api/v1/staff/me", headers={"Authorization": f"Bearer {showcase.tokens['staff']}"})
    assert (await me.get_json())["role"] == "manager"
