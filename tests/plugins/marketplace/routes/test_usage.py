"""Usage reports: what they cost, what is refused, and a hundred of them at once."""

import asyncio
from collections import Counter

import pytest
from comanda.platform.db import sql
from comanda_marketplace.services.listings import review
from comanda_wallet import api as wallet
from comanda_wallet.services.verification import verify_ledger

USAGE = {"billing": "usage", "price": 0.05}


@pytest.fixture
async def installed(developer, install, fund):
    await fund(1000)
    return await install(await developer.publish(**USAGE))


@pytest.fixture
def count_usage(owner):
    async def count():
        return await sql.fetch_value("SELECT count(*) FROM marketplace_usage WHERE owner_id = $1", owner.id)

    return count


async def report_at_once(installed, forms):
    """Report all of them at once, and each again while it gets 503, as apps do; return the replies.

    They wait for one row, ten at a time. A wait for a lock ends after five seconds, which on a busy machine is less
    than the nine before it need.
    """

    async def report(form):
        while (reply := await installed.report(**form)).status == 503:
            pass
        return reply

    return await asyncio.gather(*map(report, forms))


async def test_usage_is_charged_and_shared_with_the_developer(installed, developer, read_balance, customer):
    reply = await installed.report(quantity="3", ref="order-1")

    assert reply.status == 201
    assert {name: reply[name] for name in ("quantity", "unit_price", "amount", "balance", "ref", "duplicate")} == {
        "quantity": 3, "unit_price": 0.05, "amount": 0.15, "balance": 9.85, "ref": "order-1", "duplicate": False,
    }  # fmt: skip
    assert await read_balance() == 985
    assert (await wallet.get_earnings(developer.owner.id)).balance_minor == 12
    listed = await customer.send("GET", f"/app-installations/{installed.id}/usage")
    assert [row["id"] for row in listed["data"]] == [reply["id"]]
    stats = await developer.send("GET", f"/developer/apps/{installed.app['id']}/stats")
    assert (stats["active_installations"], stats["usage_charged"]) == (1, 0.15)


@pytest.mark.parametrize(
    ("quantity", "minor"),
    [("1", 5), ("0.1", 1), ("0.09", 0), ("0.3", 2), ("0.000001", 0), ("1e-05", 0), ("1e1", 50), ("10.1", 51)],
)
async def test_amount_is_rounded_half_up(installed, read_balance, quantity, minor):
    reply = await installed.report(quantity=quantity)

    assert (reply.status, reply["amount"]) == (201, minor / 100)
    assert await read_balance() == 1000 - minor


async def test_repeated_ref_returns_the_first_record(installed, read_balance):
    first = await installed.report(quantity="2", ref="a")
    other = await installed.report(quantity="1", ref="b")

    again = await installed.report({"quantity": 7, "ref": "a"})

    assert again.status == 200
    assert again.document == {**first.document, "duplicate": True}
    assert other["id"] != first["id"]
    assert await read_balance() == 985


INVALID_REPORTS = [
    ({}, "quantity"),
    ({"quantity": "0"}, "quantity"),
    ({"quantity": "-1"}, "quantity"),
    ({"quantity": "1e999"}, "quantity"),
    ({"quantity": "NaN"}, "quantity"),
    ({"quantity": "Infinity"}, "quantity"),
    ({"quantity": "1.0000001"}, "quantity"),
    ({"quantity": "٣"}, "quantity"),
    ({"quantity": "9999999999999999"}, "quantity"),
    ({"quantity": "1", "ref": "x" * 121}, "ref"),
    ({"quantity": "1", "ref": "a\nb"}, "ref"),
]


async def test_invalid_report_is_refused(installed, read_balance, count_usage, subtests):
    for form, field in INVALID_REPORTS:
        with subtests.test(form=form, field=field):
            reply = await installed.report(**form) if form else await installed.report({})

            assert list(reply.errors) == [field]
            assert (await read_balance(), await count_usage()) == (1000, 0)


@pytest.mark.parametrize("body", [{"quantity": True}, {"quantity": [1]}, {"quantity": 1, "ref": 5}])
async def test_invalid_json_is_refused(installed, count_usage, body):
    assert (await installed.report(body)).status == 422
    assert await count_usage() == 0


async def test_json_numbers_are_exact(installed):
    assert (await installed.report({"quantity": 0.29999}))["amount"] == 0.01
    assert (await installed.report({"quantity": "0.3"}))["amount"] == 0.02


async def test_uncovered_amount_is_402_and_its_ref_stays_free(installed, read_balance, count_usage, fund):
    refused = await installed.report(quantity="201", ref="big")

    assert (refused.status, refused["code"]) == (402, "payment_required")
    assert (await read_balance(), await count_usage()) == (1000, 0)
    await fund(5)
    assert (await installed.report(quantity="201", ref="big")).status == 201
    assert await read_balance() == 0


