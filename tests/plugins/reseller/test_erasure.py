"""Erasure of an owner who pays a reseller."""

import pytest
from comanda.accounts.owners.owner_erasure import erase_owner
from comanda.basics import Conflict
from comanda.platform.db import sql

LEGAL_NAME = "Tasca Velha Lda."


async def test_customer_is_erased_after_the_subscription_and_invoices_stay(reseller, advance):
    plan = await reseller.plan()
    customer = await reseller.customer(legal_name=LEGAL_NAME, funds_minor=3000)
    await reseller.subscribe(customer, plan)
    with pytest.raises(Conflict, match="Subscriptions that have not ended: 1"):
        await erase_owner(customer.email)

    [subscription] = (await reseller.get("/subscriptions"))["data"]
    await reseller.post(f"/subscriptions/{subscription['id']}/cancel", {})
    await advance(days=40)
    invoices = await sql.fetch("SELECT * FROM reseller_invoice WHERE customer_owner_id = $1", customer.id)
    assert [row["status"] for row in invoices] == ["paid"]
    plan = await erase_owner(customer.email)

    assert plan.kept == {"wallet_wallet": 1, "wallet_entry": 2, "wallet_leg": 4}
    assert await sql.fetch("SELECT * FROM reseller_invoice WHERE customer_owner_id = $1", customer.id) == invoices
    row = await sql.fetch_one("SELECT * FROM reseller_customer WHERE customer_owner_id = $1", customer.id)
    assert (row["legal_name"], row["address"], row["tax_number"]) == (None, None, None)
    with pytest.raises(Conflict):
        await erase_owner(reseller.owner.email)


async def test_balance_of_the_wallet_keeps_the_owner(reseller):
    customer = await reseller.customer(funds_minor=500)
    with pytest.raises(Conflict, match="balance"):
        await erase_owner(customer.email)
