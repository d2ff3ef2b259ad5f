"""What plugins add to an order, shown by the names and kinds of its fields."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final
from zoneinfo import ZoneInfo

from comanda.contracts import Record
from comanda.orders import LineOut, OrderOut
from comanda.platform import runtime
from comanda.web import format_moment, format_number, to_words
from comanda.web import gettext as _

KNOWN: Final = frozenset(OrderOut.model_fields)
KNOWN_OF_LINES: Final = frozenset(LineOut.model_fields)
MAX_DEPTH: Final = 3


def list_added_fields(order: Mapping[str, Any], zone: ZoneInfo) -> list[tuple[str, str]]:
    """Return the fields of an order that its mode and plugins have added, as labels with texts.

    Fields of a plugin that has a panel of its own on the order are left to that panel.
    """
    return _to_rows(order, KNOWN | _list_fields_in_panels(Record.ORDER), zone)


def list_added_line_fields(line: Mapping[str, Any], zone: ZoneInfo) -> list[tuple[str, str]]:
    """Return the fields of a line that plugins have added, as labels with texts, except for those left to a panel."""
    return _to_rows(line, KNOWN_OF_LINES | _list_fields_in_panels(Record.LINE), zone)


def _list_fields_in_panels(record: Record) -> set[str]:
    registry = runtime.registry()
    shown = {registry.plugin_of(panel) for panel in registry.panels if panel.place == "order"}
    return {
        name
        for section in registry.sections
        if section.record is record and registry.plugin_of(section) in shown
        for name in section.fields.model_fields
    }


def _to_rows(record: Mapping[str, Any], known: frozenset[str], zone: ZoneInfo) -> list[tuple[str, str]]:
    rows = ((to_words(name), to_text(value, zone)) for name, value in record.items() if name not in known)
    return [(label, text) for label, text in rows if text]


def to_text(value: Any, zone: ZoneInfo, depth: int = 0) -> str:
    """Return a value of the wire as people read it; nothing for null and for what is empty."""
    if value is None or depth > MAX_DEPTH:
        return ""
    if isinstance(value, bool):
        return _("Yes") if value else _("No")
    if isinstance(value, int | float):
        return format_number(value)
    if isinstance(value, Mapping):
        pairs = ((to_words(str(name)), to_text(each, zone, depth + 1)) for name, each in value.items())
        return ", ".join(f"{label}: {text}" for label, text in pairs if text)
    if isinstance(value, list | tuple):
        return ", ".join(text for each in value if (text := to_text(each, zone, depth + 1)))
    return _to_moment(value, zone)


def _to_moment(value: Any, zone: ZoneInfo) -> str:
    """Return a moment, or a text that may be one, as people read it."""
    if isinstance(value, datetime):
        return format_moment(value, zone)
    text = str(value)
    if len(text) < len("2026-01-01T00:00") or text[10] != "T":
        return text
    try:
        return format_moment(datetime.fromisoformat(text), zone)
    except ValueError:
        return text
