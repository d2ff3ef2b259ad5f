"""PDF files of invoices."""

import io
from datetime import UTC, datetime

import pytest
from comanda_reseller.services.invoices.invoice_documents import DocumentLine, InvoiceDocument, Party
from comanda_reseller.services.invoices.invoice_pdf import render_pdf
from pypdf import PdfReader


def create_document(name="Ada", lines=1):
    line = DocumentLine("Pro", "5 January 2030", "1", "29.00", "19 %", "5.51", "29.00")
    return InvoiceDocument(
        title="Invoice",
        number="INV-000001",
        status="open",
        status_label="Open",
        issued_at=datetime(2030, 1, 5, tzinfo=UTC),
        facts=[("Number", "INV-000001")],
        seller=Party("Northwind", ["Street 1"]),
        buyer=Party(name, []),
        lines=[line] * lines,
        totals=[("Total", "34.51 EUR")],
        notes=["Thank you"],
    )


async def read(document):
    reader = PdfReader(io.BytesIO(await render_pdf(document)))
    return reader, "\n".join(page.extract_text() for page in reader.pages)


@pytest.mark.parametrize("name", ["Ångström & Söhne", "Αθήνα", "ООО «Ромашка»", "ნინო", "Երևան", "Łódź Çelik"])  # noqa: RUF001 - Cyrillic
async def test_names_of_many_scripts_are_in_the_text(runtime, name):
    _, text = await read(create_document(name))

    assert name in text


@pytest.mark.parametrize("name", ["مطعم النخيل", "מסעדה בתל אביב", "東京レストラン", "🍕", "\u200f\u202e x", "a" * 255])
async def test_no_name_makes_the_file_fail(runtime, name):
    _, text = await read(create_document(name))

    assert "INV-000001" in text


async def test_many_lines_go_on_further_pages(runtime):
    reader, text = await read(create_document(lines=120))

    assert len(reader.pages) >= 3
    assert text.count("29.00") == 240
    assert reader.metadata.title == "Invoice INV-000001"
