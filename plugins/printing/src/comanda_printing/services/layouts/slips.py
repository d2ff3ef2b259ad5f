"""The layouts: what stands on a kitchen ticket, a receipt and a test page, in the language of the printer."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from comanda.contracts import get_measure
from comanda.platform import runtime
from comanda.web import N_, format_minor, format_moment, format_number, use_language
from comanda.web import gettext as _

from comanda_printing.models import JobKind
from comanda_printing.records import PrintOptions
from comanda_printing.services.layouts.elements import Control, Element, Line, QrCode, Slip
from comanda_printing.services.layouts.facts import (
    Amount,
    Facts,
    Heading,
    KitchenFacts,
    ReceiptFacts,
    SampleFacts,
    SlipLine,
    parse_facts,
)

AMOUNT_LABELS: Final = {
    "subtotal": N_("Subtotal"),
    "discount": N_("Discount"),
    "service_charge": N_("Service charge"),
    "delivery_fee": N_("Delivery fee"),
    "tip": N_("Tip"),
    "total": N_("Total"),
    "rounding": N_("Rounding"),
    "paid": N_("Paid"),
    "refunded": N_("Refunded"),
    "due": N_("Still to pay"),
    "tax": N_("Tax"),
    "tax_included": N_("Tax included"),
}
# What a printer must have been able to print: accents, Arabic, an emoji.
SAMPLE: Final = "Ää Éé Ñ € · شاي بالنعناع · 🌶"


def build_slip(kind: JobKind, stored: Mapping[str, Any], options: PrintOptions) -> Slip:
    """Return the slip of a job, as often as the printer makes copies of it."""
    facts = parse_facts(kind, stored)
    with use_language(options.language):
        once = [*_build_marks(options), *_build(facts), Control.CUT]
    buzz = [Control.BUZZ] if options.has_buzzer and kind is not JobKind.RECEIPT else []
    drawer = [Control.OPEN_DRAWER] if options.opens_drawer and kind is JobKind.RECEIPT and not options.is_copy else []
    return [*drawer, *buzz, *once * options.copies]


def _build(facts: Facts) -> Iterator[Element]:
    if isinstance(facts, KitchenFacts):
        return _build_kitchen_ticket(facts)
    return _build_receipt(facts) if isinstance(facts, ReceiptFacts) else _build_test_page(facts)


def _build_marks(options: PrintOptions) -> Iterator[Element]:
    if options.is_copy:
        yield Line(_("COPY"), is_bold=True, is_double=True, is_centered=True, is_inverse=True)


def _build_kitchen_ticket(facts: KitchenFacts) -> Iterator[Element]:
    heading = facts.heading
    place = _get_place(heading)
    yield Line(place or _get_mode(heading), f"#{heading.number}", is_bold=True, is_double=True)
    if facts.is_cancelled:
        yield Line(_("ORDER CANCELLED"), is_bold=True, is_double=True, is_inverse=True)
    if place:
        yield Line(_get_mode(heading))
    if heading.customer:
        yield Line(heading.customer)
    yield Line(format_moment(heading.placed_at, heading.zone), _("Round %(number)s", number=facts.round))
    yield from _build_conditions(heading)
    yield Control.RULE
    if facts.voided:
        yield Line(_("VOID"), is_bold=True, is_double=True, is_inverse=True, is_centered=True)
        for line in facts.voided:
            yield from _build_kitchen_line(line, f"-{line.quantity} x {line.name}")
        yield Control.RULE
    course = None
    for line in facts.added:
        if line.course != course and (course := line.course) is not None:
            yield Line(_("Course %(number)s", number=course), is_bold=True, is_centered=True)
        yield from _build_kitchen_line(line, f"{line.quantity} x {line.name}")
    if heading.note:
        yield Control.RULE
        yield Line(heading.note, is_bold=True, is_double=True)


def _build_kitchen_line(line: SlipLine, text: str) -> Iterator[Element]:
    seat = "" if line.seat is None else _("Seat %(number)s", number=line.seat)
    yield Line(text, is_bold=True, is_double=True)
    for detail in (get_measure(line.price_label), line.variation, *(f"+ {extra}" for extra in line.extras), seat):
        if detail:
            yield Line(detail, indent=3)
    if line.note:
        # Allergies stand here: nobody may overlook them.
        yield Line(f"! {line.note}", is_bold=True, is_double=True)


def _build_receipt(facts: ReceiptFacts) -> Iterator[Element]:
    heading = facts.heading
    yield Line(facts.store, is_bold=True, is_double=True, is_centered=True)
    for text in facts.contact:
        yield Line(text, is_centered=True)
    yield Line("")
    yield Line(
        _("Order %(number)s", number=f"#{heading.number}"), _get_place(heading) or _get_mode(heading), is_bold=True
    )
    yield Line(format_moment(heading.placed_at, heading.zone))
    yield Control.RULE
    for line in facts.lines:
        yield Line(f"{line.quantity} x {line.name}", format_minor(line.total_minor, facts.currency))
        for detail in (line.price_label, line.variation, *(f"+ {extra}" for extra in line.extras)):
            if detail:
                yield Line(detail, indent=3)
    yield Control.RULE
    for amount in facts.amounts:
        is_total = amount.code == "total"
        yield Line(_get_label(amount), format_minor(amount.minor, facts.currency), is_bold=is_total, is_double=is_total)
    yield Line("")
    yield Line(_("Thank you!"), is_centered=True)


def _build_test_page(facts: SampleFacts) -> Iterator[Element]:
    yield Line(facts.store, is_bold=True, is_centered=True)
    yield Line(_("Test page"), is_bold=True, is_double=True, is_centered=True)
    yield Line(facts.printer, format_moment(facts.printed_at, facts.zone))
    yield Control.RULE
    yield Line(SAMPLE)
    yield Line(_("This line is inverse."), is_inverse=True)
    yield QrCode(facts.url)


def _build_conditions(heading: Heading) -> Iterator[Element]:
    """Yield for when an order is, and what it must not contain."""
    if heading.due_at:
        due = format_moment(heading.due_at, heading.zone)
        yield Line(_("For %(time)s", time=due), is_bold=True, is_double=True)
    capabilities = runtime.registry().item_capabilities.values()
    words = {code: _(label) for capability in capabilities for code, label in capability.words.items()}
    for name, codes in heading.facts.items():
        listed = ", ".join(words.get(code, code) for code in codes)
        yield Line(f"! {words.get(name, name)}: {listed}", is_bold=True, is_double=True)


def _get_place(heading: Heading) -> str | None:
    if heading.table:
        return _("Table %(number)s", number=heading.table)
    return _("Room %(number)s", number=heading.room) if heading.room else None


def _get_mode(heading: Heading) -> str:
    mode = runtime.registry().fulfillment_modes.get(heading.mode)
    return heading.mode if mode is None else _(mode.label)


def _get_label(amount: Amount) -> str:
    """Return the label of an amount, with the rate of a tax or the code of a coupon."""
    if amount.code == "promotion":
        return _("of which %(name)s", name=amount.label)
    if amount.code not in AMOUNT_LABELS:
        return amount.label or amount.code
    label = _(AMOUNT_LABELS[amount.code])
    return f"{label} {_format_detail(amount)}" if amount.label else label


def _format_detail(amount: Amount) -> str:
    return f"{format_number(float(amount.label or 0))} %" if amount.code.startswith("tax") else amount.label or ""
