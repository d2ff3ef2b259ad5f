"""What Liquid our themes may use: tags, filters and objects, kept as data beside this."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

LIST_OF = "list of "


@dataclass(frozen=True, slots=True)
class Property:
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
    properties: tuple[Property, ...]

    def stands_in(self, path: str) -> bool:
        """Tell whether a file may use the name as it is. Snippets are used anywhere, and may use them all."""
        if self.places is None:
            return False
        return not self.places or path.startswith((*self.places, "snippets/")) or _is_section(path, self.places)


@cache
def tags() -> Mapping[str, Mapping[str, Any]]:
    """The tags, by name."""
    return {entry["name"]: entry for entry in _read("tags")["tag"]}


@cache
def filters() -> Mapping[str, Mapping[str, Any]]:
    """The filters, by name."""
    return {entry["name"]: entry for entry in _read("filters")["filter"]}


@cache
def objects() -> Mapping[str, ThemeObject]:
    """The objects, by name."""
    return {entry["name"]: _object(entry) for entry in _read("objects")["object"]}


def _object(entry: Mapping[str, Any]) -> ThemeObject:
    places = entry.get("global_in")
    return ThemeObject(
        name=entry["name"],
        where=entry["where"],
        summary=entry["summary"],
        type=entry.get("type", entry["name"]),
        places=None if places is None else tuple(places),
        properties=tuple(Property(**one) for one in entry.get("properties", ())),
    )


def _is_section(path: str, places: tuple[str, ...]) -> bool:
    # A section stands on any template, so that it may ask for what only some of them have.
    return path.startswith("sections/") and any(place.startswith("templates/") for place in places)


def _read(name: str) -> dict[str, Any]:
    return tomllib.loads(files(__package__).joinpath(f"{name}.toml").read_text(encoding="utf-8"))
