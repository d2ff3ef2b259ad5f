"""Connected accounts at Stripe: opened once, completed there, and what is missing of them."""

ACCOUNTS = "/api/v1/payment-accounts"


async def test_page_opens_one_account(api, connected, open_page):
    api.lose = 1
    first = await open_page(connected)
    replies = [await open_page(connected) for _ in range(2)]

    assert first.status == 503
    [external_id] = api.accounts
    assert [reply["url"] for reply in replies] == [f"{api.url}/page/{external_id}"] * 2


async def test_account_says_what_is_missing(api, connected, open_page, store):
    await open_page(connected)
    [found] = api.accounts.values()
    found |= {"details_submitted": True, "requirements": {"errors": [{"reason": "The document is not readable."}]}}

    account = await store.send_to(f"{ACCOUNTS}/{connected['id']}/check", "POST", {})

    assert (account["state"], account["reason"]) == ("restricted", "The document is not readable.")


async def test_account_that_was_disconnected_at_stripe_is_revoked(api, completed, store):
    api.accounts.clear()

    account = await store.send_to(f"{ACCOUNTS}/{completed['id']}/check", "POST", {})

    assert (account["state"], account["reason"]) == ("revoked", "Disconnected at Stripe.")
