"""Files of closed days, from orders to the accountant."""

import csv
import io
from collections import Counter
from decimal import Decimal

import pytest
from comanda.devkit.testing import line

PERIOD = "from=2030-05-01&to=2030-05-31"


@pytest.fixture
def read_balances(client, shop):
    """Return a function that returns the balance of each account of the journal: debits less credits."""

    async def read(query=PERIOD):
        response = await shop.download(client, "journal", query)
        assert response.status_code == 200, await response.get_json()
        text = (await response.get_data()).decode().removeprefix("\ufeff")
        balances = Counter()
        for row in csv.DictReader(io.StringIO(text)):
            balances[row["account"]] += Decimal(row["debit"] or 0) - Decimal(row["credit"] or 0)
        return {account: str(amount) for account, amount in balances.items() if amount}

    return read


async def test_day_of_mixed_taxes_and_tips_is_booked(shop, read_balances):
    await shop.set_accounts(chart="skr03")
    await shop.pay(await shop.order(line(shop.soup), line(shop.cake), tip_amount=1), tip=2)
    await shop.close()

    assert await read_balances() == {"1000": "25.60", "8400": "-11.90", "8300": "-10.70", "1590": "-3.00"}


async def test_refund_lowers_the_revenue_of_its_rate(shop, read_balances):
    await shop.set_accounts(chart="skr03", refund_accounts="19 = 8720")
    order = await shop.order(line(shop.soup), line(shop.cake))
    await shop.pay(order)
    lines = [{"line_id": each["id"], "quantity": 1} for each in order["items"] if each["name"] == "Soup"]
    await shop.act(order, "/refunds", {"lines": lines, "reason": "Cold"})
    await shop.close()

    assert await read_balances() == {"1000": "10.70", "8400": "-11.90", "8300": "-10.70", "8720": "11.90"}


async def test_cancelled_order_with_its_refund_leaves_nothing(shop, read_balances):
    await shop.set_accounts(chart="skr03")
    order = await shop.order(line(shop.soup))
    await shop.pay(order)
    await shop.refund(order, 11.9)
    await shop.cancel(order)
    await shop.close()

    assert await read_balances() == {}


async def test_refund_of_a_closed_day_is_taken_back_when_the_order_is_cancelled(shop, read_balances, clock):
    await shop.set_accounts(chart="skr03")
    order = await shop.order(line(shop.soup))
    await shop.pay(order)
    await shop.refund(order, 11.9)
    await shop.close()
    assert await read_balances() == {}
    clock.advance(days=1)
    await shop.cancel(order)
    await shop.close()

    assert await read_balances("from=2030-05-16&to=2030-05-16") == {}


async def test_open_check_stays_open(shop, read_balances):
    await shop.set_accounts(chart="skr03")
    order = await shop.order(line(shop.soup))
    await shop.pay(order, amount=5)
    await shop.close()

    assert await read_balances() == {"1000": "5.00", "1410": "6.90", "8400": "-11.90"}


async def test_gift_card_takes_off_a_liability(shop, read_balances):
    await shop.set_accounts(chart="skr03")
    card = (await shop.send("POST", "/gift-cards", {"amount": 50})).document
    await shop.pay(await shop.order(line(shop.soup)), method="gift_card", code=card["code"])
    await shop.close()

    assert await read_balances() == {"1700": "11.90", "8400": "-11.90"}


async def test_same_period_is_the_same_bytes_and_open_days_are_not_in_it(client, shop, clock):
    await shop.set_accounts(chart="skr03", consultant_number=1001, client_number=1)
    await shop.pay(await shop.order(line(shop.soup)))
    await shop.close()
    before = [await (await shop.download(client, name)).get_data() for name in ("journal", "datev")]
    clock.advance(days=1)
    await shop.pay(await shop.order(line(shop.cake)))

    responses = [await shop.download(client, name) for name in ("journal", "datev")]

    assert [await response.get_data() for response in responses] == before
    assert [response.headers["Closed-To"] for response in responses] == ["2030-05-15"] * 2
    period = (await shop.get(f"/accounting?{PERIOD}")).document
    assert (period["closed_to"], period["is_complete"]) == ("2030-05-15", False)
    assert [(each["number"], each["to"]) for each in period["closings"]] == [(1, "2030-05-15")]


async def test_empty_period_has_heads_only(client, shop):
    await shop.set_accounts(chart="skr03", consultant_number=1001, client_number=1)

    journal, datev = [await shop.download(client, name) for name in ("journal", "datev")]

    assert len((await journal.get_data()).splitlines()) == 1
    assert len((await datev.get_data()).splitlines()) == 2
    assert "Closed-To" not in journal.headers


async def test_forgotten_days_are_booked_once(shop, clock, read_balances):
    await shop.set_accounts(chart="skr03")
    await shop.pay(await shop.order(line(shop.soup)))
    clock.advance(days=2)
    await shop.close()

    assert await read_balances("from=2030-05-15&to=2030-05-16") == {}
    assert await read_balances("from=2030-05-17&to=2030-05-17") == {"1000": "11.90", "8400": "-11.90"}


async def test_missing_account_refuses_files(client, shop):
    await shop.set_accounts(chart="skr03", consultant_number=1001, client_number=1)
    await shop.send("PUT", f"/menu/items/{shop.cake['id']}", {"tax_rate": 5.5})
    await shop.pay(await shop.order(line(shop.cake)))
    await shop.close()

    for name in ("journal", "datev"):
        response = await shop.download(client, name)
        assert response.status_code == 409
        document = await response.get_json()
        assert document["reason"] == "missing_accounts"
        assert document["message"] == "There is no account for revenue at 5.5 %. Enter it in the settings."
    assert (await shop.get(f"/accounting?{PERIOD}"))["missing_rates"] == [5.5]


async def test_datev_needs_the_numbers_of_the_client(client, shop):
    response = await shop.download(client, "datev")

    assert response.status_code == 409
    assert (await response.get_json())["reason"] == "not_for_datev"


@pytest.mark.parametrize(
    ("query", "sentence"),
    [
        ("from=2030-01-01&to=2031-01-02", "A report can cover at most 366 days."),
        ("from=2030-05-02&to=2030-05-01", "Must not be after to."),
    ],
)
@pytest.mark.parametrize("name", ["journal", "datev"])
async def test_wrong_period_is_refused(client, shop, name, query, sentence):
    response = await shop.download(client, name, query)

    assert response.status_code == 422
    assert (await response.get_json())["errors"] == {"from": [sentence]}


async def test_other_owners_store_is_not_there(client, shop, other_owner):
    for name in ("", "/export", "/export?format=datev"):
        response = await client.get(f"/api/v1/restaurants/{shop.id}/accounting{name}", headers=other_owner.auth)
        assert response.status_code == 404
