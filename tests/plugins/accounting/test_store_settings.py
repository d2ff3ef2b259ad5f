"""Accounts in the settings of a store."""

import pytest

PATH = "/settings/accounting"


async def test_accounts_are_changed_one_by_one(shop):
    await shop.set_accounts(chart="skr04", revenue_accounts="19 = 4401\n 5,5 % = 4310")
    await shop.set_accounts(cash_account=" 1601 ")

    settings = (await shop.get(PATH)).document
    assert (settings["chart"], settings["cash_account"], settings["account_length"]) == ("skr04", "1601", 4)
    assert settings["revenue_accounts"] == "19 = 4401\n 5,5 % = 4310"


@pytest.mark.parametrize(
    ("field", "value", "sentence"),
    [
        ("chart", "skr99", "Must be one of: general, skr03, skr04."),
        ("cash_account", "=1+1", "Must be an account of at most 20 letters and digits, such as 8400."),
        ("cash_account", "8" * 21, "Must have at most 20 characters."),
        ("revenue_accounts", "19: 8400", "Must have a tax rate and an account on each line, such as 19 = 8400."),
        ("revenue_accounts", "101 = 8400", "Must have a tax rate and an account on each line, such as 19 = 8400."),
        ("revenue_accounts", "19 =", "Must have a tax rate and an account on each line, such as 19 = 8400."),
        ("tax_accounts", "19 = 1\n19.0 = 2", "Must have each tax rate and payment method once."),
        ("refund_accounts", "1 = 1\n" * 51, "Must have at most 50 lines."),
        (
            "method_accounts",
            "Stripe = 1361",
            "Must have a payment method and an account on each line, such as stripe = 1361.",
        ),
        ("consultant_number", 1000, "Must be 1001 or more."),
        ("client_number", 100_000, "Must be 99999 or less."),
        ("client_number", True, "Must be a number, not true or false."),
        ("fiscal_year_start", "02-29", "Must be a month and a day of every year, such as 01-01."),
        ("fiscal_year_start", "1-1", "Must be a month and a day of every year, such as 01-01."),
        ("account_length", 9, "Must be 8 or less."),
    ],
)
async def test_wrong_settings_are_refused(shop, field, value, sentence):
    before = (await shop.get(PATH)).document

    reply = await shop.send("PUT", PATH, {field: value})

    assert (reply.status, reply["errors"]) == (422, {field: [sentence]})
    assert (await shop.get(PATH)).document == before
