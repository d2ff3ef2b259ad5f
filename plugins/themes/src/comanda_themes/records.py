"""Records of owners' themes, as services return them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from comanda_themes.services.checks.section_schema import SectionSchema, SettingsGroup
from comanda_themes.services.liquid.findings import ThemeFinding


@dataclass(frozen=True, slots=True)
class ThemeVersion:
    """A version of a theme, which never changes. ``author_kind`` is the kind of caller that created it."""

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


@dataclass(frozen=True, slots=True)
class ChangedFiles:
    """Paths of files that were added, changed and removed since the version before."""

    added: Sequence[str]
    changed: Sequence[str]
    removed: Sequence[str]


@dataclass(frozen=True, slots=True)
class VersionDetails(ThemeVersion):
    """A version with its files, what changed since the one before, and the warnings of its check."""

    paths: Sequence[str]
    changes: ChangedFiles
    findings: Sequence[ThemeFinding]


@dataclass(frozen=True, slots=True)
class Theme:
    """A theme. ``published_number`` is the number of the version in which the store is shown, if it is one of these."""

    id: int
    name: str
    handle: str
    latest_number: int
    published_number: int | None
    has_draft: bool
    created_at: datetime
    updated_at: datetime


@dataclass(frozen=True, slots=True)
class Publication:
    """What a store's pages are shown in. ``template`` is ``default``, and the rest null, or the handle of a theme."""

    template: str
    theme_id: int | None
    number: int | None
    published_at: datetime | None


@dataclass(frozen=True, slots=True)
class ThemeForm:
    """What an owner can set in a theme: its settings by groups, the schemas of its sections, and where they stand.

    ``places`` are the names under which sections are arranged, ``fixed`` the sections that the theme places itself.
    """

    theme_settings: Sequence[SettingsGroup]
    sections: Mapping[str, SectionSchema]
    places: Sequence[str]
    fixed: Sequence[str]


@dataclass(frozen=True, slots=True)
class Draft:
    """Settings that are being edited, on top of version ``number``; revision 0 is that version itself.

    ``problems`` are those of values, by their path.
    """

    theme_id: int
    number: int
    revision: int
    settings_data: dict[str, object]
    problems: dict[str, list[str]]
    updated_at: datetime | None
    form: ThemeForm


@dataclass(frozen=True, slots=True)
class PreviewToken:
    """A token that shows a preview for two hours, and the address of the store's page with it."""

    token: str
    url: str
