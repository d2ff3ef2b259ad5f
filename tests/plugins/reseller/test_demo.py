"""The reseller of the demo."""

from comanda.operations.demo_data import DemoBuilder
from comanda_reseller.demo import create_demo_reseller, list_logins


async def test_demo_shows_three_states_and_is_created_once(client):
    showcase = DemoBuilder()

    await create_demo_reseller(showcase)
    await create_demo_reseller(showcase)

    auth = {"Authorization": f"Bearer {showcase.tokens['reseller']}"}
    answer = await client.get("/api/v1/reseller/customers", headers=auth)
    found = {row["email"]: row["subscription_status"] for row in (await answer.get_json())["data"]}
    assert found == {
        "rosa@demo.example": "active",
        "luis@demo.example": "trialing",
        "ines@demo.example": "past_due",
    }
    answer = await client.get("/api/v1/reseller/customer-invoices", headers=auth)
    statuses = sorted(row["status"] for row in (await answer.get_json())["data"])
    assert statuses == ["open", "paid", "paid", "paid"]
    assert showcase.logins["reseller"]["email"] == "reseller@demo.example"
    assert await list_logins(0) == ["reseller reseller@demo.example by password"]
