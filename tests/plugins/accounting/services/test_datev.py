"""DATEV's file, written by hand for a small day, and what it cannot take."""

from datetime import date

import pytest
from comanda_accounting.services.bookings import create_bookings
from comanda_accounting.services.charts import ChartName
from comanda_accounting.services.datev import COLUMNS, Batch, create_batch, find_problem, quote
from comanda_accounting.services.store_accounts import StoreAccounts
from comanda_accounting.store_settings import AccountingSettings

DAY = {
    ("tax", "190000"): (1, 1000, 190),
    ("tax", "70000"): (1, 1000, 70),
    ("figure", "payment_tips"): (1, 200, 0),
    ("tender", "cash"): (1, 2460, 0),
    ("refund", "cash"): (1, 1190, 0),
    ("allowance", "190000"): (1, 1000, 190),
}
HEADER = (
    '"EXTF";700;21;"Buchungsstapel";13;20300516013015250;;"CO";"Comanda";"";1001;55003;20300101;4;20300501;20300531;'
    '"Café Lódz";"";1;0;0;"EUR";;"";;;"03";;;"";""'
)
# Up to the text, and behind it: 99 columns, whether the batch is final, and 11 more.
ROWS = (
    '10,70;"S";;;;;1410;8300;;1505;"Z7";;;"Umsatz zu 7 %"',
    '11,90;"S";;;;;1410;8400;;1505;"Z7";;;"Umsatz zu 19 %"',
    '24,60;"S";;;;;1000;1410;;1505;"Z7";;;"Zahlungen: Bar"',
    '2,00;"S";;;;;1410;1590;;1505;"Z7";;;"Trinkgeld auf Zahlungen"',
    '11,90;"H";;;;;1000;1410;;1505;"Z7";;;"Erstattungen: Bar"',
    '11,90;"H";;;;;1410;8400;;1505;"Z7";;;"Erstatteter Umsatz zu 19 %"',
)


@pytest.fixture
def create(close_with):
    """Return a function that makes a batch of one day."""

    def make(sums=DAY, *, currency="EUR", title="Café Łódź", period=("2030-05-01", "2030-05-31"), **fields):
        given = {"chart": ChartName.SKR03, "consultant_number": 1001, "client_number": 55003, **fields}
        settings = AccountingSettings(**given)
        closing = close_with(sums, currency=currency)
        booked = create_bookings(closing, StoreAccounts.of(settings), {"cash": "Cash"})
        first, last = map(date.fromisoformat, period)
        return Batch(settings, title, currency, first, last, [booked])

    return make


def list_rows(batch):
    return create_batch(batch).decode("cp1252").split("\r\n")[2:-1]


async def test_small_day_is_these_bytes(create, app):
    batch = create()

    assert find_problem(batch) is None
    expected = [HEADER, ";".join(COLUMNS), *(row + ";" * 100 + "0" + ";" * 11 for row in ROWS)]
    assert create_batch(batch) == "".join(f"{line}\r\n" for line in expected).encode("cp1252")


def test_header_and_rows_have_the_columns_of_the_format(create):
    head, columns, *rows = create_batch(create()).decode("cp1252").split("\r\n")[:-1]

    assert len(head.split(";")) == 31
    assert [len(line.split(";")) for line in (columns, *rows)] == [125] * (len(rows) + 1)
    assert [
        columns.split(";").index(name) + 1 for name in ("Konto", "Belegdatum", "Buchungstext", "Festschreibung")
    ] == [7, 10, 14, 114]


@pytest.mark.parametrize(
    ("text", "quoted"),
    [
        ("Çiğ köfte €", '"Çig köfte €"'),
        ("Łódź Żabka", '"Lódz Zabka"'),
        ("\u5bff\u53f8 \u0634", '"?? ?"'),
        ("\ufb01ne \U0001f355", '"fine ?"'),
        # Full-width characters whose plain form ends a text, or begins a formula.
        ("a\uff02;b", '"a"";b"'),
        ("\uff1d1+1", '"\'=1+1"'),
        ("\u3392" * 40, f'"{"MHz" * 20}"'),
    ],
)
def test_letters_beyond_the_encoding_lose_their_marks(text, quoted):
    assert quote(text, 60) == quoted
    assert quoted.encode("cp1252")


def test_texts_are_no_formulas_and_stay_in_their_field(create):
    head = create_batch(create(title='=HYPERLINK("x";\n"y") and more and more')).decode("cp1252").split("\r\n")[0]

    assert head.split(";20300531;")[1].startswith('"\'=HYPERLINK(""x""; ""y"") and more";"";1;')


def test_shorter_accounts_are_filled_up(create):
    row = list_rows(create(account_length=6, cash_account="100001"))[2]

    assert row.split(";")[6:8] == ["100001", "141000"]


def test_amounts_without_decimals_have_two(create):
    row = list_rows(create({("tender", "cash"): (1, 1200, 0)}, currency="JPY"))[0]

    assert row.startswith('1200,00;"S"')


@pytest.mark.parametrize(
    ("period", "start", "year"),
    [(("2030-05-01", "2030-05-31"), "07-01", "20290701"), (("2030-07-01", "2030-07-31"), "07-01", "20300701")],
)
def test_fiscal_year_is_that_of_the_period(create, period, start, year):
    batch = create(period=period, fiscal_year_start=start)

    assert create_batch(batch).decode("cp1252").split(";")[12] == year
    assert find_problem(batch) is None


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        (
            {"client_number": None},
            "DATEV needs the numbers of the consultant and the client. Enter them in the settings.",
        ),
        (
            {"period": ("2030-06-30", "2030-07-01"), "fiscal_year_start": "07-01"},
            "DATEV takes days of one fiscal year at a time. Choose a shorter period.",
        ),
        ({"currency": "KWD"}, "DATEV takes no currency with more than two decimals."),
        (
            {"cash_account": "10000", "tips_account": "Tips"},
            "DATEV takes accounts of 4 digits. Change these: 10000, Tips.",
        ),
        ({"sums": {("tender", "cash"): (1, 10**12, 0)}}, "DATEV takes no amount that large."),
    ],
)
def test_what_datev_cannot_take_is_said(create, fields, sentence):
    assert find_problem(create(**fields)) == sentence
