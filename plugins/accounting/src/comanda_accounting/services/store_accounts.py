"""The accounts of a store: its own, and otherwise those of its chart."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from comanda_accounting.services.account_lists import parse_methods, parse_rates
from comanda_accounting.services.charts import CHARTS, Chart, Purpose
from comanda_accounting.store_settings import AccountingSettings

CASH: Final = "cash"
GIFT_CARD: Final = "gift_card"
PURPOSES: Final[Mapping[str, Purpose]] = {
    CASH: Purpose.CASH,
    "card_external": Purpose.CARD,
    GIFT_CARD: Purpose.GIFT_CARDS,
    "store_credit": Purpose.STORE_CREDIT,
}


@dataclass(frozen=True, slots=True)
class StoreAccounts:
    """Which account is for what; rates are in parts per million."""

    chart: Chart
    accounts: Mapping[Purpose, str]
    methods: Mapping[str, str]
    revenue: Mapping[int, str]
    taxes: Mapping[int, str]
    refunds: Mapping[int, str]

    @classmethod
    def of(cls, settings: AccountingSettings) -> "StoreAccounts":
        """Return the accounts of a store's settings."""
        chart = CHARTS[settings.chart]
        own = {purpose: getattr(settings, f"{purpose}_account") for purpose in Purpose}
        return cls(
            chart=chart,
            accounts={purpose: own[purpose] or chart.accounts[purpose] for purpose in Purpose},
            methods=parse_methods(settings.method_accounts),
            revenue={**chart.revenue, **parse_rates(settings.revenue_accounts)},
            taxes=parse_rates(settings.tax_accounts),
            refunds=parse_rates(settings.refund_accounts),
        )

    def get_method(self, method: str) -> str:
        """Return the account of a payment method."""
        return self.methods.get(method) or self.accounts[PURPOSES.get(method, Purpose.ONLINE)]

    def find_revenue(self, rate_ppm: int) -> str | None:
        """Return the account of what is sold at a tax rate."""
        return self.revenue.get(rate_ppm, self.chart.other_revenue)

    def find_refund(self, rate_ppm: int) -> str | None:
        """Return the account of what is given back of sales at a tax rate."""
        return self.refunds.get(rate_ppm, self.find_revenue(rate_ppm))

    def find_tax(self, rate_ppm: int) -> str | None:
        """Return the account of the tax at a rate; None if it is booked with the revenue."""
        return self.taxes.get(rate_ppm, self.chart.other_tax) if rate_ppm else None