async def test_cap_is_402_with_its_reason_until_the_next_month(installed, customer, read_balance, clock):
    path = f"/app-installations/{installed.id}"
    assert (await customer.send("PATCH", path, {"monthly_cap": 0.2}))["monthly_cap"] == 0.2
    await installed.report(quantity="4")

    refused = await installed.report(quantity="0.1", ref="next")

    assert (refused.status, refused["code"], refused["reason"]) == (402, "payment_required", "cap_reached")
    assert await read_balance() == 980
    assert (await customer.send("GET", path))["usage_this_month"] == 0.2
    clock.advance(days=32)
    assert (await installed.report(quantity="4", ref="next")).status == 201
    assert (await customer.send("PATCH", path, {"monthly_cap": None}))["monthly_cap"] is None
    assert (await installed.report(quantity="4")).status == 201


async def test_app_without_usage_billing_is_422(developer, install, count_usage):
    installed = await install(await developer.publish())

    reply = await installed.report(quantity="1")

    assert (reply.status, reply["reason"]) == (422, "not_usage_billed")
    assert await count_usage() == 0


async def test_tokens_of_others_are_refused(installed, client, owner, count_usage):
    for headers, status, code in (
        ({}, 401, "unauthenticated"),
        ({"Authorization": "Bearer app_unknown"}, 401, "unauthenticated"),
        (owner.auth, 403, "forbidden"),
    ):
        response = await client.post("/api/app/usage", headers=headers, form={"quantity": "1"})
        assert (response.status_code, (await response.get_json())["code"]) == (status, code)
    in_query = await client.post(f"/api/app/usage?api_token={installed.token}", form={"quantity": "1"})
    assert in_query.status_code == 401
    assert await count_usage() == 0


async def test_token_of_a_client_that_is_no_app_is_403(installed, count_usage):
    await sql.execute("DELETE FROM marketplace_app WHERE id = $1", installed.app["id"])

    assert (await installed.report(quantity="1")).status == 403
    assert await count_usage() == 0


async def test_uninstalled_app_is_401(installed, customer, count_usage):
    assert (await customer.send("DELETE", f"/app-installations/{installed.id}")).status == 204

    assert (await installed.report(quantity="1")).status == 401
    assert await count_usage() == 0


async def test_price_stays_until_the_owner_accepts_the_new_one(installed, developer, customer):
    await installed.report(quantity="1")
    await developer.send("PATCH", f"/developer/apps/{installed.app['id']}", {"price": 0.5})
    path = f"/app-installations/{installed.id}"

    assert (await installed.report(quantity="1"))["amount"] == 0.05
    assert (await customer.send("GET", path))["new_terms"]["price"] == 0.5
    assert (await customer.send("POST", f"{path}/accept-terms")).status == 409
    await review.approve(installed.app["id"])
    assert (await customer.send("POST", f"{path}/accept-terms"))["new_terms"] is None
    assert (await installed.report(quantity="1"))["amount"] == 0.5


async def test_hundred_reports_at_once_never_overdraw_the_wallet(
    installed, read_balance, count_usage, developer, owner
):
    replies = await report_at_once(installed, [{"quantity": "4", "ref": f"r{i % 80}"} for i in range(100)])

    # 20 of them repeat a reference; 50 fit into the wallet.
    statuses = Counter(reply.status for reply in replies)
    charged = {reply["id"] for reply in replies if reply.status in {200, 201}}
    assert statuses[201] == len(charged) == 50
    assert statuses[402] + statuses[200] == 50
    assert (await read_balance(), await count_usage()) == (0, 50)
    assert len({reply["ref"] for reply in replies if reply.status == 201}) == 50
    assert (await wallet.get_earnings(developer.owner.id)).balance_minor == 800
    # Both legs of every entry sum to zero, and the balances are those of the entries.
    assert [one for one in (await verify_ledger()).problems if one.owner_id == owner.id] == []


async def test_reports_at_once_never_pass_the_cap(installed, customer, read_balance):
    await customer.send("PATCH", f"/app-installations/{installed.id}", {"monthly_cap": 1.1})

    replies = await report_at_once(installed, [{"quantity": "5"}] * 100)

    assert Counter(reply.status for reply in replies) == {201: 4, 402: 96}
    assert await read_balance() == 900


async def test_same_ref_at_once_is_charged_once(installed, read_balance, count_usage):
    replies = await report_at_once(installed, [{"quantity": "1", "ref": "same"}] * 40)

    assert Counter(reply.status for reply in replies) == {201: 1, 200: 39}
    assert len({reply["id"] for reply in replies}) == 1
    assert (await read_balance(), await count_usage()) == (995, 1)
