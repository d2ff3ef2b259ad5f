"""Requests about themes."""

from typing import Annotated, Literal

from comanda.contracts import Body, Count, Id, Name, ShortText, example
from pydantic import BaseModel, Field

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
