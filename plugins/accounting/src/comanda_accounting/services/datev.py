"""DATEV's file of bookings: a "Buchungsstapel" of the DATEV format (EXTF), version 700, format version 13.

Source: DATEV developer portal, DATEV-Format, header and Buchungsstapel. Columns count by their position. A booking has
a positive amount, ``S`` for a debit of the account or ``H`` for a credit, and no key of a tax: accounts for revenue of
SKR03 and SKR04 have a tax of their own, which DATEV divides off.
"""

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from typing import Final

from comanda.basics import Sentence, get_exponent, to_cell
from comanda.web import use_language

from comanda_accounting.services.bookings import BookedClosing, Booking, describe
from comanda_accounting.services.charts import CHARTS
from comanda_accounting.store_settings import AccountingSettings

ENCODING: Final = "cp1252"
LINE_END: Final = "\r\n"
LANGUAGE: Final = "de"
# Letters whose mark is a part of them.
PLAIN_LETTERS: Final = str.maketrans("ŁłĐđĦħı", "LlDdHhi")
DECIMALS: Final = 2
# An amount has ten digits before the comma.
MAX_CENTS: Final = 10**12 - 1
MAX_TEXT_LENGTH: Final = 60
MAX_NAME_LENGTH: Final = 30
COLUMNS: Final = (
    *("Umsatz (ohne Soll/Haben-Kz)", "Soll/Haben-Kennzeichen", "WKZ Umsatz", "Kurs", "Basis-Umsatz"),
    *("WKZ Basis-Umsatz", "Konto", "Gegenkonto (ohne BU-Schlüssel)", "BU-Schlüssel", "Belegdatum", "Belegfeld 1"),
    *("Belegfeld 2", "Skonto", "Buchungstext", "Postensperre", "Diverse Adressnummer", "Geschäftspartnerbank"),
    *("Sachverhalt", "Zinssperre", "Beleglink"),
    *(f"Beleginfo - {part} {number}" for number in range(1, 9) for part in ("Art", "Inhalt")),
    *("KOST1 - Kostenstelle", "KOST2 - Kostenstelle", "Kost-Menge", "EU-Land u. UStID (Bestimmung)"),
    *("EU-Steuersatz (Bestimmung)", "Abw. Versteuerungsart", "Sachverhalt L+L", "Funktionsergänzung L+L"),
    *("BU 49 Hauptfunktionstyp", "BU 49 Hauptfunktionsnummer", "BU 49 Funktionsergänzung"),
    *(
        f"{part} {number}"
        for number in range(1, 21)
        for part in ("Zusatzinformation - Art", "Zusatzinformation- Inhalt")
    ),
    *("Stück", "Gewicht", "Zahlweise", "Forderungsart", "Veranlagungsjahr", "Zugeordnete Fälligkeit", "Skontotyp"),
    *("Auftragsnummer", "Buchungstyp", "USt-Schlüssel (Anzahlungen)", "EU-Land (Anzahlungen)"),
    *("Sachverhalt L+L (Anzahlungen)", "EU-Steuersatz (Anzahlungen)", "Erlöskonto (Anzahlungen)", "Herkunft-Kz"),
    *("Buchungs GUID", "KOST-Datum", "SEPA-Mandatsreferenz", "Skontosperre", "Gesellschaftername"),
    *("Beteiligtennummer", "Identifikationsnummer", "Zeichnernummer", "Postensperre bis"),
    *("Bezeichnung SoBil-Sachverhalt", "Kennzeichen SoBil-Buchung", "Festschreibung", "Leistungsdatum"),
    *("Datum Zuord. Steuerperiode", "Fälligkeit", "Generalumkehr (GU)", "Steuersatz", "Land", "Abrechnungsreferenz"),
    *("BVV-Position", "EU-Land u. UStID (Ursprung)", "EU-Steuersatz (Ursprung)", "Abw. Skontokonto"),
)
# The places of what a row says.
AMOUNT, SIDE, ACCOUNT, CONTRA, DAY, NUMBER, TEXT, LOCKED = 0, 1, 6, 7, 9, 10, 13, 113


@dataclass(frozen=True, slots=True)
class Batch:
    """What a file is of: a store's closings of a period."""

    settings: AccountingSettings
    store_title: str
    currency: str
    first: date
    last: date
    closings: Sequence[BookedClosing]

    @property
    def fiscal_year_start(self) -> date:
        """The start of the fiscal year in which the period begins."""
        start = date.fromisoformat(f"{self.first.year:04}-{self.settings.fiscal_year_start}")
        return start if start <= self.first else start.replace(year=start.year - 1)


