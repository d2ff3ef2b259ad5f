"""The binding of a handler's parameters, read once from its signature."""

from __future__ import annotations

import inspect
import re
import typing
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel

from comanda.basics.errors import require_found
from comanda.contracts.requests.calls import Call, Unvalidated
from comanda.contracts.requests.numbers import parse_id
from comanda.contracts.requests.paging import Page, PageRequest, RecordPage
from comanda.contracts.requests.validation import parse_query

Supplier = Callable[[Call, dict[str, str]], Any]


@dataclass(frozen=True, slots=True)
class Binding:
    """What a handler takes and gives; ``body`` and ``query`` are pydantic models, ``answers`` a type with a schema."""

    suppliers: tuple[tuple[str, Supplier], ...]
    body: type[BaseModel] | None
    query: type[BaseModel] | None
    is_paged: bool
    answers: Any
    path_parameters: tuple[str, ...]

    def arguments(self, call: Call, path: dict[str, str]) -> dict[str, Any]:
        """Collect the handler's arguments. Raises ``NotFound``, ``BadRequest`` or ``ValidationFailed``."""
        return {name: supply(call, path) for name, supply in self.suppliers}


def bind(handler: Callable[..., Any], path: str, answers: object) -> Binding:
    """Return a handler's binding. Raises ``TypeError`` for one that is not async or wants what nothing supplies."""
    if not inspect.iscoroutinefunction(handler):
        raise TypeError(f"{handler.__module__}.{handler.__name__} is not async")
    hints = typing.get_type_hints(handler)
    # The specification spells path parameters `itemId`; handlers take them as `item_id`.
    in_path = {_snake(name): name for name in re.findall(r"\{(\w+)\}", path)}
    parameters = [_parameter(name, hints.get(name), in_path) for name in inspect.signature(handler).parameters]
    if unknown := [found.name for found in parameters if found.supply is None]:
        raise TypeError(f"{handler.__module__}.{handler.__name__} wants {unknown[0]!r}, which {path} does not supply")
    return Binding(
        suppliers=tuple((found.name, found.supply) for found in parameters if found.supply is not None),
        body=next((found.body for found in parameters if found.body is not None), None),
        query=next((found.query for found in parameters if found.query is not None), None),
        is_paged=any(found.is_page for found in parameters),
        answers=answers if answers is not None else _to_answer_type(hints.get("return")),
        path_parameters=tuple(in_path.values()),
    )


def _to_answer_type(returned: Any) -> Any:
    """Return the type that clients receive of what a handler returns."""
    if typing.get_origin(returned) is RecordPage:
        # Of a type that type checkers cannot know.
        page: Any = Page
        return page[typing.get_args(returned)[0]]
    return returned


@dataclass(frozen=True, slots=True)
class _Parameter:
    """One parameter of a handler, and what supplies it; None for one that nothing supplies."""

    name: str
    supply: Supplier | None = None
    body: type[BaseModel] | None = None
    query: type[BaseModel] | None = None
    is_page: bool = False


def _parameter(name: str, hint: Any, in_path: Mapping[str, str]) -> _Parameter:
    if name in in_path:
        return _Parameter(name, _whole_number(in_path[name]) if hint is int else _text(in_path[name]))
    if hint is PageRequest:
        return _Parameter(name, lambda call, path: PageRequest.read(call.query), is_page=True)
    if typing.get_origin(hint) is Unvalidated:
        model = typing.get_args(hint)[0]
        return _Parameter(name, _unvalidated(model), body=model)
    return _named_parameter(name, hint)


def _named_parameter(name: str, hint: Any) -> _Parameter:
    is_model = isinstance(hint, type) and issubclass(hint, BaseModel)
    match name:
        case "caller":
            return _Parameter(name, lambda call, path: call.caller)
        case "call":
            return _Parameter(name, lambda call, path: call)
        case "body" if is_model:
            return _Parameter(name, _body(hint), body=hint)
        case "query" if is_model:
            return _Parameter(name, _query(hint), query=hint)
    return _Parameter(name)


def _snake(name: str) -> str:
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower()


def _whole_number(name: str) -> Supplier:
    def supply(call: Call, path: dict[str, str]) -> int:
        return require_found(parse_id(path[name]))

    return supply


def _text(name: str) -> Supplier:
    return lambda call, path: path[name]


def _body(model: type[BaseModel]) -> Supplier:
    return lambda call, path: Unvalidated(model, call.body, call.values).validated()


def _unvalidated(model: type[BaseModel]) -> Supplier:
    return lambda call, path: Unvalidated(model, call.body, call.values)


def _query(model: type[BaseModel]) -> Supplier:
    return lambda call, path: parse_query(model, call.query)
