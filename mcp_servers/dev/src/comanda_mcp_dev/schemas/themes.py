"""What the tools about themes take and give."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from comanda.mcp.types import Arguments
from pydantic import AfterValidator, BaseModel, Field

from comanda_mcp_dev.services.themes.findings import Severity
from comanda_mcp_dev.services.themes.limits import MAX_BYTES, MAX_FILES

Kind = Literal["tag", "filter", "object"]


class ReferenceArguments(Arguments):
    """Which part of the reference; all of it with neither."""

    name: Annotated[
        str | None, Field(max_length=50, description="One tag, filter or object, such as 'for', 'money' or 'item'.")
    ] = None
    kind: Annotated[Kind | None, Field(description="Only tags, only filters or only objects.")] = None


class TagOut(BaseModel):
    """A tag; ``closed_by`` is the tag that ends it, null where it stands alone."""

    name: str
    syntax: str
    summary: str
    example: str
    closed_by: str | None


class FilterOut(BaseModel):
    """A filter, and what its example shows."""

    name: str
    group: str
    syntax: str
    summary: str
    example: str
    result: str


class PropertyOut(BaseModel):
    """A property; ``type`` is an object of this list, ``list of`` one, or a plain word such as ``text``."""

    name: str
    type: str
    summary: str


class ObjectOut(BaseModel):
    """An object, where a theme has it, and its properties."""

    name: str
    type: str
    where: str
    summary: str
    properties: list[PropertyOut]


class LiquidReference(BaseModel):
    """What Liquid a theme may use; nothing else passes validate_theme."""

    about: str
    tags: list[TagOut]
    filters: list[FilterOut]
    objects: list[ObjectOut]


class SectionArguments(Arguments):
    """Which example."""

    section: Annotated[
        str | None,
        Field(max_length=50, description="The name of an example such as 'hero'; without it all are listed."),
    ] = None


class SectionExample(BaseModel):
    """A whole file of sections/, its schema included."""

    name: str
    summary: str
    path: str
    liquid: str


class SectionSchemaAnswer(BaseModel):
    """The JSON Schema of a section's schema block, and of the file with a theme's settings, with examples."""

    about: str
    section: dict[str, Any]
    theme_settings: dict[str, Any]
    examples: list[SectionExample]


def _small_enough(files: Mapping[str, str]) -> Mapping[str, str]:
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
        AfterValidator(_small_enough),
    ]


class FindingOut(BaseModel):
    """Something that is wrong; the line counts from 1."""

    file: str
    line: int
    severity: Severity
    rule: str
    message: str


class Summary(BaseModel):
    """A theme without errors is valid. ``findings_left_out`` were too many to list."""

    is_valid: bool
    errors: int
    warnings: int
    files: int
    files_checked: int
    findings_left_out: int


class ThemeReport(BaseModel):
    """What is wrong with a theme, by file and line."""

    summary: Summary
    findings: list[FindingOut]
