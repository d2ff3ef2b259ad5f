"""Events, their personal fields, and the handlers that receive them."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, ClassVar

from pydantic import BaseModel, ConfigDict, GetJsonSchemaHandler


@dataclass(frozen=True, slots=True)
class Personal:
    """Mark a field of an event as personal data: ``guest_name: Annotated[str | None, Personal("orders:read")]``.

    Whoever receives the event without ``scope`` receives null in its place, so the field's type includes ``None``.
    """

    scope: str

    def __get_pydantic_json_schema__(self, core_schema: Any, handler: GetJsonSchemaHandler) -> dict[str, Any]:
        """Describe it in the schema that clients read."""
        schema = handler(core_schema)
        return {**schema, "description": f"Personal data. Null without the scope `{self.scope}`."}


@dataclass(frozen=True, slots=True)
class NotPersonal:
    """Mark a field whose name looks like personal data and that holds none, such as the name of a plan."""


class Event(BaseModel):
    """Something that happened, in the past tense: the ids and facts of that moment, never model objects.

    A subclass sets ``name`` (what webhook endpoints subscribe to), ``scope`` (what an app must have been granted to
    hear it) and ``sample`` (a payload for the catalogue). Its docstring says when it fires, and when it does not.
    Fields with personal data are marked with ``Personal``, in nested models too; ``personal`` names those of them, by
    their keys in the payload, that are null once that person is erased.
    """

    model_config = ConfigDict(frozen=True)

    name: ClassVar[str]
    scope: ClassVar[str]
    sample: ClassVar[Mapping[str, object]]
    personal: ClassVar[tuple[str, ...]] = ()


@dataclass(frozen=True, slots=True)
class StoredEvent:
    """An event as the outbox holds it. ``id`` grows with time and never repeats; ``data`` is the event's payload."""

    id: int
    owner_id: int
    store_id: int | None
    name: str
    data: Mapping[str, object]
    occurred_at: datetime


EVERY_EVENT: tuple[type[Event], ...] = ()


@dataclass(frozen=True, slots=True)
class EventHandler:
    """Handles events, in batches because one statement for many events is what keeps an outbox fast.

    ``name`` is kept with each event that the handler has dealt with, so it must not change. Delivery is at least once:
    ``handle`` bears repeats. When it raises, its batch is tried again event by event, and each failing event later and
    later. ``names`` adds events of plugins that need not be installed, by their names. Without either it hears all.
    """

    name: str
    handle: Callable[[Sequence[StoredEvent]], Awaitable[None]]
    events: tuple[type[Event], ...] = EVERY_EVENT
    names: tuple[str, ...] = ()

    def wants(self, event_name: str) -> bool:
        """Return whether this handler receives events of that name."""
        if not self.events and not self.names:
            return True
        return event_name in self.names or any(event.name == event_name for event in self.events)
