"""The figures of a reseller on the wire."""

from typing import Annotated

from comanda.contracts.wire import MoneyNumber, PercentNumber
from pydantic import BaseModel, Field


class StatsOut(BaseModel):
    """The figures of a reseller, in its currency.

    ``mrr`` and ``arr`` are the recurring revenue per month and year, without tax. ``churn_30d`` counts the
    subscriptions that were paid for and ended in the last 30 days, ``new_30d`` those first paid for in them.
    """

    customers: int
    active: int
    suspended: int
    trialing: int
    past_due: int
    mrr: MoneyNumber
    arr: MoneyNumber
    currency: str
    churn_30d: int
    churn_rate_30d: Annotated[PercentNumber, Field(validation_alias="churn_rate_ppm")]
    new_30d: int
