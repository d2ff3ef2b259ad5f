"""Checks of pages: a plugin answers its own addresses alone, and its hooks run for its own pages alone."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from operator import itemgetter
from typing import Any, Final, Generic, TypeVar

from quart import Quart
from werkzeug.routing import Rule

from comanda.basics.startup_errors import DuplicateRegistration, InvalidDeclaration
from comanda.contracts.registry import UNKNOWN_PLUGIN, Registry
from comanda.contracts.requests.routes import API_PREFIX, Route
from comanda.contracts.web.pages import Pages

# What an application does for every request and every page, by the way in which a blueprint can add to it.
SHARED_HOOKS: Final[Mapping[str, str]] = {
    "before_request_funcs": "before_app_request",
    "after_request_funcs": "after_app_request",
    "teardown_request_funcs": "teardown_app_request",
    "before_websocket_funcs": "before_app_websocket",
    "after_websocket_funcs": "after_app_websocket",
    "teardown_websocket_funcs": "teardown_app_websocket",
    "error_handler_spec": "app_errorhandler",
    "template_context_processors": "app_context_processor",
    "url_value_preprocessors": "app_url_value_preprocessor",
    "url_default_functions": "app_url_defaults",
    "before_serving_funcs": "before_app_serving",
    "while_serving_gens": "while_app_serving",
    "after_serving_funcs": "after_app_serving",
    "teardown_appcontext_funcs": "teardown_appcontext",
    "url_build_error_handlers": "url_build_error_handlers",
}
PLACEHOLDER: Final = re.compile(r"\{\w+\}")

T = TypeVar("T")

# One part of a path: a text, the pattern of a parameter, or None for any number of parts.
Segment = str | re.Pattern[str] | None


def list_plugins(registry: Registry) -> dict[str, str]:
    """Return the plugin of each blueprint, by its name, which for others than installed plugins is the plugin's."""
    found = {pages.blueprint.name: registry.plugin_of(pages) for pages in registry.pages}
    return {name: name if plugin == UNKNOWN_PLUGIN else plugin for name, plugin in found.items()}


def register_blueprint(app: Quart, plugin: str, pages: Pages) -> None:
    """Add the pages of a plugin. Raises ``InvalidDeclaration`` if they change more than their own addresses."""
    before = _copy_shared_state(app)
    app.register_blueprint(pages.blueprint)
    after = _copy_shared_state(app)
    if changed := [SHARED_HOOKS[name] for name in SHARED_HOOKS if before[name] != after[name]]:
        raise InvalidDeclaration(
            f"Plugin {plugin}: the pages {pages.blueprint.name} use {changed[0]}, which is run for the pages of all "
            "plugins; use the same of the blueprint, such as before_request.",
            plugin,
        )
    for what, names in before["names"].items():
        if replaced := [name for name, function in names.items() if after["names"][what].get(name) is not function]:
            raise InvalidDeclaration(
                f"Plugin {plugin}: the pages {pages.blueprint.name} replace the {what} {replaced[0]}.", plugin
            )


def check_addresses(app: Quart, registry: Registry) -> None:
    """Check that no two plugins answer one address, also by a parameter or by one for any path.

    Raises ``DuplicateRegistration`` naming both, and ``InvalidDeclaration`` for a page under the prefix of the API or a
    documented page that does not exist.
    """
    plugins = list_plugins(registry)
    rules = [(_get_plugin(rule, plugins), rule, _split_rule(rule)) for rule in app.url_map.iter_rules()]
    answered = _Addresses[Rule]()
    for _, rule, segments in rules:
        answered.add(segments, rule)
    for declared in registry.pages:
        _check_documented(declared, registry.plugin_of(declared), answered)
    routes = _Addresses[Route]()
    for route in registry.routes:
        routes.add(_split_path(route.full_path), route)
    pages = _Addresses[tuple[str, Rule]]()
    for plugin, rule, segments in rules:
        if rule.rule.startswith(API_PREFIX):
            raise InvalidDeclaration(
                f"The page {rule.endpoint} answers at {rule.rule}, under the API's prefix.", plugin
            )
        for route in routes.find(segments):
            raise DuplicateRegistration(
                f"The page {rule.endpoint} and the route {route.method} {route.full_path} both answer {rule.rule}.",
                plugin,
                registry.plugin_of(route),
            )
        for other, taken in pages.find(segments):
            is_own = plugin == other and (rule.rule != taken.rule or not _share_method(rule, taken))
            if not is_own:
                raise DuplicateRegistration(
                    f"The page {rule.endpoint} and the page {taken.endpoint} both answer {rule.rule}.",
                    *dict.fromkeys([other, plugin]),
                )
        pages.add(segments, (plugin, rule))


