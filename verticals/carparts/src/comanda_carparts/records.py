"""Records of the vehicles that a store has parts for, as services return them."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class StoreFitment:
    """A range of vehicles, and the items that fit it; without ``year_to`` the range is open-ended."""

    id: int
    make: str
    model: str
    year_from: int
    year_to: int | None
    engine: str | None
    trim: str | None
    note: str | None
    item_ids: Sequence[int]


@dataclass(frozen=True, slots=True)
class Make:
    """A make, and its models for which the store has parts."""

    make: str
    models: Sequence[str]
