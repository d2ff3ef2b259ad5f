"""Records of accounting, as services return them."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Annotated

from comanda.basics import Money
from comanda.contracts import PercentNumber, StoreId
from pydantic import Field


@dataclass(frozen=True, slots=True)
class ClosingInPeriod:
    """A closing in a period, booked on its last day. ``booked`` is the sum of its debits, and of its credits."""

    id: int
    number: int
    first: Annotated[date, Field(serialization_alias="from")]
    last: Annotated[date, Field(serialization_alias="to")]
    booked: Money


@dataclass(frozen=True, slots=True)
class AccountingPeriod:
    """What the files of a period have: its closings, and what keeps the files from being made.

    ``closed_to`` is the last day that is closed; what is after it is in no file. ``missing_rates`` are tax rates
    without an account, ``datev_problem`` says why there is no file for DATEV.
    """

    store_id: StoreId
    first: Annotated[date, Field(serialization_alias="from")]
    last: Annotated[date, Field(serialization_alias="to")]
    currency: str
    closed_to: date | None
    is_complete: bool
    closings: Sequence[ClosingInPeriod]
    missing_rates: Sequence[PercentNumber]
    datev_problem: str | None
