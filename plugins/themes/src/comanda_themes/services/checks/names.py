"""Checks that the filters, objects and properties that a file uses exist."""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Any, Final

from liquid.static_analysis import TemplateAnalysis

from comanda_themes.services.liquid import reference
from comanda_themes.services.liquid.findings import FindingCollector, ThemeFile
from comanda_themes.services.liquid.lexer import LexedFile, LiquidTag
from comanda_themes.services.liquid.reference import LIST_OF

LIST_PROPERTIES: Final = frozenset({"size", "first", "last"})
LOOP: Final = re.compile(r"(\w[\w-]*)\s+in\s+([\w.-]+)(?=\s|$)")
ASSIGNMENT: Final = re.compile(r"(\w[\w-]*)\s*=\s*([\w.-]+)$")
UNKNOWN: Final = "any"


@dataclass(frozen=True, slots=True)
class ThemeVocabulary:
    """The names that a file may use in addition to those of the reference.

    ``more`` are further properties of objects by type: the settings that schemas declare, and the
    fields that plugins give to items. ``parameters`` are values that other files pass to a snippet.
    """

    more: Mapping[str, Collection[str]] = field(default_factory=dict)
    parameters: Collection[str] = ()


def check_names(
    file: ThemeFile,
    lexed: LexedFile,
    analysis: TemplateAnalysis,
    vocabulary: ThemeVocabulary,
    findings: FindingCollector,
) -> None:
    """Add a finding for every unknown name."""
    for name, spans in analysis.filters.items():
        if name not in reference.load_filters():
            for span in spans:
                message = f"There is no filter {name[:50]}.{_suggest(name, reference.load_filters())}"
                findings.add(file, span.index, "unknown_filter", message)
    typed = _TypeResolver(file.path, lexed.tags, vocabulary)
    free = {id(variable) for found in analysis.globals.values() for variable in found}
    for root, variables in analysis.variables.items():
        for variable in variables:
            if findings.is_full:
                return
            place, segments = variable.span.index, variable.segments
            if id(variable) in free and not typed.is_known(root):
                findings.add(file, place, "unknown_object", typed.get_unknown_message(root))
            elif (problem := typed.find_problem(segments, is_free=id(variable) in free)) is not None:
                findings.add(file, place, "unknown_property", problem)


class _TypeResolver:
    """Resolves the type of a path as far as possible without rendering."""

    def __init__(self, path: str, tags: Sequence[LiquidTag], vocabulary: ThemeVocabulary) -> None:
        self._path, self._vocabulary = path, vocabulary
        self._locals: dict[str, str] = {}
        for name, target, is_loop in _list_bindings(tags):
            found = self._resolve_type(target.split("."), self._get_root_type(target.split(".")[0]))
            if is_loop:
                found = found.removeprefix(LIST_OF) if found.startswith(LIST_OF) else UNKNOWN
            # A name that is bound to different types is not checked.
            self._locals[name] = found if self._locals.get(name, found) == found else UNKNOWN

    def is_known(self, root: str) -> bool:
        found = reference.load_objects().get(root)
        return root in self._vocabulary.parameters or (found is not None and found.is_global_in(self._path))

    def get_unknown_message(self, root: str) -> str:
        found = reference.load_objects().get(root)
        if found is not None:
            return f"{root} is not known in this file; it is in {found.where}."
        known = [name for name, one in reference.load_objects().items() if one.is_global_in(self._path)]
        return f"There is no object {root[:50]}, and nothing here assigns it.{_suggest(root, known)}"

    def find_problem(self, segments: Sequence[Any], *, is_free: bool) -> str | None:
        """Return a message about the first unknown step of a path, or None."""
        root = str(segments[0])
        kind = self._get_root_type(root) if is_free else self._locals.get(root, UNKNOWN)
        for step in segments[1:]:
            if kind == UNKNOWN or isinstance(step, list):
                return None
            known = self._list_properties(kind)
            if isinstance(step, str) and known is not None and step not in known:
                what = f"A {kind}" if not kind.startswith(LIST_OF) else f"A {kind},"
                return f"{what} has no {step[:50]}.{_suggest(step, known)}"
            kind = self._get_step_type(kind, step)
        return None

    def _get_root_type(self, root: str) -> str:
        if root in self._locals:
            return self._locals[root]
        found = reference.load_objects().get(root)
        if root in self._vocabulary.parameters or found is None or not found.is_global_in(self._path):
            return UNKNOWN
        return found.type

    def _resolve_type(self, segments: Sequence[str], kind: str) -> str:
        for step in segments[1:]:
            kind = self._get_step_type(kind, step)
        return kind

    def _get_step_type(self, kind: str, step: Any) -> str:
        if kind.startswith(LIST_OF):
            return kind.removeprefix(LIST_OF) if isinstance(step, int) or step in {"first", "last"} else UNKNOWN
        found = reference.load_objects().get(kind)
        return next((one.type for one in found.properties if one.name == step), UNKNOWN) if found else UNKNOWN

    def _list_properties(self, kind: str) -> Collection[str] | None:
        """Return the properties of a type, or None if they are not known."""
        if kind.startswith(LIST_OF):
            return LIST_PROPERTIES
        more = self._vocabulary.more.get(kind)
        found = reference.load_objects().get(kind)
        if found is None or not found.properties:
            return more
        return {*(one.name for one in found.properties), *(more or ())}


def _list_bindings(tags: Iterable[LiquidTag]) -> Iterator[tuple[str, str, bool]]:
    """Yield the names that loops and plain assignments bind, their targets, and whether to the target's elements."""
    for tag in tags:
        if tag.name in {"for", "tablerow"} and (loop := LOOP.match(tag.expression)):
            yield loop.group(1), loop.group(2), True
        elif tag.name in {"for", "tablerow"}:
            yield tag.expression.partition(" ")[0], "", True
        elif tag.name == "assign":
            plain = ASSIGNMENT.match(tag.expression)
            yield (plain.group(1), plain.group(2), False) if plain else (_get_assigned_name(tag.expression), "", False)
        elif tag.name == "liquid":
            inner = (line.strip().partition(" ") for line in tag.expression.splitlines())
            yield from _list_bindings([LiquidTag(name, rest.strip(), 0, 0) for name, _, rest in inner])


def _get_assigned_name(expression: str) -> str:
    return expression.partition("=")[0].strip()


def _suggest(name: str, known: Iterable[str]) -> str:
    close = get_close_matches(name[:50], list(known), n=1, cutoff=0.7)
    return f" Did you mean {close[0]}?" if close else ""
