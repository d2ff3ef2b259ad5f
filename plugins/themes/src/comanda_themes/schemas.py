"""Themes on the wire."""

from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Any, Literal

from comanda.contracts.fields import Body, Count, Id, Name, ShortText, example
from comanda.contracts.wire import flatten
from pydantic import BaseModel, Field, model_validator

from comanda_themes.services.checks.section_schema import SectionSchema, SettingsGroup
from comanda_themes.services.liquid.findings import Severity
from comanda_themes.services.settings_data import SettingsData

ThemeName = Annotated[Name, Field(max_length=80)]
Note = Annotated[ShortText, Field(max_length=200)]
Number = Annotated[Id, Field(le=2**31 - 1)]


class ThemeBody(Body):
    """A theme to create from a copy of the default theme; others are created from an archive."""

    model_config = example({"name": "Summer", "source": "default"})

    name: ThemeName
    source: Literal["default"] = "default"


class ThemeChange(Body):
    """A new name of a theme."""

    model_config = example({"name": "Summer"})

    name: ThemeName


class ThemeUpload(BaseModel):
    """The name of a theme and a note on its version, for archives."""

    name: ThemeName | None = None
    note: Note = ""


class VersionUpload(BaseModel):
    """A note on a version."""

    note: Note = ""


class VersionArchive(Body):
    """A zip archive as Base64, for clients that send JSON."""

    model_config = example({"archive_base64": "UEsFBgAAAAAAAAAAAAAAAAAAAAAAAA=="})

    archive_base64: str


class VersionBody(Body):
    """A version to create from the draft."""

    model_config = example({"note": "New opening hours on top", "revision": 4})

    revision: Count
    note: Note = ""


class PublicationBody(Body):
    """The version in which a store's pages are to be shown."""

    model_config = example({"theme_id": 12, "number": 3})

    theme_id: Id
    number: Number


class DraftBody(Body):
    """The settings of a draft. ``revision`` is the one that they were read with, 0 without a draft."""

    model_config = example({"revision": 0, "settings_data": {"settings": {"corner_radius": 8}, "sections": {}}})

    revision: Count
    settings_data: SettingsData


class PreviewBody(Body):
    """What to preview: a version by its number, or the draft."""

    model_config = example({"number": 3})

    number: Number | None = None


class ThemeOut(BaseModel):
    """A theme. ``published_number`` is the number of the version in which the store is shown, if it is one of these."""

    id: int
    name: str
    handle: str
    latest_number: int
    published_number: int | None
    has_draft: bool
    created_at: datetime
    updated_at: datetime


class VersionOut(BaseModel):
    """A version of a theme, which never changes."""

    theme_id: int
    number: int
    note: str
    files_count: int
    size_bytes: int
    warnings_count: int
    author_kind: str
    created_at: datetime
    published_at: datetime | None
    is_published: bool


class FindingOut(BaseModel):
    """A finding of the check of a theme."""

    file: str
    line: int
    severity: Severity
    rule: str
    message: str


class ChangesOut(BaseModel):
    """Files that differ from the version before."""

    added: list[str]
    changed: list[str]
    removed: list[str]


class VersionDetailsOut(VersionOut):
    """A version with its files, what changed since the one before, and the warnings of its check."""

    paths: list[str]
    changes: ChangesOut
    findings: list[FindingOut]

    @model_validator(mode="before")
    @classmethod
    def _flatten(cls, details: Any) -> Mapping[str, object]:
        return flatten(details, "version")


class PublicationOut(BaseModel):
    """What a store's pages are shown in. ``template`` is ``default`` or the handle of a theme."""

    template: str
    theme_id: int | None
    number: int | None
    published_at: datetime | None


class ThemeFormOut(BaseModel):
    """What an owner can set: the theme's settings, the schemas of its sections, and where sections can be arranged.

    ``fixed`` are the sections that the theme places itself; their values are under the name ``fixed``.
    """

    theme_settings: list[SettingsGroup]
    sections: dict[str, SectionSchema]
    places: list[str]
    fixed: list[str]


class DraftOut(BaseModel):
    """Settings that are being edited, on top of version ``number``; revision 0 is that version itself."""

    theme_id: int
    number: int
    revision: int
    settings_data: dict[str, Any]
    problems: dict[str, list[str]]
    updated_at: datetime | None
    form: ThemeFormOut


class PreviewOut(BaseModel):
    """A token that shows a preview for two hours, and the address of the store's page with it."""

    token: str
    url: str
