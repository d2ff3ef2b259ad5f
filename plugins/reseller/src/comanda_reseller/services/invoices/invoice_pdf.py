"""The PDF of an invoice: A4, with an embedded subset of the fonts.

Names may be in any script that the fonts cover: DejaVu Sans has Latin, Greek, Cyrillic, Armenian, Georgian, Hebrew and
Arabic. The operator can add fonts for others.
"""

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from comanda.basics import BOLD_FONT, REGULAR_FONT, LazyModule

from comanda_reseller.services.invoices.invoice_documents import DocumentLine, InvoiceDocument, Party
from comanda_reseller.settings import get_settings

if TYPE_CHECKING:
    import fpdf
else:
    # Its import takes tenths of a second, and only requests for a PDF need it.
    fpdf = LazyModule("fpdf")

PDF_TYPE: Final = "application/pdf"
FONT: Final = "DejaVu"
FONT_FILES: Final = (("", REGULAR_FONT), ("B", BOLD_FONT))
MARGIN_MM: Final = 20
INK: Final = (34, 29, 24)
QUIET: Final = (103, 95, 87)
RULE: Final = (228, 222, 214)
# Description, quantity, unit price, tax rate, tax, amount: together the width between the margins.
COLUMN_WIDTHS_MM: Final = (66, 15, 26, 18, 20, 25)
COLUMN_TITLES: Final = ("Description", "Qty", "Unit price", "Tax rate", "Tax", "Amount")
TOTAL_LABEL_MM: Final = 120
# A page is CPU work of some tenths of a second; more at once would only slow down the requests beside them.
_RENDERING: Final = asyncio.Semaphore(2)


async def render_pdf(document: InvoiceDocument) -> bytes:
    """Render an invoice as a PDF, in a thread."""
    async with _RENDERING:
        return await asyncio.to_thread(_render, document, get_settings().fonts)


def _render(document: InvoiceDocument, more_fonts: Sequence[Path]) -> bytes:
    page = _open_page(document, more_fonts)
    _draw_heading(page, document)
    _draw_parties(page, document)
    _draw_lines(page, document.lines)
    _draw_totals(page, document.totals)
    _draw_notes(page, document.notes)
    return bytes(page.output())


def _open_page(document: InvoiceDocument, more_fonts: Sequence[Path]) -> "fpdf.FPDF":
    page = fpdf.FPDF(format="A4")
    page.set_margin(MARGIN_MM)
    page.set_auto_page_break(True, MARGIN_MM)
    page.set_title(f"{document.title} {document.number}")
    page.set_author(document.seller.name)
    page.set_creation_date(document.issued_at)
    for style, path in FONT_FILES:
        page.add_font(FONT, style, path)
    for number, path in enumerate(more_fonts):
        page.add_font(f"more{number}", "", str(path))
    page.set_fallback_fonts([f"more{number}" for number in range(len(more_fonts))], exact_match=False)
    page.add_page()
    page.set_font(FONT, size=9)
    # Joins Arabic letters, and orders right-to-left text.
    page.set_text_shaping(True)
    return page


def _draw_heading(page: "fpdf.FPDF", document: InvoiceDocument) -> None:
    page.set_text_color(*INK)
    page.set_font(FONT, "B", 20)
    page.multi_cell(0, 10, document.title, new_x="LMARGIN", new_y="NEXT")
    page.ln(2)
    for label, value in document.facts:
        page.set_font(FONT, "", 9)
        page.set_text_color(*QUIET)
        page.cell(35, 5.5, label)
        page.set_text_color(*INK)
        page.set_font(FONT, "B", 9)
        page.multi_cell(0, 5.5, value, new_x="LMARGIN", new_y="NEXT")
    page.ln(6)


def _draw_parties(page: "fpdf.FPDF", document: InvoiceDocument) -> None:
    width = (page.epw - 10) / 2
    top, bottom = page.get_y(), page.get_y()
    for number, (label, party) in enumerate((("From", document.seller), ("Bill to", document.buyer))):
        page.set_xy(MARGIN_MM + number * (width + 10), top)
        _draw_party(page, width, label, party)
        bottom = max(bottom, page.get_y())
    page.set_xy(MARGIN_MM, bottom + 8)


def _draw_party(page: "fpdf.FPDF", width: float, label: str, party: Party) -> None:
    left = page.get_x()
    page.set_font(FONT, "", 9)
    page.set_text_color(*QUIET)
    page.multi_cell(width, 5, label, align="L", new_x="LEFT", new_y="NEXT")
    page.set_text_color(*INK)
    for style, text in [("B", party.name), *(("", line) for line in party.lines)]:
        page.set_x(left)
        page.set_font(FONT, style, 9)
        page.multi_cell(width, 5, text, align="L", new_x="LEFT", new_y="NEXT")


def _draw_lines(page: "fpdf.FPDF", lines: Sequence[DocumentLine]) -> None:
    page.set_font(FONT, "", 8.5)
    page.set_draw_color(*RULE)
    heading = fpdf.FontFace(emphasis="BOLD", color=QUIET)
    align = ("LEFT", *["RIGHT"] * (len(COLUMN_WIDTHS_MM) - 1))
    with page.table(
        col_widths=COLUMN_WIDTHS_MM,
        text_align=align,
        headings_style=heading,
        borders_layout="HORIZONTAL_LINES",
        line_height=5,
        padding=(1.2, 1),
    ) as table:
        table.row(COLUMN_TITLES)
        for line in lines:
            text = f"{line.description}\n{line.period}" if line.period else line.description
            table.row((text, line.quantity, line.unit_price, line.tax_rate, line.tax, line.amount))
    page.ln(3)


def _draw_totals(page: "fpdf.FPDF", totals: Sequence[tuple[str, str]]) -> None:
    for number, (label, amount) in enumerate(totals):
        is_last = number == len(totals) - 1
        page.set_font(FONT, "B" if is_last else "", 10 if is_last else 9)
        page.cell(TOTAL_LABEL_MM, 6, label, align="R")
        page.cell(0, 6, amount, align="R", new_x="LMARGIN", new_y="NEXT")


def _draw_notes(page: "fpdf.FPDF", notes: Sequence[str]) -> None:
    page.ln(8)
    page.set_font(FONT, "", 9)
    page.set_text_color(*QUIET)
    for note in notes:
        page.multi_cell(0, 5, note, align="L", new_x="LMARGIN", new_y="NEXT")
        page.ln(1)
