"""Personal data in events: which fields hold it, and payloads without what a receiver may not see."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, get_args

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from comanda.contracts.events import Event, NotPersonal, Personal
from comanda.contracts.scopes import is_granted

Path = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class EventField:
    """A field of an event's payload, by its keys from the outside in; ``marker`` is None where it has none."""

    path: Path
    marker: Personal | NotPersonal | None
    is_nullable: bool


@lru_cache(maxsize=1000)
def event_fields(model: type[BaseModel]) -> tuple[EventField, ...]:
    """Return the fields of a payload, those of nested models and of lists of models among them."""
    return tuple(_fields(model, ()))


def required_scopes(event: type[Event]) -> frozenset[str]:
    """Return the scopes that show all of an event's personal data."""
    return frozenset(field.marker.scope for field in event_fields(event) if isinstance(field.marker, Personal))


def visible_data(event: type[Event] | None, data: Mapping[str, Any], scopes: Collection[str]) -> Mapping[str, Any]:
    """Return a payload in which personal data that ``scopes`` do not show is null.

    Of an event that no installed plugin declares, nobody can say which fields are personal: its payload is empty unless
    ``scopes`` show everything.
    """
    if event is None:
        return data if is_granted(scopes, "*:read") else {}
    for path in _hidden_paths(event, frozenset(scopes)):
        data = _with_null(data, path)
    return data


def shows_all(event: type[Event] | None, scopes: Collection[str]) -> bool:
    """Return whether ``visible_data`` changes nothing of an event, whatever its payload."""
    if event is None:
        return is_granted(scopes, "*:read")
    return not _hidden_paths(event, frozenset(scopes))


@lru_cache(maxsize=10_000)
def _hidden_paths(event: type[Event], scopes: frozenset[str]) -> tuple[Path, ...]:
    return tuple(
        field.path
        for field in event_fields(event)
        if isinstance(field.marker, Personal) and not is_granted(scopes, field.marker.scope)
    )


def _with_null(value: Any, path: Path) -> Any:
    if isinstance(value, list):
        return [_with_null(one, path) for one in value]
    if not isinstance(value, Mapping) or path[0] not in value:
        return value
    return {**value, path[0]: _with_null(value[path[0]], path[1:]) if len(path) > 1 else None}


def _fields(model: type[BaseModel], outer: Path) -> Iterator[EventField]:
    for name, field in model.model_fields.items():
        path = (*outer, field.serialization_alias or field.alias or name)
        yield EventField(path, _marker(field), type(None) in get_args(field.annotation))
        for nested in _models([field.annotation]):
            yield from _fields(nested, path)


def _marker(field: FieldInfo) -> Personal | NotPersonal | None:
    return next((one for one in field.metadata if isinstance(one, Personal | NotPersonal)), None)


def _models(annotations: Sequence[Any]) -> Iterator[type[BaseModel]]:
    for annotation in annotations:
        if isinstance(annotation, type) and issubclass(annotation, BaseModel):
            yield annotation
        yield from _models(get_args(annotation))
