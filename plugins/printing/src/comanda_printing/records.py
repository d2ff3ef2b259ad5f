"""Records of printers and jobs, as services return them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

from comanda.contracts import StoreId

from comanda_printing.models import JobKind, PrinterKind, PrinterState


@dataclass(frozen=True, slots=True)
class Printer:
    """A printer of a store. Without ``station_ids`` or ``modes`` it prints what comes from all of them.

    ``state`` is what it said last, at ``last_seen_at``; ``is_online`` is whether that was a moment ago. A printer at an
    address says something only when it is printed on. ``waiting`` jobs are not on paper yet.
    """

    id: int
    store_id: StoreId
    name: str
    kind: PrinterKind
    address: str | None
    width_mm: int
    code_page: str
    language: str
    prints: Sequence[JobKind]
    station_ids: Sequence[int]
    modes: Sequence[str]
    copies: int
    opens_drawer: bool
    has_buzzer: bool
    fallback_id: int | None
    state: PrinterState
    is_online: bool
    last_seen_at: datetime | None
    waiting: int
    created_at: datetime


@dataclass(frozen=True, slots=True)
class IssuedPrinter(Printer):
    """A printer with the address that it polls, which is shown only this once; null for one that does not poll."""

    url: str | None


class JobState(StrEnum):
    """Whether a job is on paper: its printer has confirmed it, or it was given up."""

    WAITING = "waiting"
    PRINTED = "printed"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Job:
    """Something to print. ``is_copy`` is whether it is marked as a copy; ``error`` is why it is not on paper yet."""

    id: int
    printer_id: int
    kind: JobKind
    order_id: int | None
    state: JobState
    is_copy: bool
    attempts: int
    error: str | None
    print_at: datetime
    confirmed_at: datetime | None
    created_at: datetime


@dataclass(frozen=True, slots=True)
class NextJob:
    """The job that a browser prints now; null if nothing waits, or while it has one that it has not confirmed."""

    job: Job | None


@dataclass(frozen=True, slots=True)
class PrintOptions:
    """How a printer prints a slip."""

    language: str
    copies: int = 1
    is_copy: bool = False
    opens_drawer: bool = False
    has_buzzer: bool = False


@dataclass(frozen=True, slots=True)
class KnownPrinter:
    """A printer by its row, as those who print know it."""

    id: int
    owner_id: int
    store_id: int
    name: str
    kind: PrinterKind
    address: str | None
    width_mm: int
    code_page: str
    language: str
    copies: int
    opens_drawer: bool
    has_buzzer: bool
    fallback_id: int | None
    prints: Sequence[str]
    station_ids: Sequence[int]
    modes: Sequence[str]
    state: PrinterState
    last_seen_at: datetime | None


@dataclass(frozen=True, slots=True)
class ClaimedJob:
    """A job that a printer has to itself until it answers or its lease ends."""

    id: int
    kind: JobKind
    facts: Mapping[str, Any]
    is_copy: bool
