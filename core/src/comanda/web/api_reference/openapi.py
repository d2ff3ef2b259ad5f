"""The OpenAPI 3.1 description, generated from the declared routes and from nothing else."""

from __future__ import annotations

import re
from typing import Any

from comanda.basics.json_schema import Schema
from comanda.contracts.background.events import Event
from comanda.contracts.registry import Registry
from comanda.contracts.requests.calls import JSON
from comanda.contracts.requests.routes import ANY_SCOPE, API_PREFIX, FORM, Route
from comanda.contracts.web.pages import DocumentedPage
from comanda.platform.http.examples import Examples
from comanda.web.api_reference.schemas import Schemas, find_used

Document = dict[str, Any]

# What is no JSON is described by its content type alone.
URL_ENCODED = "application/x-www-form-urlencoded"
BINARY = {"type": "string", "format": "binary"}

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

SAMPLE_MESSAGE = {"id": "msg_2mTVQXb5cZ7pYJ4kLw9sEd", "event": "", "created_at": "2026-07-28T18:30:00+00:00"}

# Where apps get their tokens; the specification fixes the addresses.
AUTHORIZATION_PATH, TOKEN_PATH = "/oauth/authorize", "/oauth/token"


def api_routes(registry: Registry) -> list[Route]:
    """List the documented routes, also those outside the API's prefix, by tag and path."""
    documented = (route for route in registry.routes if route.is_documented)
    return sorted(documented, key=lambda route: (route.tag, route.full_path, route.method))


def documented_pages(registry: Registry) -> list[DocumentedPage]:
    """List the documented pages by tag and path."""
    documented = (page for pages in registry.pages for page in pages.documented)
    return sorted(documented, key=lambda page: (page.tag, page.path))


def document(registry: Registry, site_url: str) -> Document:
    """Describe all operations of the installed plugins, those outside the API's prefix with a server of their own."""
    routes = api_routes(registry)
    schemas = Schemas(routes, registry)
    webhooks = _webhooks(registry, schemas)
    schemes = _security_schemes(registry, site_url)
    # Whichever of them a route takes, each operation lists them all: that is what the interface promises its readers.
    security: list[dict[str, list[str]]] = [{name: []} for name in schemes]
    paths: dict[str, dict[str, Any]] = {}
    for route in routes:
        operation = _operation(route, schemas, security)
        if not route.full_path.startswith(API_PREFIX):
            # The document's server is the base of the API, which these paths do not begin with.
            operation["servers"] = [{"url": site_url}]
        paths.setdefault(route.full_path, {})[route.method.lower()] = operation
    pages = documented_pages(registry)
    for page in pages:
        paths.setdefault(page.path, {})["get"] = _page_operation(page, security, site_url)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Comanda",
            "version": "v1",
            "description": "Stores, menus, orders and everything around them, over one REST API.",
        },
        "servers": [{"url": site_url + API_PREFIX}],
        "tags": [{"name": tag} for tag in sorted({route.tag for route in routes} | {page.tag for page in pages})],
        "paths": paths,
        "webhooks": webhooks,
        "components": {"schemas": schemas.used_by([paths, webhooks]), "securitySchemes": schemes},
    }


def split_document(whole: Document, site_url: str) -> tuple[Document, Document]:
    """Return what a whole document says about the API with its webhooks, and about all other addresses of the site."""
    api = {path: item for path, item in whole["paths"].items() if path.startswith(API_PREFIX)}
    site = {
        path: {method: {**operation, "servers": [{"url": site_url}]} for method, operation in item.items()}
        for path, item in whole["paths"].items()
        if path not in api
    }
    return _select(whole, api, whole["webhooks"]), {**_select(whole, site, {}), "servers": [{"url": site_url}]}


def _select(whole: Document, paths: Document, webhooks: Document) -> Document:
    tags = {tag for item in paths.values() for operation in item.values() for tag in operation["tags"]}
    schemas = find_used([paths, webhooks], whole["components"]["schemas"])
    return {
        **whole,
        "tags": [tag for tag in whole["tags"] if tag["name"] in tags],
        "paths": paths,
        "webhooks": webhooks,
        "components": {**whole["components"], "schemas": schemas},
    }


def _security_schemes(registry: Registry, site_url: str) -> dict[str, dict[str, Any]]:
    """Return the ways to send a token: as Bearer, in the headers of caller kinds that have their own, from OAuth."""
    headers = sorted({kind.header.title() for kind in registry.caller_kinds.values()} - {"Authorization"})
    flow = {"authorizationUrl": site_url + AUTHORIZATION_PATH, "tokenUrl": site_url + TOKEN_PATH, "scopes": {}}
    return {
        "ApiToken": {"type": "http", "scheme": "bearer"},
        **{
            header.removeprefix("X-").replace("-", ""): {"type": "apiKey", "in": "header", "name": header}
            for header in headers
        },
        "OAuth": {"type": "oauth2", "flows": {"authorizationCode": flow}},
    }


