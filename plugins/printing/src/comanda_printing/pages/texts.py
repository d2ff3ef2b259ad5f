"""What the pages say of printers and jobs."""

from collections.abc import Mapping
from typing import Any, Final

from comanda.web import N_
from comanda.web import gettext as _

from comanda_printing.models import JobKind, PrinterKind, PrinterState
from comanda_printing.records import JobState

KINDS: Final = {
    PrinterKind.CLOUDPRNT: N_("Star CloudPRNT: the printer asks for its jobs"),
    PrinterKind.EPSON: N_("Epson Server Direct Print: the printer asks for its jobs"),
    PrinterKind.ESCPOS_TCP: N_("ESC/POS in the network of this server"),
    PrinterKind.BROWSER: N_("A page in a browser"),
}
STATES: Final = {
    PrinterState.UNKNOWN: N_("Unknown"),
    PrinterState.READY: N_("Ready to print"),
    PrinterState.PAPER_LOW: N_("Paper is low"),
    PrinterState.PAPER_OUT: N_("Out of paper"),
    PrinterState.COVER_OPEN: N_("Cover is open"),
    PrinterState.ERROR: N_("Does not print"),
}
JOB_KINDS: Final = {
    JobKind.KITCHEN: N_("Kitchen ticket"),
    JobKind.RECEIPT: N_("Receipt"),
    JobKind.TEST: N_("Test page"),
}
JOB_STATES: Final = {JobState.WAITING: N_("Waiting"), JobState.PRINTED: N_("Printed"), JobState.FAILED: N_("Given up")}
LANGUAGES: Final = {
    "en": "English", "de": "Deutsch", "es": "Español", "fr": "Français", "pt": "Português", "ar": "العربية",
}  # fmt: skip
BAD_STATES: Final = (PrinterState.PAPER_OUT, PrinterState.COVER_OPEN, PrinterState.ERROR)


def get_labels() -> dict[str, Any]:
    """Return the labels for templates, in the language of the page."""
    return {
        "kinds": {kind.value: _(label) for kind, label in KINDS.items()},
        "job_kinds": {kind.value: _(label) for kind, label in JOB_KINDS.items()},
        "job_states": {state.value: _(label) for state, label in JOB_STATES.items()},
    }


def describe_state(printer: Mapping[str, object]) -> tuple[str, str]:
    """Return what a printer's state is called, and its tone."""
    state, kind = PrinterState(str(printer["state"])), PrinterKind(str(printer["kind"]))
    if kind is not PrinterKind.ESCPOS_TCP and not printer["is_online"]:
        return (_("Never connected"), "neutral") if printer["last_seen_at"] is None else (_("Offline"), "bad")
    tone = "bad" if state in BAD_STATES else "good" if state is PrinterState.READY else "warn"
    return _(STATES[state]), tone


def needs_somebody(printer: Mapping[str, object]) -> bool:
    """Return whether somebody must look after a printer: it does not print, or is offline while jobs wait."""
    is_silent = not printer["is_online"] and printer["kind"] != PrinterKind.ESCPOS_TCP
    return printer["state"] in BAD_STATES or bool(is_silent and printer["waiting"])
