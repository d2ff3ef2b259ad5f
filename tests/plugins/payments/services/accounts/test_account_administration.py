"""Accounts that are connected, replaced and disconnected: earlier payments stay where they are."""

from hosted_checkout import KEY


async def test_refused_key_leaves_no_account(stripe_api, ask):
    reply = await ask("", "POST", {"provider": "stripe", "credentials": {"secret_key": "sk_test_wrong"}})

    assert reply.errors == {"credentials": ["Stripe does not know this key, or it may not do enough."]}
    assert (await ask())["data"] == []


async def test_second_account_of_a_provider_conflicts(account, ask, store):
    body = {"provider": "stripe", "credentials": {"secret_key": KEY}}

    reply = await ask("", "POST", body)

    assert (reply.status, reply["reason"]) == (409, "already_connected")
    of_store = await ask("", "POST", {**body, "restaurant_id": store.id})
    assert (of_store.status, of_store["restaurant_id"]) == (201, store.id)


async def test_unused_account_is_deleted(account, ask):
    assert (await ask(f"/{account['id']}", "DELETE")).status == 204

    assert (await ask(f"/{account['id']}")).status == 404


async def test_key_is_replaced_by_one_of_the_same_account_only(gateway, account, ask, till):
    gateway.keys |= {"sk_test_rolled": "acct_own", "sk_test_other": "acct_other"}
    path = f"/{account['id']}/credentials"

    other = await ask(path, "PUT", {"credentials": {"secret_key": "sk_test_other"}})
    assert (other.errors, other["reason"]) == (
        {"credentials": ["These belong to another account. Disconnect this one, and connect the other."]},
        "other_account",
    )
    del gateway.keys[KEY]
    assert (await ask(f"/{account['id']}/check", "POST", {}))["state"] == "restricted"
    rolled = await ask(path, "PUT", {"credentials": {"secret_key": "sk_test_rolled"}})

    assert (rolled.status, rolled["state"]) == (200, "ready")
    assert len(gateway.endpoints) == 1
    assert (await till.pay("stripe"))["status"] == "pending"


async def test_refund_goes_where_the_money_lies(gateway, account, ask, till, till_of, new_order, reconcile_later):
    payment = await till.pay("stripe")
    gateway.pay(gateway.session)
    await reconcile_later()
    assert (await ask(f"/{account['id']}", "DELETE")).status == 204
    assert (await ask(f"/{account['id']}"))["state"] == "revoked"
    gateway.keys["sk_test_new"] = "acct_new"
    new = await ask("", "POST", {"provider": "stripe", "credentials": {"secret_key": "sk_test_new"}})
    assert new["state"] == "ready"

    reply = await till.refund(amount=5)

    assert reply["status"] == "completed", reply
    assert [refund["_account"] for refund in gateway.refunds.values()] == ["acct_own"]
    assert payment["payment_account_id"] == account["id"]
    second = await till_of(await new_order()).pay("stripe")
    assert second["payment_account_id"] == new["id"]
