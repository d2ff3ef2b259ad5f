"""What slips show, as it was when their jobs were queued; stored as JSON with the job."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final

from comanda_printing.models import JobKind


@dataclass(frozen=True, slots=True)
class SlipLine:
    """A line of an order on a slip. ``note`` is what the guest asks for; ``total_minor`` is that of a receipt.

    ``price_label`` is how its price was made, such as its weight.
    """

    id: int
    name: str
    quantity: int
    variation: str | None = None
    extras: tuple[str, ...] = ()
    note: str | None = None
    seat: int | None = None
    course: int | None = None
    total_minor: int = 0
    price_label: str | None = None


@dataclass(frozen=True, slots=True)
class Heading:
    """The order that a slip is about, and the store's time zone.

    ``facts`` are what it must not contain, as codes by field.
    """

    number: int
    mode: str
    table: str | None
    room: str | None
    customer: str | None
    note: str | None
    placed_at: datetime
    due_at: datetime | None
    zone: str
    facts: Mapping[str, Sequence[str]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class KitchenFacts:
    """A round of an order for the kitchen: what was added, and what was voided; ``round`` counts from 1.

    ``amendment`` is how often the order had been amended when this was read of it.
    """

    heading: Heading
    amendment: int = 0
    round: int = 1
    added: tuple[SlipLine, ...] = ()
    voided: tuple[SlipLine, ...] = ()
    is_cancelled: bool = False


@dataclass(frozen=True, slots=True)
class Amount:
    """An amount below the lines of a receipt; ``label`` is of the store, ``code`` names one of the layout's labels."""

    code: str
    minor: int
    label: str | None = None


@dataclass(frozen=True, slots=True)
class ReceiptFacts:
    """A receipt: the store's name and address, the lines, and the amounts in the order in which they are shown."""

    heading: Heading
    store: str
    contact: tuple[str, ...]
    currency: str
    lines: tuple[SlipLine, ...]
    amounts: tuple[Amount, ...]


@dataclass(frozen=True, slots=True)
class SampleFacts:
    """A test page of a printer; ``url`` is where it is set up."""

    store: str
    printer: str
    url: str
    printed_at: datetime
    zone: str


Facts = KitchenFacts | ReceiptFacts | SampleFacts


def parse_facts(kind: JobKind, stored: Mapping[str, Any]) -> Facts:
    """Return the facts of a job from their JSON."""
    return PARSERS[kind](stored)


def _parse_kitchen(stored: Mapping[str, Any]) -> KitchenFacts:
    return KitchenFacts(
        heading=_parse_heading(stored["heading"]),
        amendment=stored["amendment"],
        round=stored["round"],
        added=parse_lines(stored["added"]),
        voided=parse_lines(stored["voided"]),
        is_cancelled=stored["is_cancelled"],
    )


def _parse_receipt(stored: Mapping[str, Any]) -> ReceiptFacts:
    return ReceiptFacts(
        heading=_parse_heading(stored["heading"]),
        store=stored["store"],
        contact=tuple(stored["contact"]),
        currency=stored["currency"],
        lines=parse_lines(stored["lines"]),
        amounts=tuple(Amount(**amount) for amount in stored["amounts"]),
    )


def _parse_test(stored: Mapping[str, Any]) -> SampleFacts:
    return SampleFacts(**{**stored, "printed_at": datetime.fromisoformat(stored["printed_at"])})


def _parse_heading(stored: Mapping[str, Any]) -> Heading:
    due_at = stored["due_at"] and datetime.fromisoformat(stored["due_at"])
    return Heading(**{**stored, "placed_at": datetime.fromisoformat(stored["placed_at"]), "due_at": due_at})


def parse_lines(stored: Sequence[Mapping[str, Any]]) -> tuple[SlipLine, ...]:
    """Return lines from their JSON."""
    return tuple(SlipLine(**{**line, "extras": tuple(line["extras"])}) for line in stored)


PARSERS: Final[Mapping[JobKind, Callable[[Mapping[str, Any]], Facts]]] = {
    JobKind.KITCHEN: _parse_kitchen,
    JobKind.RECEIPT: _parse_receipt,
    JobKind.TEST: _parse_test,
}
