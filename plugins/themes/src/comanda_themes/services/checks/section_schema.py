"""Models of a section's ``{% schema %}``, for checks and for the published JSON Schema."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Annotated, Any, Final, Literal

from comanda.contracts import error_sentences
from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

from comanda_themes.services.checks.paths import Template
from comanda_themes.services.liquid.findings import FindingCollector, ThemeFile

# Per document; each one costs a search for its line.
MAX_PROBLEMS: Final = 30

Identifier = Annotated[str, Field(pattern="^[a-z][a-z0-9_]{0,49}$", description="Lower-case letters, digits, _.")]
Kind = Annotated[str, Field(pattern="^[a-z][a-z0-9_-]{0,49}$", description="Lower-case letters, digits, _ and -.")]
Label = Annotated[str, Field(min_length=1, max_length=100)]


class StrictModel(BaseModel):
    """Base model that refuses unknown keys."""

    model_config = ConfigDict(extra="forbid", allow_inf_nan=False)


class Setting(StrictModel):
    """Fields of every setting."""

    id: Identifier
    label: Label
    info: Annotated[str, Field(max_length=500, description="A sentence below the field.")] | None = None


class TextSetting(Setting):
    """One line, or with ``textarea`` several, or with ``richtext`` text with bold, lists and links."""

    type: Literal["text", "textarea", "richtext"]
    default: Annotated[str, Field(max_length=5000)] | None = None
    placeholder: Annotated[str, Field(max_length=200)] | None = None


class CheckboxSetting(Setting):
    """Yes or no."""

    type: Literal["checkbox"]
    default: Annotated[bool, Field(strict=True)] = False


class Option(StrictModel):
    """One of a select's values."""

    value: Annotated[str, Field(min_length=1, max_length=100)]
    label: Label


class SelectSetting(Setting):
    """One of a few values."""

    type: Literal["select"]
    options: Annotated[list[Option], Field(min_length=2, max_length=30)]
    default: str | None = None

    @model_validator(mode="after")
    def _check_default(self) -> SelectSetting:
        values = [option.value for option in self.options]
        if len(set(values)) < len(values):
            raise ValueError("must not have an option twice")
        if self.default is not None and self.default not in values:
            raise ValueError(f"must have a default that is one of its options: {', '.join(values)}")
        return self


class RangeSetting(Setting):
    """A number between two others, in steps."""

    type: Literal["range"]
    min: float
    max: float
    step: Annotated[float, Field(gt=0)] = 1
    unit: Annotated[str, Field(max_length=5)] | None = None
    default: float

    @model_validator(mode="after")
    def _check_range(self) -> RangeSetting:
        if not self.min < self.max:
            raise ValueError("must have a max that is more than its min")
        if not self.min <= self.default <= self.max:
            raise ValueError("must have a default between its min and its max")
        if (self.max - self.min) / self.step > 200:
            raise ValueError("must have at most 200 steps")
        return self


class ColorSetting(Setting):
    """A colour."""

    type: Literal["color"]
    default: Annotated[str, Field(pattern="^#([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$")] | None = None


class UrlSetting(Setting):
    """An address: a path of the store, or one that begins with https://."""

    type: Literal["url"]
    default: Annotated[str, Field(max_length=500, pattern=r"^(/[^/\\]|/$|#|https://)")] | None = None


class PickSetting(Setting):
    """A picture, item or category that the owner chooses. It has no default: themes do not know the store."""

    type: Literal["image", "item", "category"]


AnySetting = Annotated[
    TextSetting | CheckboxSetting | SelectSetting | RangeSetting | ColorSetting | UrlSetting | PickSetting,
    Field(discriminator="type"),
]
Settings = Annotated[list[AnySetting], Field(max_length=50)]


def _check_unique_ids(settings: Sequence[Setting]) -> None:
    if again := [name for name, count in Counter(one.id for one in settings).items() if count > 1]:
        raise ValueError(f"must not have the id {again[0]} twice")


class Block(StrictModel):
    """A block type that the owner can add to the section, up to ``limit`` times."""

    type: Kind
    name: Label
    limit: Annotated[int, Field(ge=1, le=50)] | None = None
    settings: Settings = []

    @field_validator("settings")
    @classmethod
    def _check_ids(cls, settings: list[Any]) -> list[Any]:
        _check_unique_ids(settings)
        return settings


class PresetBlock(StrictModel):
    """An initial block of a preset."""

    type: Kind
    settings: dict[str, Any] = {}


class SectionPreset(StrictModel):
    """A preset with which the owner can add the section; without presets only the theme places it."""

    name: Label
    settings: dict[str, Any] = {}
    blocks: Annotated[list[PresetBlock], Field(max_length=50)] = []


