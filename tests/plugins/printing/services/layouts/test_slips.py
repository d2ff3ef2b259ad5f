"""The layouts, as they come out of a printer, in several languages."""

from dataclasses import asdict, replace
from datetime import UTC, datetime

import orjson
import pytest
from comanda_printing.models import JobKind
from comanda_printing.records import PrintOptions
from comanda_printing.services.layouts.commands import ESCPOS, encode
from comanda_printing.services.layouts.elements import Paper
from comanda_printing.services.layouts.facts import Amount, Heading, KitchenFacts, ReceiptFacts, SampleFacts, SlipLine
from comanda_printing.services.layouts.slips import build_slip

from tests.plugins.printing.emulators import read_paper

MOMENT = datetime(2026, 3, 14, 18, 5, tzinfo=UTC)
HEADING = Heading(18, "on-table", "12", None, "Zoë", "Birthday", MOMENT, None, "Europe/Lisbon")
SOUP = SlipLine(1, "Soup", 2, "Large", ("Bread",), "NO NUTS", 3, 1, 1600)
WINE = SlipLine(2, "Wine", 1, course=2, total_minor=500)
TICKET = KitchenFacts(HEADING, 1, 2, (SOUP, WINE), (WINE,))
RECEIPT = ReceiptFacts(
    HEADING, "Casa", ("Rua 1",), "EUR", (SOUP, WINE),
    (Amount("subtotal", 2100), Amount("tax_included", 393, "23.0"), Amount("total", 2100), Amount("paid", 2100)),
)  # fmt: skip


def print_slip(kind, facts, language="en", **options):
    stored = orjson.loads(orjson.dumps(asdict(facts)))
    return read_paper(encode(build_slip(kind, stored, PrintOptions(language, **options)), Paper(80, "cp858"), ESCPOS))


@pytest.fixture(autouse=True)
def _with_registry(app):
    pass


def test_weight_stands_on_the_ticket_and_its_price_on_the_receipt():
    label = "0.432 kg \N{MULTIPLICATION SIGN} \N{EURO SIGN}12.90/kg"
    weighed = replace(SOUP, price_label=label)

    ticket = print_slip(JobKind.KITCHEN, replace(TICKET, added=(weighed, replace(WINE, price_label="Happy hour"))))
    receipt = print_slip(JobKind.RECEIPT, replace(RECEIPT, lines=(weighed,)))

    assert "0.432 kg" in str(ticket)
    assert "12.90" not in str(ticket)
    assert "Happy hour" not in str(ticket)
    assert "12.90/kg" in str(receipt)


def test_a_ticket_says_what_an_order_must_not_contain():
    facts = {"avoid_allergens": ["peanuts", "milk"], "restrictions_override": ["Made without the sauce"]}

    printed = print_slip(JobKind.KITCHEN, replace(TICKET, heading=replace(HEADING, facts=facts)))

    assert printed[4:9] == [
        "! Must not contain:", "Peanuts, Milk", "! Made in spite of it:", "Made without the sauce", "-" * 48
    ]  # fmt: skip


def test_a_kitchen_ticket():
    assert print_slip(JobKind.KITCHEN, TICKET) == [
        "Table 12             #18",
        "Dine in",
        "Zoë",
        "Sat 14 Mar, 18:05                        Round 2",
        "-" * 48,
        "          VOID",
        "-1 x Wine",
        "-" * 48,
        "                    Course 1",
        "2 x Soup",
        "   Large",
        "   + Bread",
        "   Seat 3",
        "! NO NUTS",
        "                    Course 2",
        "1 x Wine",
        "-" * 48,
        "Birthday",
    ]


def test_a_receipt_in_another_language_twice():
    rows = print_slip(JobKind.RECEIPT, RECEIPT, "de", copies=2, is_copy=True)

    assert rows[0].strip() == "KOPIE"
    assert [row.split() for row in rows if row.startswith(("Zwischensumme", "Enthaltene", "Summe"))][:3] == [
        ["Zwischensumme", "21,00", "€"],
        ["Enthaltene", "Steuern", "23", "%", "3,93", "€"],
        ["Summe", "21,00", "€"],
    ]
    assert rows[: len(rows) // 2] == rows[len(rows) // 2 :]


def test_arabic_slips_are_pictures():
    rows = print_slip(JobKind.KITCHEN, KitchenFacts(HEADING, is_cancelled=True), "ar")

    assert any(row.startswith("[576x") for row in rows)


def test_a_test_page_prints_on_every_paper():
    facts = SampleFacts("Casa", "Kitchen", "https://example.com/dashboard/stores/1/printers/1", MOMENT, "Europe/Lisbon")

    assert "Test page" in " ".join(print_slip(JobKind.TEST, facts))
