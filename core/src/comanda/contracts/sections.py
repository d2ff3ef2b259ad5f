"""Sections: keys that a plugin adds to the records of orders."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import asyncpg
from pydantic import BaseModel

# A row of an order, as it was read or as it is about to be written.
Row = Mapping[str, Any] | asyncpg.Record


class Record(StrEnum):
    """A record that may have sections: a whole order, one of its lines, or what the public sees of an order."""

    ORDER = "order"
    LINE = "line"
    TRACKING = "tracking"


# Given the owner's id and ids of orders: what stands in their records, by the id of the order, or of the line.
SectionLoader = Callable[[int, Sequence[int]], Awaitable[Mapping[int, Mapping[str, Any]]]]


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
    an order's row, which has at least ``type``, ``status`` and ``delivery_status``, and spares it the question.
    """

    name: str
    record: Record
    fields: type[BaseModel]
    load: SectionLoader
    wants: Callable[[Row], bool] | None = None
