"""Lists of accounts with one on each line."""

import pytest
from comanda_accounting.services.account_lists import check_account, parse_methods, parse_rates


@pytest.mark.parametrize(
    ("text", "rates"),
    [
        ("", {}),
        ("19 = 8400\n\n7%=8300\r\n", {190_000: "8400", 70_000: "8300"}),
        ("8,875 % = 4000-A", {88_750: "4000-A"}),
        ("\u0667 = 8300", {70_000: "8300"}),
        ("0=8200\n100=1", {0: "8200", 1_000_000: "1"}),
    ],
)
def test_rates_are_read_as_people_write_them(text, rates):
    assert parse_rates(text) == rates


@pytest.mark.parametrize("text", ["19", "= 8400", "19 = ", "x = 1", "-1 = 1", "100.1 = 1", "1.00001 = 1", "19 = =1"])
def test_other_rates_are_refused(text):
    with pytest.raises(ValueError, match="must have a tax rate and an account on each line"):
        parse_rates(text)


def test_methods_are_read_by_their_code():
    assert parse_methods("stripe = 1361\ncash=1000") == {"stripe": "1361", "cash": "1000"}


@pytest.mark.parametrize("account", ["=1", "+1", "-1", "@1", "1 2", "8" * 21])
def test_accounts_are_no_formulas(account):
    with pytest.raises(ValueError, match="must be an account"):
        check_account(account)
