"""The OpenAPI 3.1 description, generated from the declared routes and from nothing else."""

from __future__ import annotations

import re
from datetime import datetime
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, TypeAdapter
from pydantic.json_schema import JsonSchemaMode

from comanda.http.call import JSON
from comanda.http.extended import added_fields
from comanda.http.routes import ANY_SCOPE, API_PREFIX, Route

if TYPE_CHECKING:
    # Core's own routes are part of the registry, so its module cannot be imported while they are.
    from comanda.registry import Registry

# What is no JSON is described by its content type alone.
BINARY = {"type": "string", "format": "binary"}

TEMPLATE = "#/components/schemas/{model}"

PAGING = [
    {
        "name": "page",
        "in": "query",
        "description": "Which page, from 1.",
        "schema": {"type": "integer", "minimum": 1, "default": 1},
    },
    {
        "name": "per_page",
        "in": "query",
        "description": "How many rows a page has.",
        "schema": {"type": "integer", "minimum": 1, "maximum": 100},
    },
]

# Whichever of them a route takes, each operation lists the three: that is what the interface promises its readers.
SECURITY: list[dict[str, list[str]]] = [{"ApiToken": []}, {"StorefrontToken": []}, {"OAuth": []}]


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
    items_count: int | None = None
    limits: dict[str, int] | None = None
    choices: list[Any] | None = None


def api_routes(registry: Registry) -> list[Route]:
    """List the documented routes under the API's prefix, by tag and path."""
    documented = (route for route in registry.routes if route.prefix == API_PREFIX and route.is_documented)
    return sorted(documented, key=lambda route: (route.tag, route.full_path, route.method))


def document(registry: Registry, site_url: str) -> dict[str, Any]:
    """Describe the API of the installed plugins."""
    routes = api_routes(registry)
    schemas = _Schemas(routes, registry)
    paths: dict[str, dict[str, Any]] = {}
    for route in routes:
        paths.setdefault(route.full_path, {})[route.method.lower()] = _operation(route, schemas)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Comanda",
            "version": "v1",
            "description": "Stores, menus, orders and everything around them, over one REST API.",
        },
        "servers": [{"url": site_url + API_PREFIX}],
        "tags": [{"name": tag} for tag in sorted({route.tag for route in routes})],
        "paths": paths,
        "webhooks": _webhooks(registry),
        "components": {
            "schemas": schemas.definitions,
            "securitySchemes": {
                "ApiToken": {"type": "http", "scheme": "bearer"},
                "StorefrontToken": {"type": "apiKey", "in": "header", "name": "X-Storefront-Token"},
                "OAuth": {
                    "type": "oauth2",
                    "flows": {
                        "authorizationCode": {
                            "authorizationUrl": f"{site_url}/oauth/authorize",
                            "tokenUrl": f"{site_url}/oauth/token",
                            "scopes": {},
                        }
                    },
                },
            },
        },
    }


class _Schemas:
    """The schemas of all bodies, made in one go, so that two models of one name get names that tell them apart."""

    def __init__(self, routes: list[Route], registry: Registry) -> None:
        wanted: list[tuple[str, JsonSchemaMode, TypeAdapter[Any]]] = [("error", "validation", TypeAdapter(Error))]
        for route in routes:
            given = {"body": route.binding.body, "query": route.binding.query}
            wanted += [(f"{route.operation_id} {what}", "validation", TypeAdapter(t)) for what, t in given.items() if t]
            if route.status != 204 and JSON in route.content_types:
                wanted.append((f"{route.operation_id} answer", "serialization", TypeAdapter(route.binding.answers)))
        added = list(added_fields(registry))
        for body, mode, fields, where in added:
            wanted += [
                (body.__name__, mode, TypeAdapter(body)),
                (f"{body.__name__} {where}", mode, TypeAdapter(fields)),
            ]
        self._made, top = TypeAdapter.json_schemas(wanted, ref_template=TEMPLATE)
        self.definitions: dict[str, Any] = top.get("$defs", {})
        self.error = self._made["error", "validation"]
        for body, mode, _, where in added:
            self._add(self._made[body.__name__, mode], self._made[f"{body.__name__} {where}", mode], where)

    def _add(self, body: dict[str, Any], fields: dict[str, Any], where: str) -> None:
        """Let the properties of one schema stand in another as well, saying where they apply."""
        properties = self._resolved(body)["properties"]
        for name, field in self._resolved(fields)["properties"].items():
            said = " ".join(filter(None, [field.get("description"), where]))
            properties.setdefault(name, {**field, "description": said})

    def _resolved(self, schema: dict[str, Any]) -> dict[str, Any]:
        reference: str | None = schema.get("$ref")
        return self.definitions[reference.removeprefix(TEMPLATE.format(model=""))] if reference else schema

    def body(self, route: Route) -> dict[str, Any]:
        """Return the schema of what a route takes."""
        return self._made[f"{route.operation_id} body", "validation"]

    def answer(self, route: Route) -> dict[str, Any]:
        """Return the schema of what a route answers with."""
        return self._made[f"{route.operation_id} answer", "serialization"]

    def query(self, route: Route) -> dict[str, Any]:
        """Return the schema of a route's query, whose properties become parameters."""
        return self._resolved(self._made[f"{route.operation_id} query", "validation"])


