"""Paging of lists, with the envelope of every list."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence, Sized
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from pydantic import BaseModel

T = TypeVar("T")
U = TypeVar("U")

PER_PAGE = 20
MAX_PER_PAGE = 100
# Beyond this no list of ours reaches, and the product with a page size must stay a number PostgreSQL takes.
MAX_PAGE = 10**9


class Page(BaseModel, Generic[T]):
    """One page of a list. ``last_page`` is at least 1; a page past the end has an empty ``data``."""

    data: list[T]
    current_page: int
    last_page: int
    per_page: int
    total: int


@dataclass(frozen=True, slots=True)
class RecordPage(Generic[T]):
    """One page of records, as services return it; the answer is a ``Page`` of what the records are converted to."""

    data: list[T]
    current_page: int
    last_page: int
    per_page: int
    total: int

    def convert(self, convert: Callable[[T], U]) -> RecordPage[U]:
        """Return the page with each record converted by a function."""
        data = [convert(record) for record in self.data]
        return RecordPage(data, self.current_page, self.last_page, self.per_page, self.total)

    def to_json(self, convert: Callable[[T], Any]) -> dict[str, Any]:
        """Return the ``Page`` with each record converted by a function, for lists of a hot path."""
        return {
            "data": [convert(record) for record in self.data],
            "current_page": self.current_page,
            "last_page": self.last_page,
            "per_page": self.per_page,
            "total": self.total,
        }


@dataclass(frozen=True, slots=True)
class PageRequest:
    """The page a client asked for. What is not a page number reads as page 1: there is no error for it."""

    number: int
    asked_per_page: int | None

    @classmethod
    def read(cls, query: Mapping[str, str]) -> PageRequest:
        """Read ``page`` and ``per_page`` from a query."""
        number = _whole(query.get("page"))
        per_page = _whole(query.get("per_page"))
        return cls(
            number=min(number, MAX_PAGE) if number else 1,
            asked_per_page=min(per_page, MAX_PER_PAGE) if per_page else None,
        )

    def size(self, default: int = PER_PAGE) -> int:
        """The maximum number of rows of the page."""
        return self.asked_per_page or default

    def offset(self, default: int = PER_PAGE) -> int:
        """The number of rows before the page."""
        return (self.number - 1) * self.size(default)

    async def get_total(self, rows: Sized, count: Callable[[], Awaitable[int]], default: int = PER_PAGE) -> int:
        """Return how many rows all pages have, counted only if the page of these does not show that it is the last."""
        offset, number = self.offset(default), len(rows)
        if number < self.size(default) and (number or not offset):
            return offset + number
        return await count()

    def of(self, records: Sequence[T], total: int, default: int = PER_PAGE) -> RecordPage[T]:
        """Return the page with these records."""
        size = self.size(default)
        return RecordPage(list(records), self.number, max(1, -(-total // size)), size, total)

    def envelope(self, rows: Sequence[Any], total: int, default: int = PER_PAGE) -> dict[str, Any]:
        """Wrap the page's rows."""
        size = self.size(default)
        return {
            "data": list(rows),
            "current_page": self.number,
            "last_page": max(1, -(-total // size)),
            "per_page": size,
            "total": total,
        }


def _whole(text: str | None) -> int | None:
    if text is None or not text.isascii() or not text.isdigit():
        return None
    # Every caller of this caps the number far below 18 digits, and a longer text would take long to read.
    return int(text.lstrip("0")[:18] or 0)
