"""Rules for declarations that do not prevent the startup: what clients, agents and operators read."""

import inspect
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, get_args, get_origin

import jsonschema

from comanda.contracts.background.events import Event, Personal
from comanda.contracts.data.model_sets import ModelSet
from comanda.contracts.registry import Registry
from comanda.contracts.requests.mcp import Tool
from comanda.contracts.requests.routes import Route
from comanda.contracts.settings import PluginSettings
from comanda.devkit.authoring.findings import Finding
from comanda.devkit.authoring.tables import MONEY
from comanda.platform.events.personal_data import list_event_fields
from comanda.platform.mcp.schemas import build_arguments_schema, build_result_schema

EVENT_NAME = re.compile(r"[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)*")
EVENT_SCOPE = re.compile(r"[a-z]+:(read|write)")
# Keys that usually hold personal data; NotPersonal marks those that do not.
PERSONAL_KEY = re.compile(
    r"(.*_)?(name|phone|mobile|email|mail|address|street|postcode|zip|latitude|longitude|lat|lng|ip|note|notes|comment"
    r"|guest|recipient|birthday|birth_date)"
)


def check_declarations(registry: Registry, name: str, package: str) -> Iterator[Finding]:
    """Check the declarations of one plugin."""
    declared: Mapping[str, tuple[str, ...]] = registry.contributions[name]
    for route in registry.routes:
        # Core answers the routes of MCP servers.
        if f"{route.method} {route.full_path}" in declared.get("route", ()) and _is_in(package, route.handler):
            yield from check_route(route)
    for event in declared.get("event", ()):
        yield from check_event(registry.events[event])
    for tool in declared.get("MCP tool", ()):
        yield from check_tool(registry.mcp_tools[tool])
    for kind in registry.settings:
        if _is_in(package, kind):
            yield from check_settings(kind)
    for models in registry.models:
        if models.app == name:
            yield from check_models(models, package)


def list_own_routes(registry: Registry, name: str, package: str) -> list[Route]:
    """Return the routes of a plugin with its own handlers."""
    declared = registry.contributions[name].get("route", ())
    return [
        route
        for route in registry.routes
        if f"{route.method} {route.full_path}" in declared and _is_in(package, route.handler)
    ]


def check_route(route: Route) -> Iterator[Finding]:
    """Check that a route documents what it does and answers, and that its handler takes the path parameters."""
    place, called = find_place(route.handler), f"{route.method} {route.full_path}"
    if not inspect.getdoc(route.handler):
        yield Finding(*place, "route-docstring", f"{called} has no docstring.")
    elif not route.summary.endswith("."):
        yield Finding(*place, "route-docstring", f"{called}: the first line of the docstring is not a sentence.")
    if route.is_documented and route.status != 204 and not _has_schema(route.binding.answers):
        yield Finding(*place, "route-answers", f"{called} has no schema of its answer.")
    taken = set(inspect.signature(route.handler).parameters)
    for parameter in route.binding.path_parameters:
        if re.sub(r"(?<=[a-z])(?=[A-Z])", "_", parameter).lower() not in taken:
            yield Finding(*place, "route-parameters", f"{called}: the handler does not take {parameter}.")


def _has_schema(answers: Any) -> bool:
    # A dict of anything, or a list of those, tells clients nothing.
    if get_origin(answers) is list:
        return all(map(_has_schema, get_args(answers)))
    if answers in (None, dict, list, type(None), Any) or get_origin(answers) is dict:
        return False
    return getattr(answers, "__name__", "") != "Answer"


