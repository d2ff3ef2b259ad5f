"""What Liquid our themes may use: tags, filters and objects, kept as data beside this."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

LIST_OF = "list of "


@dataclass(frozen=True, slots=True)
class ObjectProperty:
    """A property of an object; ``type`` is another object, ``list of`` one, or a plain word such as ``text``."""

    name: str
    type: str
    summary: str


@dataclass(frozen=True, slots=True)
class ThemeObject:
    """Something that a theme can show. ``places`` are the folders where its name stands for itself, None nowhere."""

    name: str
    where: str
    summary: str
    type: str
    places: tuple[str, ...] | None
    properties: tuple[ObjectProperty, ...]

    def stands_in(self, path: str) -> bool:
        """Tell whether a file may use the name as it is. Snippets are used anywhere, and may use them all."""
        if self.places is None:
            return False
        return not self.places or path.startswith((*self.places, "snippets/")) or _is_section_for(path, self.places)


@cache
def load_tags() -> Mapping[str, Mapping[str, Any]]:
    """The tags, by name."""
    return {entry["name"]: entry for entry in _load_entries("tags")["tag"]}


@cache
def load_filters() -> Mapping[str, Mapping[str, Any]]:
    """The filters, by name."""
    return {entry["name"]: entry for entry in _load_entries("filters")["filter"]}


@cache
def load_objects() -> Mapping[str, ThemeObject]:
    """The objects, by name."""
    return {entry["name"]: _to_object(entry) for entry in _load_entries("objects")["object"]}


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
    # A section stands on any template, so that it may ask for what only some of them have.
    return path.startswith("sections/") and any(place.startswith("templates/") for place in places)


def _load_entries(name: str) -> dict[str, Any]:
    return tomllib.loads(
        files("comanda_mcp_dev").joinpath("themes", "reference", f"{name}.toml").read_text(encoding="utf-8")
    )