@dataclass(slots=True)
class _Node(Generic[T]):
    """The addresses that begin with the same parts: those that end here, and those that go on, by their next part."""

    items: list[tuple[int, T]] = field(default_factory=list)
    by_text: dict[str, "_Node[T]"] = field(default_factory=dict)
    by_pattern: dict[re.Pattern[str], "_Node[T]"] = field(default_factory=dict)

    def add(self, segment: str | re.Pattern[str]) -> "_Node[T]":
        """Return the node of the addresses that go on with ``segment``."""
        if isinstance(segment, str):
            return self.by_text.setdefault(segment, _Node())
        return self.by_pattern.setdefault(segment, _Node())

    def find(self, segment: Segment) -> Iterator["_Node[T]"]:
        """Yield the nodes of the addresses whose next part may be equal to ``segment``."""
        if isinstance(segment, str):
            if (node := self.by_text.get(segment)) is not None:
                yield node
        else:
            yield from (node for text, node in self.by_text.items() if _match(segment, text))
        yield from (node for pattern, node in self.by_pattern.items() if _match(segment, pattern))


class _Addresses(Generic[T]):
    """Addresses in the order in which they were added."""

    def __init__(self) -> None:
        self._all: list[tuple[list[Segment], T]] = []
        self._root = _Node[T]()
        # Those with a parameter for any number of parts, which are few.
        self._open: list[tuple[int, list[Segment], T]] = []

    def add(self, segments: list[Segment], item: T) -> None:
        """Add an address."""
        position = len(self._all)
        self._all.append((segments, item))
        node = self._root
        for segment in segments:
            if segment is None:
                self._open.append((position, segments, item))
                return
            node = node.add(segment)
        node.items.append((position, item))

    def find(self, segments: list[Segment]) -> Iterator[T]:
        """Yield the items of the addresses that some path of ``segments`` fits as well, the first one first."""
        if None in segments:
            return (item for taken, item in self._all if _overlap(segments, taken))
        nodes = [self._root]
        for segment in segments:
            nodes = [found for node in nodes for found in node.find(segment)]
        candidates = [each for node in nodes for each in node.items]
        candidates += [(position, item) for position, taken, item in self._open if _overlap(segments, taken)]
        return (item for _, item in sorted(candidates, key=itemgetter(0)))


def _check_documented(declared: Pages, plugin: str, answered: _Addresses[Rule]) -> None:
    for page in declared.documented:
        if next(answered.find(_split_path(page.path)), None) is None:
            raise InvalidDeclaration(f"Plugin {plugin}: no page answers the documented path {page.path}.", plugin)


def _copy_shared_state(app: Quart) -> dict[str, Any]:
    """Return what the application does for all pages, in a form that can be compared."""
    templates = app.jinja_env
    names = {"page": app.view_functions, "filter": templates.filters, "test": templates.tests}
    state: dict[str, Any] = {"names": {what: dict(found) for what, found in names.items()}}
    for name in SHARED_HOOKS:
        value = getattr(app, name)
        state[name] = repr(value.get(None)) if isinstance(value, dict) else list(value)
    return state


def _get_plugin(rule: Rule, plugins: Mapping[str, str]) -> str:
    blueprint = str(rule.endpoint).partition(".")[0]
    return plugins.get(blueprint, blueprint)


def _share_method(one: Rule, other: Rule) -> bool:
    return bool(((one.methods or set()) & (other.methods or set())) - {"HEAD", "OPTIONS"})


def _split_path(path: str) -> list[Segment]:
    return [re.compile("[^/]+") if PLACEHOLDER.search(part) else part for part in _split(path)]


def _split_rule(rule: Rule) -> list[Segment]:
    """Return the parts of a page's address. A parameter for any path stands for any number of parts."""
    return list(_list_segments(rule))


def _list_segments(rule: Rule) -> Iterator[Segment]:
    # Parameters are written <converter:name>, and converters may have arguments with slashes in them.
    parts = re.split(r"<(?:[^<>:]*(?:\([^<>]*\))?:)?(\w+)>", rule.rule)
    text, names = parts[::2], parts[1::2]
    marked = "".join(
        piece + (f"\0{names[position]}\0" if position < len(names) else "") for position, piece in enumerate(text)
    )
    for part in _split(marked):
        pieces = part.split("\0")
        converters = [rule._converters[name] for name in pieces[1::2]]
        if any(not converter.part_isolating for converter in converters):
            yield None
        elif converters:
            patterns = [f"(?:{converter.regex})" for converter in converters]
            yield re.compile("".join(map("".join, zip(map(re.escape, pieces[::2]), [*patterns, ""], strict=True))))
        else:
            yield part


def _split(path: str) -> list[str]:
    # An address and the same with a slash at its end are one: Quart redirects from one to the other.
    return path.strip("/").split("/")


def _overlap(one: Sequence[Segment], other: Sequence[Segment]) -> bool:
    """Return whether some path fits both."""
    if not one or not other:
        return all(segment is None for segment in (*one, *other))
    if one[0] is None:
        return _overlap(one[1:], other) or _overlap(one, other[1:])
    if other[0] is None:
        return _overlap(one, other[1:]) or _overlap(one[1:], other)
    return _match(one[0], other[0]) and _overlap(one[1:], other[1:])


def _match(one: Segment, other: Segment) -> bool:
    if one is None or other is None:
        return True
    if isinstance(one, str):
        return one == other if isinstance(other, str) else other.fullmatch(one) is not None
    # Two parameters may have a value in common; which one would answer is for nobody to guess.
    return True if isinstance(other, re.Pattern) else one.fullmatch(other) is not None