def check_event(event: type[Event]) -> Iterator[Finding]:
    """Check that an event documents when it is sent, and that its sample matches its fields."""
    place = find_place(event)
    if not (event.__doc__ or "").strip():
        yield Finding(*place, "event-docstring", f"{event.name} does not say when it is sent.")
    if not EVENT_NAME.fullmatch(event.name):
        yield Finding(*place, "event-name", f"{event.name!r} is not a valid event name.")
    if not EVENT_SCOPE.fullmatch(event.scope):
        yield Finding(*place, "event-name", f"{event.name}: {event.scope!r} is not a valid scope.")
    schema = event.model_json_schema(mode="serialization", by_alias=True)
    validator = jsonschema.Draft202012Validator(schema, format_checker=jsonschema.FormatChecker())
    for problem in validator.iter_errors(dict(event.sample)):
        yield Finding(*place, "event-sample", f"{event.name}: {problem.json_path}: {problem.message}.")
    if strange := event.sample.keys() ^ schema.get("properties", {}).keys():
        sentence = f"{event.name}: the fields and the sample differ in {', '.join(sorted(strange))}."
        yield Finding(*place, "event-sample", sentence)
    for path, value in _list_values(event.sample):
        if isinstance(value, int | float) and not isinstance(value, bool) and MONEY.search(path[-1]):
            sentence = f"{event.name}: {'.'.join(path)} is the number {value} and not a text."
            yield Finding(*place, "event-amount", sentence)
    yield from _check_personal_data(event)


def _check_personal_data(event: type[Event]) -> Iterator[Finding]:
    """Check that personal data in an event is marked with its scope and nullable."""
    place, fields = find_place(event), list_event_fields(event)
    marked = {field.path for field in fields if field.marker is not None}
    paths = dict.fromkeys([*(field.path for field in fields), *(path for path, _ in _list_values(event.sample))])
    for path in paths:
        if PERSONAL_KEY.fullmatch(path[-1]) and not any(path[: len(one)] == one for one in marked):
            yield Finding(*place, "event-personal", f"{event.name}: {'.'.join(path)} looks like personal data.")
    personal = {field.path for field in fields if isinstance(field.marker, Personal)}
    for field in fields:
        if field.path in personal and not field.is_nullable:
            yield Finding(*place, "event-personal", f"{event.name}: {'.'.join(field.path)} cannot be null.")
    for key in event.personal:
        if (key,) not in personal:
            yield Finding(*place, "event-personal", f"{event.name}: {key} is erased but not marked as personal data.")


def _list_values(value: Any, outer: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Yield each value in a payload with the path of its keys."""
    if isinstance(value, list | tuple):
        for one in value:
            yield from _list_values(one, outer)
    elif isinstance(value, Mapping):
        for key, inner in value.items():
            yield (*outer, key), inner
            yield from _list_values(inner, (*outer, key))


def check_tool(tool: Tool) -> Iterator[Finding]:
    """Check that the schemas of a tool are valid and contain no references."""
    sides: tuple[tuple[str, Callable[[Any], dict[str, Any]], type], ...] = (
        ("arguments", build_arguments_schema, tool.arguments),
        ("result", build_result_schema, tool.result),
    )
    for side, describe, model in sides:
        schema = describe(model)
        try:
            jsonschema.Draft202012Validator.check_schema(schema)
        except jsonschema.SchemaError as error:
            yield Finding(
                *find_place(model), "tool-schema", f"{tool.name}: the schema of its {side} is invalid: {error.message}."
            )
        if "'$ref'" in str(schema):
            yield Finding(
                *find_place(model), "tool-schema", f"{tool.name}: the schema of its {side} contains a reference."
            )


def check_settings(kind: type[PluginSettings]) -> Iterator[Finding]:
    """Check that each setting has a description."""
    for name, field in kind.model_fields.items():
        if not field.description:
            yield Finding(*find_place(kind), "setting-description", f"The setting {name} has no description.")


def check_models(models: ModelSet, package: str) -> Iterator[Finding]:
    """Check that models and migrations are in the plugin's package; Comanda's own plugins share a migrations tree."""
    for place in (*models.modules, models.migrations):
        if place != f"comanda_migrations.{models.app}" and not place.startswith(f"{package}."):
            yield Finding(package, 1, "models-place", f"{place} is outside {package}.")


def _is_in(package: str, thing: Any) -> bool:
    return str(inspect.unwrap(thing).__module__).partition(".")[0] == package


def find_place(thing: Any) -> tuple[str, int]:
    """Return the file and the line of a handler or a class."""
    thing = inspect.unwrap(thing)
    try:
        return inspect.getsourcefile(thing) or str(thing.__module__), inspect.getsourcelines(thing)[1]
    except (OSError, TypeError):
        return str(thing.__module__), 1