class SectionSchema(StrictModel):
    """The content of ``{% schema %}``."""

    name: Label
    tag: Annotated[
        Literal["section", "div", "header", "footer", "main", "aside", "article", "nav"],
        Field(description="The element around the section."),
    ] = "section"
    limit: Annotated[int, Field(ge=1, le=10, description="How often it may stand on a page.")] | None = None
    max_blocks: Annotated[int, Field(ge=1, le=50)] = 50
    templates: (
        Annotated[list[Template], Field(description="Where the owner may add it; everywhere if left out.")] | None
    ) = None
    settings: Settings = []
    blocks: Annotated[list[Block], Field(max_length=20)] = []
    presets: Annotated[list[SectionPreset], Field(max_length=10)] = []

    @field_validator("settings")
    @classmethod
    def _check_ids(cls, settings: list[Any]) -> list[Any]:
        _check_unique_ids(settings)
        return settings

    @field_validator("blocks")
    @classmethod
    def _check_types(cls, blocks: list[Block]) -> list[Block]:
        if again := [name for name, count in Counter(block.type for block in blocks).items() if count > 1]:
            raise ValueError(f"must not have the type {again[0]} twice")
        return blocks

    @model_validator(mode="after")
    def _check_presets(self) -> SectionSchema:
        known = {block.type: {one.id for one in block.settings} for block in self.blocks}
        for preset in self.presets:
            if len(preset.blocks) > self.max_blocks:
                raise ValueError(f"must have at most {self.max_blocks} blocks in the preset {preset.name}")
            _check_known_settings(preset.settings, {one.id for one in self.settings}, f"the preset {preset.name}")
            for block in preset.blocks:
                if block.type not in known:
                    raise ValueError(f"must not use the block {block.type} in a preset without declaring it")
                _check_known_settings(block.settings, known[block.type], f"the preset {preset.name}")
        return self

    def setting_ids(self) -> set[str]:
        """Return the ids of the section's own settings."""
        return {setting.id for setting in self.settings}

    def block_setting_ids(self) -> set[str]:
        """Return the ids of the settings of all its blocks."""
        return {setting.id for block in self.blocks for setting in block.settings}


def _check_known_settings(given: Iterable[str], known: set[str], where: str) -> None:
    if unknown := sorted(set(given) - known):
        raise ValueError(f"must not set {unknown[0]} in {where}, which no setting has as its id")


class SettingsGroup(StrictModel):
    """A group of theme settings under a heading, in config/settings_schema.json."""

    name: Label
    settings: Settings = []


def read_schema(
    file: ThemeFile, schemas: Sequence[tuple[str, int]], findings: FindingCollector
) -> SectionSchema | None:
    """Parse a file's schema and add findings about it. Return None if there is no usable schema."""
    if not file.path.startswith("sections/"):
        for _, place in schemas:
            findings.add(file, place, "schema_place", "Only files of sections/ have a schema.")
        return None
    if not schemas:
        message = "This section has no schema, so that an owner can neither add nor change it."
        findings.add(file, 0, "schema_missing", message, is_warning=True)
        return None
    for _, place in schemas[1:]:
        findings.add(file, place, "schema_place", "A section has one schema, and this is another.")
    text, place = schemas[0]
    document = parse_json(file, text, place, "schema_json", findings)
    if document is None:
        return None
    found: SectionSchema | None = validate_document(SectionSchema, document, file, place, findings)
    return found


def validate_document(model: type[Any], document: Any, file: ThemeFile, place: int, findings: FindingCollector) -> Any:
    """Validate a document against a model. Each problem is a finding at the line of its key, if it can be located."""
    try:
        return model.model_validate(document)
    except ValidationError as error:
        for path, messages in islice(error_sentences(error).items(), MAX_PROBLEMS):
            line = _find_place(file, place, path)
            findings.add(file, line, "schema_invalid", f"{path[:100]}: {' '.join(messages)[:500]}")
        return None


def parse_json(file: ThemeFile, text: str, place: int, rule: str, findings: FindingCollector) -> Any:
    """Parse JSON that begins at a position of a file. Invalid JSON is a finding and returns None."""
    try:
        document = json.loads(text, object_pairs_hook=_to_object, parse_constant=_refuse_constant)
    except json.JSONDecodeError as error:
        findings.add(file, place + error.pos, rule, f"This is not valid JSON: {error.msg}.")
    except RecursionError:
        findings.add(file, place, rule, "This JSON is nested too deeply.")
    except ValueError as error:
        findings.add(file, place, rule, f"This is not valid JSON: {error}.")
    else:
        if document is None:
            findings.add(file, place, rule, "This is null, and says nothing.")
        return document
    return None


def _to_object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) < len(pairs):
        again = next(name for name, count in Counter(name for name, _ in pairs).items() if count > 1)
        raise ValueError(f'the key "{again[:50]}" stands twice in one object')
    return made


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is no number of JSON")


def _find_place(file: ThemeFile, place: int, path: str) -> int:
    """Return the position of a key if it occurs once in the file, otherwise that of the schema."""
    name = next((step for step in reversed(path.split(".")) if not step.isdigit()), "")
    found = list(_list_occurrences(file.text, name, place)) if name else []
    return found[0] if len(found) == 1 else place


def _list_occurrences(text: str, name: str, place: int) -> Iterator[int]:
    for count, match in enumerate(re.compile(f'"{re.escape(name)}"\\s*:').finditer(text, place)):
        yield match.start()
        if count:
            return
