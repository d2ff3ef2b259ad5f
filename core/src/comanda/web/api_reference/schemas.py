"""The schemas of the OpenAPI description: every body, answer, query and event of what is installed."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from pydantic import BaseModel, TypeAdapter
from pydantic.json_schema import JsonSchemaMode

from comanda.basics.json_schema import Schema, list_references, standardize
from comanda.contracts.registry import Registry
from comanda.contracts.requests.calls import JSON
from comanda.contracts.requests.routes import Route
from comanda.web.api_reference.extensions import added_fields

TEMPLATE = "#/components/schemas/{model}"


class Error(BaseModel):
    """Every error's body. ``code`` is stable, ``message`` may be reworded, ``errors`` is there on validation only.

    The others stand beside them where they help: which of several causes it was, and what would be possible instead.
    """

    message: str
    code: str
    errors: dict[str, list[str]] | None = None
    reason: str | None = None
    request_id: str | None = None
    retry_after: int | None = None
    next_open_at: datetime | None = None
    next_free_at: datetime | None = None
    next_sold_at: datetime | None = None
    items_count: int | None = None
    limits: dict[str, int] | None = None
    choices: list[dict[str, Any]] | None = None


class Schemas:
    """The schemas of all bodies, made in one go, so that two models of one name get names that tell them apart."""

    def __init__(self, routes: list[Route], registry: Registry) -> None:
        wanted: list[tuple[str, JsonSchemaMode, TypeAdapter[Any]]] = [("error", "validation", TypeAdapter(Error))]
        for route in routes:
            given = {"body": route.binding.body, "query": route.binding.query}
            wanted += [(f"{route.operation_id} {what}", "validation", TypeAdapter(t)) for what, t in given.items() if t]
            if route.status != 204 and JSON in route.content_types:
                wanted.append((f"{route.operation_id} answer", "serialization", TypeAdapter(route.binding.answers)))
        wanted += [(f"{name} data", "serialization", TypeAdapter(event)) for name, event in registry.events.items()]
        added = list(added_fields(registry))
        for body, mode, fields, where in added:
            wanted += [
                (body.__name__, mode, TypeAdapter(body)),
                (f"{body.__name__} {where}", mode, TypeAdapter(fields)),
            ]
        made, top = TypeAdapter.json_schemas(wanted, ref_template=TEMPLATE)
        self._made: dict[tuple[str, JsonSchemaMode], Schema] = {
            key: standardize(schema) for key, schema in made.items()
        }
        self.definitions: dict[str, Schema] = standardize(top).get("$defs", {})
        self.error = self._made["error", "validation"]
        for body, mode, _, where in added:
            self._add(self._made[body.__name__, mode], self._made[f"{body.__name__} {where}", mode], where)
        self._name_titles()
        self._describe_defaults([self.body(route) for route in routes if route.binding.body is not None])

    def _name_titles(self) -> None:
        """Set titles that definitions share to their own names, after which client generators name classes."""
        titles = Counter(definition.get("title") for definition in self.definitions.values())
        for name, definition in self.definitions.items():
            if "title" in definition and titles[definition["title"]] > 1:
                definition["title"] = name

    def _describe_defaults(self, bodies: list[Schema]) -> None:
        """Describe defaults of what clients send in words, because some generators require fields that have one."""
        sent = find_used(bodies, self.definitions)
        for schema in (*sent.values(), *(body for body in bodies if "$ref" not in body)):
            for name, field in schema.get("properties", {}).items():
                schema["properties"][name] = describe_default(field)

    def _add(self, body: Schema, fields: Schema, where: str) -> None:
        """Add the properties of one schema to another, with a description of where they apply."""
        properties = self.resolved(body)["properties"]
        for name, field in self.resolved(fields)["properties"].items():
            said = " ".join(filter(None, [field.get("description"), where]))
            properties.setdefault(name, {**field, "description": said})

    def resolved(self, schema: Schema) -> Schema:
        """Return what a reference leads to, or the schema itself."""
        reference: str | None = schema.get("$ref")
        return self.definitions[reference.removeprefix(TEMPLATE.format(model=""))] if reference else schema

    def body(self, route: Route) -> Schema:
        """Return the schema of what a route takes."""
        return self._made[f"{route.operation_id} body", "validation"]

    def answer(self, route: Route) -> Schema:
        return self._made[f"{route.operation_id} answer", "serialization"]

    def event(self, name: str) -> Schema:
        """Return the schema of an event's ``data``."""
        return self._made[f"{name} data", "serialization"]

    def used_by(self, document: Any) -> dict[str, Schema]:
        """Return the definitions that a document refers to, and those that they refer to."""
        return find_used(document, self.definitions)

    def query(self, route: Route) -> Schema:
        """Return the schema of a route's query, whose properties become parameters."""
        return self.resolved(self._made[f"{route.operation_id} query", "validation"])


def describe_default(field: Schema) -> Schema:
    """Return the schema of a field with its default in the description."""
    if "default" not in field:
        return field
    said = [field["description"]] if "description" in field else []
    kept = {key: value for key, value in field.items() if key not in {"default", "description"}}
    return {**kept, "description": " ".join([*said, f"Default: `{json.dumps(field['default'], ensure_ascii=False)}`."])}


def find_used(node: Any, definitions: Mapping[str, Schema]) -> dict[str, Schema]:
    """Return the definitions that a part of a document refers to, and those that they refer to, by name."""
    used: dict[str, Schema] = {}
    waiting = list(list_references(node))
    while waiting:
        name = waiting.pop().removeprefix(TEMPLATE.format(model=""))
        if name not in used:
            used[name] = definitions[name]
            waiting += list_references(used[name])
    return dict(sorted(used.items()))
