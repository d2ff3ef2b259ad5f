"""Reads a handler's signature once, so that each call is a plain function call."""

from __future__ import annotations

import inspect
import re
import typing
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel

from comanda.contracts.calls import Call, Unvalidated
from comanda.contracts.paging import PageRequest
from comanda.contracts.validation import parse_body, parse_query
from comanda.errors import NotFound

MAX_ID = 2**63 - 1

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
    """Make the binding of a handler. Raises ``TypeError`` for one that is not async or wants what nothing supplies."""
    if not inspect.iscoroutinefunction(handler):
        raise TypeError(f"{handler.__module__}.{handler.__name__} is not async")
    hints = typing.get_type_hints(handler)
    # The specification spells path parameters `itemId`; handlers take them as `item_id`.
    in_path = {_snake(name): name for name in re.findall(r"\{(\w+)\}", path)}
    suppliers: list[tuple[str, Supplier]] = []
    body: type[BaseModel] | None = None
    query: type[BaseModel] | None = None
    is_paged = False
    for name in inspect.signature(handler).parameters:
        hint = hints.get(name)
        if name in in_path:
            suppliers.append((name, _whole_number(in_path[name]) if hint is int else _text(in_path[name])))
        elif name == "caller":
            suppliers.append((name, lambda call, path: call.caller))
        elif name == "call":
            suppliers.append((name, lambda call, path: call))
        elif hint is PageRequest:
            is_paged = True
            suppliers.append((name, lambda call, path: PageRequest.read(call.query)))
        elif typing.get_origin(hint) is Unvalidated:
            body = typing.get_args(hint)[0]
            suppliers.append((name, _unvalidated(body)))
        elif name == "body" and isinstance(hint, type) and issubclass(hint, BaseModel):
            body = hint
            suppliers.append((name, _body(hint)))
        elif name == "query" and isinstance(hint, type) and issubclass(hint, BaseModel):
            query = hint
            suppliers.append((name, _query(hint)))
        else:
            raise TypeError(f"{handler.__module__}.{handler.__name__} wants {name!r}, which {path} does not supply")
    return Binding(
        suppliers=tuple(suppliers),
        body=body,
        query=query,
        is_paged=is_paged,
        answers=answers if answers is not None else hints.get("return"),
        path_parameters=tuple(in_path.values()),
    )


def _snake(name: str) -> str:
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower()


def _whole_number(name: str) -> Supplier:
    def supply(call: Call, path: dict[str, str]) -> int:
        value = path[name]
        if not (value.isascii() and value.isdigit()) or int(value[:20]) > MAX_ID or len(value) > 19:
            raise NotFound
        return int(value)

    return supply


def _text(name: str) -> Supplier:
    return lambda call, path: path[name]


def _body(model: type[BaseModel]) -> Supplier:
    return lambda call, path: parse_body(model, call.body)


def _unvalidated(model: type[BaseModel]) -> Supplier:
    return lambda call, path: Unvalidated(model, call.body)


def _query(model: type[BaseModel]) -> Supplier:
    return lambda call, path: parse_query(model, call.query)
