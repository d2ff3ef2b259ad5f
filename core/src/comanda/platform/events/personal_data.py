"""Personal data in events: the fields that hold it, and payloads without what a receiver may not see."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, get_args

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from comanda.contracts.background.events import Event, NotPersonal, Personal
from comanda.contracts.scopes import is_granted

FieldPath = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class EventField:
    """A field of an event payload, by its path of keys; ``marker`` is None for an unmarked field."""

    path: FieldPath
    marker: Personal | NotPersonal | None
    is_nullable: bool


@lru_cache(maxsize=1000)
def list_event_fields(model: type[BaseModel]) -> tuple[EventField, ...]:
    """Return the fields of a payload, including those of nested models and lists of models."""
    return tuple(_list_fields(model, ()))


def hide_personal_data(
    event: type[Event] | None, data: Mapping[str, Any], scopes: Collection[str]
) -> Mapping[str, Any]:
    """Return a payload with personal data set to null unless ``scopes`` allow to see it.

    For an event that no installed plugin declares, the personal fields are unknown: its payload is empty unless
    ``scopes`` allow everything.
    """
    if event is None:
        return data if is_granted(scopes, "*:read") else {}
    for path in _list_hidden_paths(event, frozenset(scopes)):
        data = _set_null(data, path)
    return data


def is_fully_visible(event: type[Event] | None, scopes: Collection[str]) -> bool:
    """Return whether ``hide_personal_data`` never changes a payload of this event."""
    if event is None:
        return is_granted(scopes, "*:read")
    return not _list_hidden_paths(event, frozenset(scopes))


@lru_cache(maxsize=10_000)
def _list_hidden_paths(event: type[Event], scopes: frozenset[str]) -> tuple[FieldPath, ...]:
    return tuple(
        field.path
        for field in list_event_fields(event)
        if isinstance(field.marker, Personal) and not is_granted(scopes, field.marker.scope)
    )


def _set_null(value: Any, path: FieldPath) -> Any:
    if isinstance(value, list):
        return [_set_null(one, path) for one in value]
    if not isinstance(value, Mapping) or path[0] not in value:
        return value
    return {**value, path[0]: _set_null(value[path[0]], path[1:]) if len(path) > 1 else None}


def _list_fields(model: type[BaseModel], outer: FieldPath) -> Iterator[EventField]:
    for name, field in model.model_fields.items():
        path = (*outer, field.serialization_alias or field.alias or name)
        yield EventField(path, _find_marker(field), type(None) in get_args(field.annotation))
        for nested in _list_models([field.annotation]):
            yield from _list_fields(nested, path)


def _find_marker(field: FieldInfo) -> Personal | NotPersonal | None:
    return next((one for one in field.metadata if isinstance(one, Personal | NotPersonal)), None)


def _list_models(annotations: Sequence[Any]) -> Iterator[type[BaseModel]]:
    for annotation in annotations:
        if isinstance(annotation, type) and issubclass(annotation, BaseModel):
            yield annotation
        yield from _list_models(get_args(annotation))
