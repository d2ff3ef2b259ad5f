"""Store credit as customers see it."""

from comanda_customers.services.sign_in.tokens import issue_token


async def test_customers_see_only_own_credit(store, owner, client, new_customer, create_entry):
    ada, bo = await new_customer("Ada"), await new_customer("Bo")
    await create_entry(ada, 3)
    seen = {}
    for one in (ada, bo):
        token = await issue_token(owner.id, store.id, one.id, "phone")
        auth = {"Authorization": f"Bearer {token.secret}"}
        seen[one.name] = await (await client.get("/api/v1/customer/store-credit", headers=auth)).get_json()

    assert (seen["Ada"]["balance"], seen["Ada"]["currency"], len(seen["Ada"]["entries"])) == (3, "EUR", 1)
    assert seen["Bo"] == {"balance": 0, "currency": "EUR", "entries": []}
