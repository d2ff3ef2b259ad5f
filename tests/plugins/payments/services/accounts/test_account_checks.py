"""The state of accounts as providers have it."""

from datetime import UTC, datetime

from comanda.platform.db import sql
from hosted_checkout import KEY

LONG_AGO = datetime(2000, 1, 1, tzinfo=UTC)


async def test_provider_that_is_away_leaves_a_pending_account(stripe_api, ask, run_task):
    stripe_api.refuse = 503
    reply = await ask("", "POST", {"provider": "stripe", "credentials": {"secret_key": KEY}})
    assert (reply.status, reply["state"]) == (201, "pending")
    assert "asked again" in reply["reason"]
    stripe_api.refuse = 0

    # Of the accounts that other tests have left, it is the first that is due.
    await sql.execute("UPDATE payments_account SET check_at = $2 WHERE id = $1", reply["id"], LONG_AGO)
    await run_task("payments_check_accounts")

    assert (await ask(f"/{reply['id']}"))["state"] == "ready"


async def test_restricted_account_takes_no_payments_and_sends_none_elsewhere(
    gateway, account, ask, store, till, published
):
    gateway.keys["sk_test_store"] = "acct_store"
    gateway.accounts["acct_store"] = {
        "id": "acct_store", "charges_enabled": False, "details_submitted": True,
        "requirements": {"errors": [], "currently_due": ["individual.verification.document"]},
    }  # fmt: skip
    body = {"provider": "stripe", "restaurant_id": store.id, "credentials": {"secret_key": "sk_test_store"}}
    of_store = await ask("", "POST", body)

    assert of_store["state"] == "restricted"
    assert of_store["reason"] == "Missing at Stripe: individual: verification: document."
    assert "stripe" not in (await till.pay("stripe")).errors["method"][0]
    changes = [data for name, data in await published() if name == "payment_account.changed"]
    assert [(each["provider"], each["state"]) for each in changes] == [("stripe", "ready"), ("stripe", "restricted")]
