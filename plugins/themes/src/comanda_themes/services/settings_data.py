"""Values of settings and the arrangement of sections: the content of config/settings_data.json, and its validation."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any, Final, Literal

from comanda.contracts import error_sentences
from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from comanda_themes.records import ThemeForm
from comanda_themes.services.checks.paths import TEMPLATES
from comanda_themes.services.checks.section_schema import SectionSchema, SettingsGroup
from comanda_themes.services.rendering.arrangement import FIXED_GROUP, parse_schema
from comanda_themes.services.theme_files import SETTINGS_SCHEMA

MAX_TEXT: Final = 5000
MAX_SETTINGS_BYTES: Final = 200_000
MAX_PROBLEMS: Final = 50
COLOR: Final = re.compile("#([0-9a-fA-F]{3}|[0-9a-fA-F]{6})")
LINK: Final = re.compile(r"(/[^/\\]|/$|#|https://)\S*")
INDEX: Final = "templates/index.liquid"
PLACING: Final = re.compile(r"\{%-?\s*(?P<tag>sections?)\s+['\"](?P<name>[\w-]{1,60})['\"]")
IDENTIFIER: Final = r"^[A-Za-z0-9_-]{1,60}$"

SettingValue = str | bool | int | float | None
Identifier = Annotated[str, Field(pattern=IDENTIFIER)]


class _Document(BaseModel):
    model_config = ConfigDict(extra="forbid", allow_inf_nan=False)


class PlacedBlock(_Document):
    """A block of a placed section."""

    id: Identifier
    type: Identifier
    settings: dict[str, SettingValue] = {}


class PlacedSection(_Document):
    """A section at its place, with the owner's values."""

    type: Identifier
    settings: dict[str, SettingValue] = {}
    blocks: Annotated[list[PlacedBlock], Field(max_length=50)] = []


class SectionList(_Document):
    """Sections under one name, in their order. Those that the theme places itself are under ``fixed``."""

    order: Annotated[list[Identifier], Field(max_length=50)] = []
    items: Annotated[dict[Identifier, PlacedSection], Field(max_length=50)] = {}


class SettingsData(_Document):
    """The values of a theme's settings and its sections by the name under which they are arranged."""

    settings: dict[str, SettingValue] = {}
    sections: Annotated[dict[Identifier, SectionList], Field(max_length=30)] = {}


def parse_schemas(texts: Mapping[str, str]) -> dict[str, SectionSchema]:
    """Return the schemas of a theme's sections by their type."""
    found = {
        path.removeprefix("sections/").removesuffix(".liquid"): parse_schema(text)
        for path, text in sorted(texts.items())
        if path.startswith("sections/")
    }
    return {name: schema for name, schema in found.items() if schema is not None}


def parse_theme_settings(texts: Mapping[str, str]) -> list[SettingsGroup]:
    """Return the groups of a theme's own settings."""
    try:
        return TypeAdapter(list[SettingsGroup]).validate_json(texts.get(SETTINGS_SCHEMA, "[]"))
    except ValidationError:
        return []


def to_theme_form(texts: Mapping[str, str]) -> ThemeForm:
    """Return what an owner can set in a theme."""
    found: dict[str, dict[str, None]] = {"section": {}, "sections": {}}
    for path in sorted(texts, key=lambda path: (not path.startswith("templates/"), path != INDEX, path)):
        if path.startswith(("templates/", "layout/")):
            for match in PLACING.finditer(texts[path]):
                found[match["tag"]][match["name"]] = None
    schemas = parse_schemas(texts)
    fixed = [name for name in found["section"] if name in schemas]
    return ThemeForm(parse_theme_settings(texts), schemas, list(found["sections"]), fixed)


def list_problems(data: SettingsData, texts: Mapping[str, str]) -> dict[str, list[str]]:
    """Return what does not fit the schemas of a theme, by the path of the value."""
    problems: dict[str, list[str]] = {}
    for path, sentence in _list_all(data, texts):
        if len(problems) < MAX_PROBLEMS:
            problems.setdefault(path, []).append(sentence)
    return problems


def parse_settings_data(text: str) -> SettingsData | dict[str, list[str]]:
    """Return the content of settings_data.json, or what is wrong with it by its path."""
    try:
        return SettingsData.model_validate_json(text)
    except ValidationError as error:
        return dict(error_sentences(error))