def _operation(route: Route, schemas: Schemas, security: list[dict[str, list[str]]]) -> dict[str, Any]:
    operation: dict[str, Any] = {
        "operationId": route.operation_id,
        "tags": [route.tag],
        "summary": route.summary.replace("``", "").rstrip("."),
        "description": _description(route),
        "security": security,
        "parameters": _parameters(route, schemas),
        "responses": _responses(route, schemas),
    }
    if route.binding.body is not None:
        schema = schemas.body(route)
        example = Examples(schemas.definitions).of(schema)
        kinds = route.upload.content_types
        uploads = {kind: {"schema": _upload(route, kind, schemas.resolved(schema))} for kind in kinds}
        operation["requestBody"] = {
            "required": True,
            "content": {JSON: {"schema": schema, "examples": {"body": {"value": example}}}, **uploads},
        }
    return operation


def _page_operation(page: DocumentedPage, security: list[dict[str, list[str]]], site_url: str) -> dict[str, Any]:
    html = {"text/html": {"schema": {"type": "string"}}}
    return {
        "operationId": page.operation_id,
        "tags": [page.tag],
        "summary": page.summary.rstrip("."),
        "description": f"{page.summary}\n\nA page: people who are signed in see it in their browser.",
        "security": security,
        "servers": [{"url": site_url}],
        "parameters": [
            {"name": name, "in": "path", "required": True, "schema": {"type": "string"}}
            for name in re.findall(r"\{(\w+)\}", page.path)
        ],
        "responses": {
            "200": {"description": "The page.", "content": html},
            "303": {"description": "To the page for signing in, for those who are not signed in."},
            "4XX": {"description": "A page that says why the request was refused.", "content": html},
        },
    }


def _upload(route: Route, kind: str, body: Schema) -> Schema:
    """Return the schema of a body that is a file, of a form with its fields, or of one with a file among them."""
    if kind == URL_ENCODED:
        return body
    if kind != FORM:
        return _raw(kind)
    required = body.get("required", [])
    beside = {name: field for name, field in body["properties"].items() if name not in required}
    return {"type": "object", "required": [route.upload.part], "properties": {route.upload.part: BINARY, **beside}}


def _description(route: Route) -> str:
    text = re.sub(r"``(.+?)``", r"`\1`", route.description)
    if not route.callers:
        return f"{text}\n\nNeeds no token."
    scope = "any scope" if route.scope == ANY_SCOPE else f"the scope `{route.scope}`"
    return f"{text}\n\nTakes: {', '.join(route.callers)} token with {scope}."


def _parameters(route: Route, schemas: Schemas) -> list[dict[str, Any]]:
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


def _responses(route: Route, schemas: Schemas) -> dict[str, Any]:
    """List 200 and 4XX, as every operation promises, and the status that success really has."""
    responses: dict[str, Any] = {
        "4XX": {"description": "The request was refused.", "content": {"application/json": {"schema": schemas.error}}}
    }
    if route.status == 204:
        return {"200": {"description": "Not used; success is 204."}, "204": {"description": "Done."}, **responses}
    if any(name.lower() == "if-none-match" for name, _ in route.headers):
        responses["304"] = {"description": "What the client has is what there is."}
    success = {
        "description": "Success.",
        "content": {
            kind: {"schema": schemas.answer(route) if kind == JSON else _raw(kind)} for kind in route.content_types
        },
    }
    return {"200": success, **({str(route.status): success} if route.status != 200 else {}), **responses}


def _raw(kind: str) -> Schema:
    return {"type": "string"} if kind.startswith("text/") else BINARY


def _webhooks(registry: Registry, schemas: Schemas) -> dict[str, Any]:
    return {name: {"post": _delivery(name, event, schemas.event(name))} for name, event in registry.events.items()}


def _delivery(name: str, event: type[Event], data: Schema) -> dict[str, Any]:
    """Describe what an endpoint receives of an event; the example is a whole delivery."""
    schema = {
        "type": "object",
        "required": ["id", "event", "created_at", "data"],
        "properties": {
            "id": {"type": "string", "description": "The message id, also in the header webhook-id."},
            "event": {"const": name},
            "created_at": {"type": "string", "format": "date-time"},
            "data": data,
        },
    }
    example = {**SAMPLE_MESSAGE, "event": name, "data": dict(event.sample)}
    return {
        "operationId": f"on_{name.replace('.', '_')}",
        "summary": (event.__doc__ or name).splitlines()[0],
        # Receivers are not callers: what they check is the signature in the headers.
        "security": [],
        "requestBody": {"content": {JSON: {"schema": schema, "examples": {"delivery": {"value": example}}}}},
        "responses": {"2XX": {"description": "Received; any other status is tried again."}},
    }
