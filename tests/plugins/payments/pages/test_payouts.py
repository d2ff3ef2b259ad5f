"""Payouts in the dashboard: listed, with their sums and orders, and sent as a table."""

import csv
import io

import pytest
from hosted_checkout import SECRET

PAGE = "/payment-accounts/payouts"


@pytest.fixture
async def paid_out(gateway, account, till, store, send_webhook):
    """A payout of 19.45, with a payment of 20.00 in it."""
    await till.pay("stripe")
    gateway.pay(gateway.session)
    await send_webhook(gateway.session)
    made = gateway.pay_out("acct_own")
    await send_webhook(made, "payout.created", secret=SECRET)
    [payout] = (await store.send_to("/api/v1/payouts"))["data"]
    return made, f"{PAGE}/{payout['id']}"


async def test_owner_sees_what_came_to_the_bank(dashboard, account, store, order, paid_out):
    assert PAGE in await dashboard.get("/payment-accounts")
    made, path = paid_out
    listed = await dashboard.get(PAGE)
    for text in (path, "On its way", "€19.45", made["id"], "17 Mar 2030"):
        assert text in listed

    page = await dashboard.get(path)
    for text in (
        "Payout of €19.45",
        "€20.00",
        "€0.55",
        f"/stores/{store.id}/orders/{order['id']}",
        "#1",
        "17 Mar 2030",
    ):
        assert text in page
    assert "Not listed by the provider" not in page


async def test_page_says_why_a_payout_failed(dashboard, paid_out, send_webhook):
    made, path = paid_out
    made |= {"status": "failed", "failure_message": "<b>The bank account was closed."}

    await send_webhook(made, "payout.failed")

    page = await dashboard.get(path)
    assert "&lt;b&gt;The bank account was closed." in page
    assert "Failed" in page
    assert "Failed" in await dashboard.get(PAGE)


async def test_page_says_that_parts_are_not_known(gateway, account, dashboard, store, send_webhook):
    assert "No payouts yet" in await dashboard.get(PAGE)
    made = gateway.pay_out("acct_own") | {"amount": 500, "arrival_date": None}
    gateway.payouts["po_1"]["reconciliation_status"] = "in_progress"
    await send_webhook(made, "payout.created")
    [payout] = (await store.send_to("/api/v1/payouts"))["data"]

    page = await dashboard.get(f"{PAGE}/{payout['id']}")
    for text in ("has not listed yet", "Not listed by the provider", "€5.00", "Date not known"):
        assert text in page
    assert "Export as CSV" not in page

    gateway.payouts["po_1"] |= {"automatic": False, "reconciliation_status": "not_applicable"}
    await send_webhook(made, "payout.reconciliation_completed")
    assert "made by hand" in await dashboard.get(f"{PAGE}/{payout['id']}")


async def test_table_has_all_parts_and_runs_no_formula(
    gateway, account, dashboard, store, order, paid_out, send_webhook
):
    gateway.add_transaction("adjustment", None, "=1+1", -3)["_payout"] = "po_2"
    made = gateway.pay_out("acct_own")
    await send_webhook(made, "payout.created")
    payouts = (await store.send_to("/api/v1/payouts"))["data"]

    tables = [await dashboard.get(f"{PAGE}/{each['id']}.csv") for each in payouts]

    head, other = csv.reader(io.StringIO(tables[0].removeprefix("\ufeff")))
    assert other[:2] == ["'=1+1", "other"]
    _, part = csv.reader(io.StringIO(tables[1].removeprefix("\ufeff")))
    row = dict(zip(head, part, strict=True))
    assert (row["kind"], row["order_number"], row["order_id"]) == ("payment", "1", str(order["id"]))
    assert (row["amount"], row["fee"], row["net"], row["currency"]) == ("20.00", "0.55", "19.45", "EUR")


@pytest.mark.parametrize("path", ["", ".csv"])
async def test_payout_that_is_not_there_is_not_found(dashboard, path):
    await dashboard.get(f"{PAGE}/999999{path}", status=404)
