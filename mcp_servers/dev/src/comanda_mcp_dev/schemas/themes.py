"""Arguments and results of the theme tools."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from comanda.contracts import Arguments
from comanda_themes.api import MAX_BYTES, MAX_FILES, ObjectProperty, ThemeFinding
from pydantic import AfterValidator, BaseModel, Field

Kind = Literal["tag", "filter", "object"]


class ReferenceArguments(Arguments):
    """The part of the reference to return; without arguments, all of it."""

    name: Annotated[
        str | None, Field(max_length=50, description="One tag, filter or object, such as 'for', 'money' or 'item'.")
    ] = None
    kind: Annotated[Kind | None, Field(description="Only tags, only filters or only objects.")] = None


class TagOut(BaseModel):
    """A tag; ``closed_by`` is its closing tag, null if it has none."""

    name: str
    syntax: str
    summary: str
    example: str
    closed_by: str | None


class FilterOut(BaseModel):
    """A filter and the result of its example."""

    name: str
    group: str
    syntax: str
    summary: str
    example: str
    result: str


class ObjectOut(BaseModel):
    """An object, where it is available, and its properties."""

    name: str
    type: str
    where: str
    summary: str
    properties: list[ObjectProperty]


class LiquidReference(BaseModel):
    """The Liquid that a theme may use; nothing else passes validate_theme."""

    about: str
    tags: list[TagOut]
    filters: list[FilterOut]
    objects: list[ObjectOut]


class SectionArguments(Arguments):
    """The example to return."""

    section: Annotated[
        str | None, Field(max_length=50, description="The name of an example such as 'hero'; omit to list all.")
    ] = None


class SectionExample(BaseModel):
    """A file of sections/ with its schema."""

    name: str
    summary: str
    path: str
    liquid: str


class SectionSchemaAnswer(BaseModel):
    """The JSON Schema of a section's schema block and of a theme's settings file, with examples."""

    about: str
    section: dict[str, Any]
    theme_settings: dict[str, Any]
    examples: list[SectionExample]


def _check_size(files: Mapping[str, str]) -> Mapping[str, str]:
    if len(files) > MAX_FILES:
        raise ValueError(f"must have at most {MAX_FILES} files")
    if sum(len(text.encode(errors="replace")) for text in files.values()) > MAX_BYTES:
        raise ValueError(f"must have at most {MAX_BYTES:,} bytes in all files together")
    return files


class ThemeArguments(Arguments):
    """A theme."""

    files: Annotated[
        dict[str, Annotated[str, Field(max_length=MAX_BYTES)]],
        Field(
            min_length=1,
            description=(
                "The theme's text files by their paths, such as 'layout/theme.liquid': at most 200 files and 1 MB. "
                "Leave pictures and fonts out."
            ),
        ),
        AfterValidator(_check_size),
    ]


class Summary(BaseModel):
    """A theme without errors is valid. ``findings_left_out`` counts findings beyond the limit."""

    is_valid: bool
    errors: int
    warnings: int
    files: int
    files_checked: int
    findings_left_out: int


class ThemeReport(BaseModel):
    """The findings of a theme by file and line."""

    summary: Summary
    findings: list[ThemeFinding]
