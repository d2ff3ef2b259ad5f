"""Pages offer to pay online where the store has an account that is ready."""

from comanda_payments.online_payments import is_offered


async def test_offer_follows_the_account(stripe_api, owner, store, ask):
    assert not await is_offered(owner.id, store.id, "takeaway")

    account = await ask("", "POST", {"provider": "demo"})
    assert await is_offered(owner.id, store.id, "takeaway")
    await ask(f"/{account['id']}", "DELETE")

    assert not await is_offered(owner.id, store.id, "takeaway")