def _list_all(data: SettingsData, texts: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    schemas = parse_schemas(texts)
    own = [setting for group in parse_theme_settings(texts) for setting in group.settings]
    yield from _check_values("settings", data.settings, own)
    for name, group in data.sections.items():
        place = f"sections.{name}"
        yield from _check_order(place, name, group)
        for id, item in group.items.items():
            schema = schemas.get(item.type)
            if schema is None:
                yield f"{place}.items.{id}.type", "The theme has no section of this type."
                continue
            yield from _check_section(f"{place}.items.{id}", name, item, schema)
        yield from _check_limits(place, group, schemas)


def _check_order(place: str, name: str, group: SectionList) -> Iterator[tuple[str, str]]:
    if name == FIXED_GROUP:
        if any(id != item.type for id, item in group.items.items()):
            yield place, "The id of a fixed section is its type."
        return
    if len(set(group.order)) != len(group.order) or set(group.order) != set(group.items):
        yield f"{place}.order", "Must name each of the items once."


def _check_limits(place: str, group: SectionList, schemas: Mapping[str, SectionSchema]) -> Iterator[tuple[str, str]]:
    for name, count in Counter(item.type for item in group.items.values()).items():
        schema = schemas.get(name)
        if schema is not None and schema.limit is not None and count > schema.limit:
            yield place, f"May have {schema.name} at most {schema.limit} times."


def _check_section(place: str, group: str, item: PlacedSection, schema: SectionSchema) -> Iterator[tuple[str, str]]:
    if schema.templates is not None and group in TEMPLATES and group not in schema.templates:
        yield f"{place}.type", "This section is not for this page."
    yield from _check_values(f"{place}.settings", item.settings, schema.settings)
    if len(item.blocks) > schema.max_blocks:
        yield f"{place}.blocks", f"Must have at most {schema.max_blocks} blocks."
    if len({block.id for block in item.blocks}) != len(item.blocks):
        yield f"{place}.blocks", "Must not have an id twice."
    kinds = {block.type: block for block in schema.blocks}
    for number, block in enumerate(item.blocks):
        if block.type not in kinds:
            yield f"{place}.blocks.{number}.type", "The section has no block of this type."
        else:
            yield from _check_values(f"{place}.blocks.{number}.settings", block.settings, kinds[block.type].settings)
    for name, count in Counter(block.type for block in item.blocks).items():
        limit = kinds[name].limit if name in kinds else None
        if limit is not None and count > limit:
            yield f"{place}.blocks", f"May have {kinds[name].name} at most {limit} times."


def _check_values(place: str, values: Mapping[str, Any], settings: Sequence[Any]) -> Iterator[tuple[str, str]]:
    known = {setting.id: setting for setting in settings}
    for name, value in values.items():
        if name not in known:
            yield f"{place}.{name}", "There is no setting with this id."
        elif value is not None and (sentence := _check_value(known[name], value)):
            yield f"{place}.{name}", sentence


def _check_value(setting: Any, value: Any) -> str | None:
    kind: Literal["text", "checkbox", "select", "range", "color", "url", "image", "item", "category"] = setting.type
    if kind == "checkbox":
        return None if isinstance(value, bool) else "Must be true or false."
    if kind == "range":
        is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
        if not is_number or not setting.min <= value <= setting.max:
            return f"Must be a number from {setting.min:g} to {setting.max:g}."
        return None
    if kind in {"item", "category"}:
        return None if value == "" or re.fullmatch(r"\d{1,16}", str(value)) else "Must be an id."
    if not isinstance(value, str) or len(value) > MAX_TEXT:
        return f"Must be a text of at most {MAX_TEXT} characters."
    return _check_text(setting, kind, value)


def _check_text(setting: Any, kind: str, value: str) -> str | None:
    if kind == "select" and value not in [option.value for option in setting.options]:
        return "Must be one of the options."
    if kind == "color" and value and not COLOR.fullmatch(value):
        return "Must be a colour such as #ff8800."
    if kind in {"url", "image"} and value and not LINK.fullmatch(value):
        return "Must be a path or an https:// URL."
    return None
