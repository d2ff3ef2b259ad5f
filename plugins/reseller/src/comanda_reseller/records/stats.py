"""Records of the figures of a reseller."""

from dataclasses import dataclass

from comanda.money import Money


@dataclass(frozen=True, slots=True)
class ResellerStats:
    """The figures of a reseller; ``churn_rate_ppm`` is the share of those who paid 30 days ago that have left since."""

    customers: int
    active: int
    suspended: int
    trialing: int
    mrr: Money
    arr: Money
    churn_30d: int
    churn_rate_ppm: int
    new_30d: int
    past_due: int

    @property
    def currency(self) -> str:
        """The currency of the amounts."""
        return self.mrr.currency
