"""Records of the catalog of events."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class CatalogEvent:
    """An event. ``scope`` is what an app needs to receive it; schema and sample describe ``data`` in the body."""

    name: str
    group: str
    scope: str
    description: str
    data_schema: Mapping[str, object]
    sample: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class EventCatalog:
    """Events, and all groups: ``order.*`` subscribes to the group ``order``, ``*`` to everything."""

    groups: Sequence[str]
    events: Sequence[CatalogEvent]
