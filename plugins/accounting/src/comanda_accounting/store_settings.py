"""The accounts that a store's closed days are booked to, and its numbers at DATEV."""

import re
from datetime import date
from typing import Annotated, Final

from comanda.contracts import Count, StoreSettings, StoreSettingsFields, setting
from comanda.web import N_
from pydantic import AfterValidator, Field

from comanda_accounting.services.account_lists import check_account, check_methods, check_rates
from comanda_accounting.services.charts import ChartName

# Every year has it, and a year can begin on it.
DAY_OF_YEAR: Final = re.compile(r"[0-9]{2}-[0-9]{2}")
COMMON_YEAR: Final = 2001


def _check_day_of_year(text: str) -> str:
    problem = "must be a month and a day of every year, such as 01-01"
    if not DAY_OF_YEAR.fullmatch(text):
        raise ValueError(problem)
    try:
        date.fromisoformat(f"{COMMON_YEAR}-{text}")
    except ValueError as error:
        raise ValueError(problem) from error
    return text


Account = Annotated[str, Field(max_length=20), AfterValidator(check_account)]
Rates = Annotated[str, Field(max_length=2000), AfterValidator(check_rates)]
Methods = Annotated[str, Field(max_length=2000), AfterValidator(check_methods)]
DayOfYear = Annotated[str, Field(max_length=5), AfterValidator(_check_day_of_year)]
# What an adviser at DATEV has as its number, a client there as its own, and how long accounts of the ledger are.
Consultant = Annotated[Count, Field(ge=1001, le=9_999_999)]
Client = Annotated[Count, Field(ge=1, le=99_999)]
AccountLength = Annotated[Count, Field(ge=4, le=8)]


class AccountingSettings(StoreSettingsFields):
    """The accounts of a store. Those that are empty are those of the chart."""

    chart: ChartName = setting(
        ChartName.GENERAL,
        label=N_("Chart of accounts"),
        help_text=N_("SKR03 and SKR04 are those of Germany. Accounts left empty are those of the chart."),
    )
    revenue_accounts: Rates = setting(
        "", label=N_("Revenue by tax rate"), help_text=N_("One on each line, such as 19 = 8400.")
    )
    tax_accounts: Rates = setting(
        "",
        label=N_("Tax by tax rate"),
        help_text=N_("Leave it empty if revenue accounts take amounts with tax, as those of SKR03 and SKR04 do."),
    )
    refund_accounts: Rates = setting(
        "",
        label=N_("Refunds by tax rate"),
        help_text=N_("For refunds of what was sold. Leave it empty to book them to the revenue accounts."),
    )
    method_accounts: Methods = setting(
        "",
        label=N_("Further payment methods"),
        help_text=N_("One on each line, such as stripe = 1361. The others have the account of online payments."),
    )
    checks_account: Account = setting(
        "", label=N_("Open checks"), help_text=N_("What was sold and is not paid yet. Sales and payments meet here.")
    )
    cash_account: Account = setting("", label=N_("Cash"))
    card_account: Account = setting("", label=N_("Card terminal"))
    online_account: Account = setting("", label=N_("Online payments"))
    gift_cards_account: Account = setting("", label=N_("Gift cards"))
    store_credit_account: Account = setting("", label=N_("Store credit"))
    tips_account: Account = setting("", label=N_("Tips"))
    rounding_account: Account = setting("", label=N_("Cash rounding"))
    deposits_account: Account = setting("", label=N_("Deposits"))
    kept_deposits_account: Account = setting("", label=N_("Kept deposits"))
    drawer_differences_account: Account = setting("", label=N_("Drawer differences"))
    consultant_number: Consultant | None = setting(None, label=N_("DATEV: number of the consultant"))
    client_number: Client | None = setting(None, label=N_("DATEV: number of the client"))
    fiscal_year_start: DayOfYear = setting(
        "01-01", label=N_("DATEV: start of the fiscal year"), help_text=N_("Month and day, such as 01-01.")
    )
    account_length: AccountLength = setting(
        4, label=N_("DATEV: length of accounts"), help_text=N_("Shorter accounts are filled up with zeros.")
    )


STORE_SETTINGS: Final = StoreSettings(plugin="accounting", title=N_("Accounting"), fields=AccountingSettings)
