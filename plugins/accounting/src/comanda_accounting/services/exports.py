"""Files of a store's closed days. What is closed never changes, so neither do they, unless its settings do."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final
from zoneinfo import ZoneInfo

from comanda.basics import Conflict, Money, Sentence, clock
from comanda.contracts import Answer, Caller
from comanda.platform import runtime
from comanda.platform.db import sql
from comanda.stores import get_day, get_settings, get_store_settings, require_store
from comanda_analytics.api import ReportPeriod, resolve_period
from comanda_closings.api import ClosedDays, get_closed_to, list_closed_days

from comanda_accounting.records import AccountingPeriod, ClosingInPeriod
from comanda_accounting.schemas import AccountingExportQuery, AccountingFormat, PeriodQuery
from comanda_accounting.services import datev
from comanda_accounting.services.bookings import BookedClosing, create_bookings, find_missing_rates, format_rate
from comanda_accounting.services.bookings_csv import create_csv
from comanda_accounting.services.store_accounts import StoreAccounts
from comanda_accounting.store_settings import AccountingSettings

CONTENT_TYPE: Final = "text/csv"
CLOSED_TO_HEADER: Final = "Closed-To"


@dataclass(frozen=True, slots=True)
class _Period:
    """A store's closings of a period, and the accounts that they are booked to."""

    store: sql.Row
    period: ReportPeriod
    settings: AccountingSettings
    accounts: StoreAccounts
    closings: Sequence[ClosedDays]
    closed_to: date | None

    def book(self) -> list[BookedClosing]:
        """Return the bookings of all closings."""
        labels = {code: method.label for code, method in runtime.registry().payment_methods.items()}
        return [create_bookings(closing, self.accounts, labels) for closing in self.closings]

    def require_accounts(self) -> None:
        """Raise ``Conflict`` for tax rates that have no account."""
        if missing := find_missing_rates(self.closings, self.accounts):
            rates = ", ".join(f"{format_rate(rate)} %" for rate in missing)
            raise Conflict(
                Sentence("There is no account for revenue at %(rates)s. Enter it in the settings.", rates=rates),
                extras={"reason": "missing_accounts"},
            )

    def answer(self, content: bytes, name: str, charset: str) -> Answer:
        """Return a file, with the last day that is closed."""
        headers = {"Content-Disposition": f'attachment; filename="{name}-{self.period.first}-{self.period.last}.csv"'}
        if self.closed_to is not None:
            headers[CLOSED_TO_HEADER] = self.closed_to.isoformat()
        return Answer(content, headers=headers, content_type=f"{CONTENT_TYPE}; charset={charset}")


async def get_period(caller: Caller, store_id: int, query: PeriodQuery) -> AccountingPeriod:
    """Return what the files of a period have.

    Raises ``NotFound`` for a store that is not the caller's, ``ValidationFailed`` for too many days.
    """
    loaded = await _load(caller, store_id, query)
    currency, missing = loaded.store["currency"], find_missing_rates(loaded.closings, loaded.accounts)
    booked = loaded.book()
    problem = None if missing else datev.find_problem(await _create_batch(caller, loaded, booked))
    return AccountingPeriod(
        store_id=store_id,
        first=loaded.period.first,
        last=loaded.period.last,
        currency=currency,
        closed_to=loaded.closed_to,
        is_complete=loaded.closed_to is not None and loaded.closed_to >= loaded.period.last,
        closings=[
            ClosingInPeriod(
                id=each.closing.id,
                number=each.closing.number,
                first=each.closing.first,
                last=each.closing.last,
                booked=Money(each.debit_minor, currency),
            )
            for each in booked
        ],
        missing_rates=missing,
        datev_problem=problem,
    )


async def export_closings(caller: Caller, store_id: int, query: AccountingExportQuery) -> Answer:
    """Return the file of a period.

    Raises as ``get_period``, and ``Conflict`` for tax rates without an account, or if DATEV cannot have the file.
    """
    loaded = await _load(caller, store_id, query)
    loaded.require_accounts()
    booked = loaded.book()
    if query.format is AccountingFormat.JOURNAL:
        return loaded.answer(create_csv(booked), "journal", "utf-8")
    batch = await _create_batch(caller, loaded, booked)
    if problem := datev.find_problem(batch):
        raise Conflict(problem, extras={"reason": "not_for_datev"})
    return loaded.answer(datev.create_batch(batch), "EXTF_Buchungsstapel", datev.ENCODING)


async def _load(caller: Caller, store_id: int, query: PeriodQuery) -> _Period:
    store = await require_store(caller, store_id)
    today = get_day(clock.now(), ZoneInfo(store["timezone"]), store["day_start_minutes"])
    period = resolve_period(query.from_, query.to, today)
    settings = await get_store_settings(AccountingSettings, caller.owner_id, store_id)
    # Read before the closings: what is closed in between is in the file, and not said to be.
    closed_to = await get_closed_to(caller, store_id)
    closings = await list_closed_days(caller, store_id, period.first, period.last)
    return _Period(store, period, settings, StoreAccounts.of(settings), closings, closed_to)


async def _create_batch(caller: Caller, loaded: _Period, booked: Sequence[BookedClosing]) -> datev.Batch:
    return datev.Batch(
        settings=loaded.settings,
        store_title=(await get_settings(caller, loaded.store["id"])).title,
        currency=loaded.store["currency"],
        first=loaded.period.first,
        last=loaded.period.last,
        closings=booked,
    )
