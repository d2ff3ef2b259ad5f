"""The owner's arrangement of sections, from config/settings_data.json, as objects of a page."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from comanda.basics import LazyModule
from comanda.web import trust_html
from markupsafe import Markup
from pydantic import TypeAdapter, ValidationError

from comanda_themes.services.checks.section_schema import AnySetting, SectionSchema, SettingsGroup
from comanda_themes.services.liquid.findings import FindingCollector, ThemeFile
from comanda_themes.services.theme_files import SETTINGS_DATA, SETTINGS_SCHEMA

if TYPE_CHECKING:
    import markdown_it

    from comanda_themes.services.liquid import lexer
else:
    # Liquid takes a thirtieth of the time of a start, and servers without themes of owners are spared its memory.
    markdown_it, lexer = LazyModule("markdown_it"), LazyModule("comanda_themes.services.liquid.lexer")

# The group of sections that a theme places itself; their ids are their types.
FIXED_GROUP: Final = "fixed"
MAX_SECTIONS_PER_GROUP: Final = 50


@dataclass(frozen=True, slots=True)
class PlacedSection:
    """A section at its place: its id, its type, and the values that the owner has given."""

    id: str
    type: str
    settings: Mapping[str, Any] = field(default_factory=dict)
    blocks: Sequence[Mapping[str, Any]] = ()


class Arrangement:
    """The values of a theme's settings and the sections placed by its owner. What is malformed is left out."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        self._data = _load_object(texts.get(SETTINGS_DATA, "{}"))
        self._schema = _parse_groups(texts.get(SETTINGS_SCHEMA, "[]"))

    def list_sections(self, group: str) -> Iterator[PlacedSection]:
        """Yield the sections arranged under a name, in their order."""
        found = _as_mapping(_as_mapping(self._data.get("sections")).get(group))
        items, order = _as_mapping(found.get("items")), found.get("order")
        for name in order[:MAX_SECTIONS_PER_GROUP] if isinstance(order, list) else ():
            placed = _as_mapping(items.get(name)) if isinstance(name, str) else {}
            if isinstance(placed.get("type"), str):
                yield _to_placed(name, placed["type"], placed)

    def get_fixed_section(self, section_type: str) -> PlacedSection:
        """Return a section that the theme places."""
        items = _as_mapping(_as_mapping(_as_mapping(self._data.get("sections")).get(FIXED_GROUP)).get("items"))
        return _to_placed(section_type, section_type, _as_mapping(items.get(section_type)))

    @property
    def theme_settings(self) -> list[AnySetting]:
        """The theme's own settings, as its schema declares them."""
        return [setting for group in self._schema for setting in group.settings]

    def get_theme_settings(self, objects: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return the values of the theme's own settings, by id."""
        given = _as_mapping(self._data.get("settings"))
        return {one.id: _to_value(one, given.get(one.id), objects) for one in self.theme_settings}


def parse_schema(text: str) -> SectionSchema | None:
    """Return the schema of a section's file, or None without a valid one."""
    schemas = lexer.lex(ThemeFile("", text), FindingCollector()).schemas
    try:
        return SectionSchema.model_validate_json(schemas[0][0]) if schemas else None
    except ValidationError:
        return None


def to_section_object(
    placed: PlacedSection, schema: SectionSchema, index: int, objects: Mapping[str, Any]
) -> Mapping[str, Any]:
    kinds = {block.type: block for block in schema.blocks}
    blocks = [
        {
            "id": str(block.get("id", "")),
            "type": block["type"],
            "settings": {
                one.id: _to_value(one, _as_mapping(block.get("settings")).get(one.id), objects)
                for one in kinds[block["type"]].settings
            },
            "attributes": Markup('data-block="{}"').format(block.get("id", "")),
        }
        for block in placed.blocks
        if block.get("type") in kinds
    ]
    return {
        "id": placed.id,
        "type": placed.type,
        "settings": {one.id: _to_value(one, placed.settings.get(one.id), objects) for one in schema.settings},
        "blocks": blocks[: schema.max_blocks],
        "index": index,
    }


def _to_value(setting: Any, given: Any, objects: Mapping[str, Any]) -> Any:
    """Return the value of a setting as templates read it: the owner's or the default, and objects for choices."""
    # An emptied field is as good as none: in Liquid an empty text would be true.
    value = given if given not in (None, "") else getattr(setting, "default", None)
    value = None if value == "" else value
    if setting.type in {"item", "category"}:
        return _as_mapping(objects.get(f"{setting.type}s_by_id")).get(str(value))
    if setting.type == "richtext" and isinstance(value, str):
        # The renderer escapes markup.
        return trust_html(_get_markdown().render(value))
    return value


@cache
def _get_markdown() -> "markdown_it.MarkdownIt":
    return markdown_it.MarkdownIt("zero", {"html": False, "breaks": True}).enable(
        ["emphasis", "link", "list", "newline"]
    )


def _to_placed(name: str, section_type: str, placed: Mapping[str, Any]) -> PlacedSection:
    blocks = placed.get("blocks")
    return PlacedSection(
        name,
        section_type,
        _as_mapping(placed.get("settings")),
        [block for block in blocks if isinstance(block, dict)] if isinstance(blocks, list) else [],
    )


def _parse_groups(text: str) -> list[SettingsGroup]:
    try:
        return TypeAdapter(list[SettingsGroup]).validate_json(text)
    except ValidationError:
        return []


def _load_object(text: str) -> Mapping[str, Any]:
    try:
        return _as_mapping(json.loads(text))
    except ValueError:
        return {}


def _as_mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}
