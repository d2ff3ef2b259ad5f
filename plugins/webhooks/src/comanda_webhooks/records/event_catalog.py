"""Records of the catalog of events."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class CatalogEvent:
    """An event that endpoints can subscribe to, with the JSON Schema of its data and a sample of them."""

    name: str
    group: str
    scope: str
    description: str
    data_schema: Mapping[str, object]
    sample: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class EventCatalog:
    """Events, and all groups."""

    groups: Sequence[str]
    events: Sequence[CatalogEvent]