def find_problem(batch: Batch) -> Sentence | None:
    """Return why there can be no file for DATEV."""
    settings = batch.settings
    if settings.consultant_number is None or settings.client_number is None:
        return Sentence("DATEV needs the numbers of the consultant and the client. Enter them in the settings.")
    start = batch.fiscal_year_start
    if batch.last >= start.replace(year=start.year + 1):
        return Sentence("DATEV takes days of one fiscal year at a time. Choose a shorter period.")
    if get_exponent(batch.currency) > DECIMALS:
        return Sentence("DATEV takes no currency with more than two decimals.")
    bookings = [booking for booked in batch.closings for booking in booked.bookings]
    accounts = {account for booking in bookings for account in (booking.account, booking.contra)}
    if wrong := sorted(each for each in accounts if not _fits(each, settings.account_length)):
        return Sentence(
            "DATEV takes accounts of %(length)s digits. Change these: %(accounts)s.",
            length=settings.account_length,
            accounts=", ".join(wrong),
        )
    if any(_to_cents(booking, batch.currency) > MAX_CENTS for booking in bookings):
        return Sentence("DATEV takes no amount that large.")
    return None


def create_batch(batch: Batch) -> bytes:
    """Return the bookings of closings as a file for DATEV, which has no problem."""
    lines = [_create_header(batch), ";".join(COLUMNS)]
    with use_language(LANGUAGE):
        lines += [_create_row(batch, booked, booking) for booked in batch.closings for booking in booked.bookings]
    return "".join(f"{line}{LINE_END}" for line in lines).encode(ENCODING)


def _create_header(batch: Batch) -> str:
    settings, last_closing = batch.settings, batch.closings[-1].closing if batch.closings else None
    # Of the closings and not of now, so that the same days are the same file.
    created_at = last_closing.closed_at if last_closing else datetime.combine(batch.last, time(), UTC)
    fields = [
        *('"EXTF"', "700", "21", '"Buchungsstapel"', "13", _format_moment(created_at), "", '"CO"', '"Comanda"', '""'),
        *(str(settings.consultant_number), str(settings.client_number), _format_day(batch.fiscal_year_start)),
        *(str(settings.account_length), _format_day(batch.first), _format_day(batch.last)),
        *(quote(batch.store_title, MAX_NAME_LENGTH), '""', "1", "0", "0", f'"{batch.currency}"'),
        *("", '""', "", "", f'"{CHARTS[settings.chart].code}"', "", "", '""', '""'),
    ]
    return ";".join(fields)


def _create_row(batch: Batch, booked: BookedClosing, booking: Booking) -> str:
    cells = [""] * len(COLUMNS)
    whole, cents = divmod(_to_cents(booking, batch.currency), 10**DECIMALS)
    cells[AMOUNT] = f"{whole},{cents:02}"
    cells[SIDE] = '"S"' if booking.amount_minor > 0 else '"H"'
    cells[ACCOUNT] = _fill_up(booking.account, batch.settings.account_length)
    cells[CONTRA] = _fill_up(booking.contra, batch.settings.account_length)
    cells[DAY] = booked.day.strftime("%d%m")
    cells[NUMBER] = f'"Z{booked.closing.number}"'
    cells[TEXT] = quote(describe(booking), MAX_TEXT_LENGTH)
    cells[LOCKED] = "0"
    return ";".join(cells)


def _to_cents(booking: Booking, currency: str) -> int:
    return int(abs(booking.amount_minor) * 10 ** (DECIMALS - get_exponent(currency)))


def _fits(account: str, length: int) -> bool:
    return account.isascii() and account.isdigit() and len(account) <= length


def _fill_up(account: str, length: int) -> str:
    return account.ljust(length, "0")


def _format_day(day: date) -> str:
    return day.isoformat().replace("-", "")


def _format_moment(moment: datetime) -> str:
    utc = moment.astimezone(UTC)
    return f"{_format_day(utc.date())}{utc:%H%M%S}{utc.microsecond // 1000:03}"


def quote(text: str, length: int) -> str:
    """Return a quoted text of letters that the encoding has, which no spreadsheet runs as a formula."""
    # First of all: a letter may become one that ends the text, or begins a formula.
    known = "".join(_to_known(mark) for mark in text.translate(PLAIN_LETTERS))
    cell = to_cell(" ".join(known.split()))[:length]
    return '"' + cell.replace('"', '""') + '"'


def _to_known(mark: str) -> str:
    """Return a character if the encoding has it, or else its letters without marks, or ``?``."""
    if _is_known(mark):
        return mark
    letters = [each for each in unicodedata.normalize("NFKD", mark) if not unicodedata.combining(each)]
    return "".join(each if _is_known(each) else "?" for each in letters)


def _is_known(mark: str) -> bool:
    try:
        mark.encode(ENCODING)
    except UnicodeEncodeError:
        return False
    return True
