"""Sections: keys that a plugin adds to the records of orders."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from pydantic import BaseModel

from comanda.contracts.orders.status import DeliveryStatus, Status


class Record(StrEnum):
    """A record that may have sections: a whole order, one of its lines, or what the public sees of an order.

    Sections of ``TRACKING_PAGE`` are on the tracking page alone, and not in the public's record.
    """

    ORDER = "order"
    LINE = "line"
    TRACKING = "tracking"
    TRACKING_PAGE = "tracking_page"


# Given the owner's id and ids of orders: what stands in their records, by the id of the order, or of the line.
SectionLoader = Callable[[int, Sequence[int]], Awaitable[Mapping[int, Mapping[str, Any]]]]


@dataclass(frozen=True, slots=True)
class OrderState:
    """What is known of an order before its sections are loaded. ``delivery_status`` is None unless it is delivered."""

    type: str
    status: Status
    delivery_status: DeliveryStatus | None


@dataclass(frozen=True, slots=True)
class SectionKey:
    """Marks a field of core's record that is null unless a section of a plugin fills it."""


def section_keys(record: type[BaseModel]) -> tuple[str, ...]:
    """Return the fields of a record that are marked with ``SectionKey``."""
    return tuple(
        name
        for name, field in record.model_fields.items()
        if any(isinstance(mark, SectionKey) for mark in field.metadata)
    )


@dataclass(frozen=True, slots=True)
class Section:
    """Keys of one kind of record, which are those of ``fields``, a pydantic model whose fields all have defaults.

    A record that ``load`` says nothing of has the defaults; in the public's it has none of the keys. ``wants`` looks at
    an order's state, and spares it the question. A new order is loaded like any other, unless with
    ``is_set_by_participant`` the plugin's order participant says what stands in it (``OrderParticipant.sections``),
    which takes no query; what it leaves out has the defaults.
    """

    name: str
    record: Record
    fields: type[BaseModel]
    load: SectionLoader
    wants: Callable[[OrderState], bool] | None = None
    is_set_by_participant: bool = False
