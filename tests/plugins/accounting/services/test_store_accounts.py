"""The accounts of a store: its own, and otherwise those of its chart."""

from comanda_accounting.services.charts import ChartName, Purpose
from comanda_accounting.services.store_accounts import StoreAccounts
from comanda_accounting.store_settings import AccountingSettings


def test_own_accounts_win_over_the_chart():
    accounts = StoreAccounts.of(
        AccountingSettings(
            chart=ChartName.SKR03, cash_account="1010", revenue_accounts="19 = 8401", method_accounts="cash = 1011"
        )
    )

    assert (accounts.get_method("cash"), accounts.get_method("stripe")) == ("1011", "1360")
    assert (accounts.find_revenue(190_000), accounts.find_revenue(70_000)) == ("8401", "8300")
    assert accounts.accounts[Purpose.CASH] == "1010"


def test_refunds_are_booked_to_revenue_unless_they_have_an_account():
    accounts = StoreAccounts.of(AccountingSettings(chart=ChartName.SKR04, refund_accounts="19 = 4720"))

    assert (accounts.find_refund(190_000), accounts.find_refund(70_000)) == ("4720", "4300")
    assert accounts.find_refund(50_000) is None


def test_what_is_not_taxed_has_no_account_of_a_tax():
    accounts = StoreAccounts.of(AccountingSettings())

    assert (accounts.find_tax(0), accounts.find_tax(190_000)) == (None, "2200")
