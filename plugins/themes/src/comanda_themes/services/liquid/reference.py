"""The Liquid that themes may use: tags, filters and objects, loaded from ``themes/reference``."""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

LIST_OF = "list of "


@dataclass(frozen=True, slots=True)
class ObjectProperty:
    """A property of an object; ``type`` is another object, ``list of`` one, or a plain type such as ``text``."""

    name: str
    type: str
    summary: str


@dataclass(frozen=True, slots=True)
class ThemeObject:
    """An object of themes. ``places`` are the folders where it is global; None means nowhere."""

    name: str
    where: str
    summary: str
    type: str
    places: tuple[str, ...] | None
    properties: tuple[ObjectProperty, ...]

    def is_global_in(self, path: str) -> bool:
        """Return whether the object is global in a file. Snippets are used anywhere and may use all of them."""
        if self.places is None:
            return False
        return not self.places or path.startswith((*self.places, "snippets/")) or _is_section_for(path, self.places)


@cache
def load_tags() -> Mapping[str, Mapping[str, Any]]:
    """Return the tags by name."""
    return {entry["name"]: entry for entry in _load_entries("tag")}


@cache
def load_filters() -> Mapping[str, Mapping[str, Any]]:
    """Return the filters by name."""
    return {entry["name"]: entry for entry in _load_entries("filter")}


@cache
def load_objects() -> Mapping[str, ThemeObject]:
    """Return the objects by name."""
    return {entry["name"]: _to_object(entry) for entry in _load_entries("object")}


def _to_object(entry: Mapping[str, Any]) -> ThemeObject:
    places = entry.get("global_in")
    return ThemeObject(
        name=entry["name"],
        where=entry["where"],
        summary=entry["summary"],
        type=entry.get("type", entry["name"]),
        places=None if places is None else tuple(places),
        properties=tuple(ObjectProperty(**one) for one in entry.get("properties", ())),
    )


def _is_section_for(path: str, places: tuple[str, ...]) -> bool:
    # Sections are used in any template, so they may use objects that only some templates have.
    return path.startswith("sections/") and any(place.startswith("templates/") for place in places)


def _load_entries(kind: str) -> Sequence[Mapping[str, Any]]:
    file = files("comanda_themes").joinpath("services", "liquid", "reference_files", f"{kind}s.toml")
    entries: Sequence[Mapping[str, Any]] = tomllib.loads(file.read_text(encoding="utf-8"))[kind]
    return entries