def _operation(route: Route, schemas: _Schemas) -> dict[str, Any]:
    operation: dict[str, Any] = {
        "operationId": route.operation_id,
        "tags": [route.tag],
        "summary": route.summary.replace("``", "").rstrip("."),
        "description": _description(route),
        "security": SECURITY,
        "parameters": _parameters(route, schemas),
        "responses": _responses(route, schemas),
    }
    if route.binding.body is not None:
        schema = schemas.body(route)
        uploads = {kind: {"schema": BINARY} for kind in route.uploads}
        operation["requestBody"] = {"required": True, "content": {JSON: {"schema": schema}, **uploads}}
    return operation


def _description(route: Route) -> str:
    text = re.sub(r"``(.+?)``", r"`\1`", route.description)
    if not route.callers:
        return f"{text}\n\nNeeds no token."
    scope = "any scope" if route.scope == ANY_SCOPE else f"the scope `{route.scope}`"
    return f"{text}\n\nTakes: {', '.join(route.callers)} token with {scope}."


def _parameters(route: Route, schemas: _Schemas) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = [
        {"name": name, "in": "path", "required": True, "schema": {"type": "string"}}
        for name in route.binding.path_parameters
    ]
    found += [
        {"name": name, "in": "header", "required": False, "description": meaning, "schema": {"type": "string"}}
        for name, meaning in route.headers
    ]
    if route.binding.is_paged:
        found += PAGING
    if route.binding.query is not None:
        schema = schemas.query(route)
        required = schema.get("required", [])
        found += [
            {"name": name, "in": "query", "required": name in required, "schema": field}
            for name, field in schema["properties"].items()
        ]
    return found


def _responses(route: Route, schemas: _Schemas) -> dict[str, Any]:
    """List 200 and 4XX, as every operation promises, and the status that success really has."""
    responses: dict[str, Any] = {
        "4XX": {"description": "The request was refused.", "content": {"application/json": {"schema": schemas.error}}}
    }
    if route.status == 204:
        return {
            "200": {"description": "Not used; success is 204."},
            "204": {"description": "Done."},
            **responses,
        }
    success = {
        "description": "Success.",
        "content": {
            kind: {"schema": schemas.answer(route) if kind == JSON else BINARY} for kind in route.content_types
        },
    }
    return {"200": success, **({str(route.status): success} if route.status != 200 else {}), **responses}


def _webhooks(registry: Registry) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, event in registry.events.items():
        schema = {
            "type": "object",
            "required": ["id", "event", "created_at", "data"],
            "properties": {
                "id": {"type": "string", "description": "The message id, also in the header webhook-id."},
                "event": {"const": name},
                "created_at": {"type": "string", "format": "date-time"},
                "data": event.model_json_schema(mode="serialization", by_alias=True),
            },
        }
        example = {"value": dict(event.sample)}
        found[name] = {
            "post": {
                "operationId": f"on_{name.replace('.', '_')}",
                "summary": (event.__doc__ or name).splitlines()[0],
                "requestBody": {"content": {"application/json": {"schema": schema, "examples": {"data": example}}}},
                "responses": {"2XX": {"description": "Received; any other status is tried again."}},
            }
        }
    return found
