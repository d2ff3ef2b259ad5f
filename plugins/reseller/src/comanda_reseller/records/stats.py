"""Records of the figures of a reseller."""

from dataclasses import dataclass
from typing import Annotated

from comanda.basics import Money
from comanda.contracts import PercentNumber
from pydantic import Field


@dataclass(frozen=True, slots=True)
class ResellerStats:
    """The figures of a reseller, in its currency.

    ``mrr`` and ``arr`` are the recurring revenue per month and year, without tax. ``churn_30d`` counts the
    subscriptions that were paid for and ended in the last 30 days, ``new_30d`` those first paid for in them;
    ``churn_rate_ppm`` is the share of those who paid 30 days ago that have left since.
    """

    customers: int
    active: int
    suspended: int
    trialing: int
    past_due: int
    mrr: Money
    arr: Money
    currency: str
    churn_30d: int
    churn_rate_ppm: Annotated[PercentNumber, Field(serialization_alias="churn_rate_30d")]
    new_30d: int
