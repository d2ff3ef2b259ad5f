"""What a provider collects and gives back of prepayments."""

from comanda.contracts import ProviderOutcome, ProviderState
from comanda.devkit.testing.payment_providers import reconcile
from comanda.platform.db import sql
from comanda_payments.services.providers import hosted_payments


async def collect(prepayment, owner):
    """Report that a payment which had failed was collected after all."""
    rows = await sql.fetch("SELECT id FROM payments_payment WHERE prepayment_id = $1 ORDER BY id", prepayment["id"])
    outcome = ProviderOutcome(ProviderState.SUCCEEDED, "late", amount_minor=4000)
    await hosted_payments.record_outcome(owner.id, rows[0]["id"], outcome)


async def get(payer, prepayment):
    return (await payer.store.get(f"/prepayments/{prepayment['id']}")).document


async def test_money_that_comes_too_late_goes_back(payer, new_deposit, clock, owner, run_task):
    deposit = await new_deposit(minutes=30)
    await payer.start(deposit["id"])
    clock.advance(minutes=31)
    await run_task("payments_reconcile")

    await collect(deposit, owner)

    found = await get(payer, deposit)
    assert (found["status"], found["paid"], found["refunded"]) == ("cancelled", 40, 0)
    refund = await sql.fetch_one(
        "SELECT status, amount_minor, reason FROM payments_refund WHERE prepayment_id = $1", deposit["id"]
    )
    assert tuple(refund) == ("pending", 4000, "Paid after it was closed")


async def test_second_payment_leaves_the_first(payer, new_deposit, owner):
    deposit = await new_deposit()
    await payer.bank.decline(await payer.start(deposit["id"]))
    await payer.bank.pay(await payer.start(deposit["id"]))
    await payer.come_back(deposit["id"])

    await collect(deposit, owner)

    assert (await get(payer, deposit))["status"] == "paid"
    parts = await sql.fetch("SELECT amount_minor FROM payments_refund_part WHERE owner_id = $1", owner.id)
    assert [row["amount_minor"] for row in parts] == [4000]


async def test_deposit_whose_refund_fails_is_owed_again(payer, paid_deposit, owner, clock, published):
    deposit = await paid_deposit()
    await sql.execute("UPDATE demobank_charge SET state = 'declined' WHERE owner_id = $1", owner.id)

    assert (await payer.act(deposit, "refund", reason="Closed"))["status"] == "refunding"
    await reconcile(clock)

    found = await get(payer, deposit)
    assert (found["status"], found["paid"], found["refunded"]) == ("paid", 40, 0)
    changes = [data["status"] for name, data in await published() if name == "prepayment.changed"]
    assert changes == ["paid", "refunding"]
    assert (await payer.act(deposit, "keep"))["status"] == "kept"


async def test_lost_dispute_blocks_the_card_that_was_bought(payer, selling, ask_disputes, clock):
    url = (await payer.buy())["url"]
    await payer.bank.pay(url)
    await reconcile(clock)
    [card] = (await payer.store.get("/gift-cards"))["data"]
    await payer.bank.answer(url, "dispute")
    await payer.bank.answer(url, "lose")
    [account] = (await payer.store.send_to("/api/v1/payment-accounts"))["data"]

    assert (await payer.store.send_to(f"/api/v1/payment-accounts/{account['id']}/check", "POST")).status == 200

    [dispute] = await ask_disputes()
    [purchase] = await payer.list()
    assert (dispute["state"], dispute["order_id"], dispute["prepayment_id"]) == ("lost", None, purchase["id"])
    assert (purchase["status"], purchase["paid"], purchase["refunded"]) == ("refunded", 50, 50)
    assert (await payer.store.get(f"/gift-cards/{card['id']}"))["status"] == "blocked"
