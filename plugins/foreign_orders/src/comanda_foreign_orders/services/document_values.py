"""Values of documents that strangers send: read as far as they can be, and bounded."""

import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from decimal import Decimal, InvalidOperation
from typing import Any, Final

from comanda_foreign_orders.records import InvalidOrder

MAX_ELEMENTS: Final = 200  # items, and options of an item, charges, discounts, payments
MAX_QUANTITY: Final = 999
NUMBER: Final = re.compile(r"-?[0-9]{1,12}(?:\.[0-9]{1,6})?", re.ASCII)


def text(found: Mapping[str, Any], key: str, limit: int) -> str:
    """Return a text without its ends, cut off at a limit; empty if there is none."""
    value = found.get(key)
    # PostgreSQL cannot store NUL in text.
    return value.replace("\0", "").strip()[:limit] if isinstance(value, str) else ""


def to_object(found: object) -> Mapping[str, Any]:
    """Return an object, an empty one for anything else."""
    return found if isinstance(found, dict) else {}


def list_objects(found: Mapping[str, Any], key: str) -> Sequence[Mapping[str, Any]]:
    """Return the objects of a list. Raises ``InvalidOrder`` if there are too many."""
    values = found.get(key)
    elements = [each for each in values if isinstance(each, dict)] if isinstance(values, list) else []
    if len(elements) > MAX_ELEMENTS:
        raise InvalidOrder(f"The order has more than {MAX_ELEMENTS} {key}.")
    return elements


def find_number(value: object) -> Decimal | None:
    """Return a number, or None."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return None
    digits = str(value)
    try:
        return Decimal(digits) if NUMBER.fullmatch(digits) else None
    except InvalidOperation:
        return None


def parse_quantity(value: object, what: str) -> int:
    """Return a quantity. Raises ``InvalidOrder``, which says of ``what``."""
    number = find_number(value)
    if number is None or number != number.to_integral_value() or not 1 <= number <= MAX_QUANTITY:
        raise InvalidOrder(f"{what}: the quantity must be a whole number from 1 to {MAX_QUANTITY}.")
    return int(number)


def parse_moment(value: object) -> datetime | None:
    """Return a moment with a time zone, or None."""
    if not isinstance(value, str) or len(value) > 40:
        return None
    try:
        moment = datetime.fromisoformat(value)
        return None if moment.tzinfo is None else moment.astimezone(UTC)
    except (ValueError, OverflowError):
        return None
