"""Personal data of customers in the dashboard."""

import json


async def test_a_customer_is_found_exported_and_erased(dashboard, store):
    path = f"/stores/{store.id}/settings/privacy"
    customer = await store.send("POST", "/customers", {"name": "Rita Lopes", "email": "rita@example.com"})
    page = await dashboard.get(f"{path}?search=rita")
    export = json.loads(await dashboard.get(f"{path}/{customer['id']}/export"))
    await dashboard.post(f"{path}/{customer['id']}/erase")

    assert "Rita Lopes" in page
    assert "rita@example.com" in json.dumps(export)
    assert "Rita Lopes" not in await dashboard.get(f"{path}?search=rita")
