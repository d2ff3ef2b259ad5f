"""A whole theme, checked: what is wrong, by file and line."""

from collections.abc import Collection, Mapping
from time import monotonic
from typing import Annotated, Any, Final

from pydantic import Field

from comanda_mcp_dev.themes import markup, names, parsing, paths, references, section_schema
from comanda_mcp_dev.themes.findings import Findings, Report, Source
from comanda_mcp_dev.themes.lexing import Lexed, lex
from comanda_mcp_dev.themes.limits import LONGEST_SECONDS, MOST_TOKENS
from comanda_mcp_dev.themes.names import Vocabulary
from comanda_mcp_dev.themes.section_schema import SectionSchema, SettingsGroup

REQUIRED_IN_LAYOUT: Final = ("content_for_header", "content_for_layout")
SETTINGS_SCHEMA: Final = "config/settings_schema.json"


def validate(files: Mapping[str, str], item_fields: Collection[str] = ()) -> Report:
    """Check a theme. ``item_fields`` are those that plugins give to items. Reads no disk and renders nothing."""
    return _Theme(files, item_fields).check()


class _Theme:
    def __init__(self, files: Mapping[str, str], item_fields: Collection[str]) -> None:
        self._files = files
        self._findings = Findings()
        self._item_fields = item_fields
        self._sources = {path: Source(path, text) for path, text in files.items() if paths.is_known(path)}
        self._until = monotonic() + LONGEST_SECONDS

    def check(self) -> Report:
        paths.check(self._files.keys(), self._findings)
        documents = {path: self._json(source) for path, source in self._sources.items() if path.endswith(".json")}
        texts = {
            key
            for path, document in documents.items()
            if path.startswith("locales/") and path.endswith(".default.json")
            for key in references.keys(document)
        }
        theme_settings = self._theme_settings(documents)
        lexed = self._lexed()
        parameters = references.parameters(lexed)
        for path, pieces in lexed.items():
            source = self._sources[path]
            if monotonic() > self._until:
                self._findings.add(source, 0, "too_complex", "The check took too long and stopped before this file.")
                continue
            schema = section_schema.read(source, pieces.schemas, self._findings)
            vocabulary = Vocabulary(self._more(path, schema, theme_settings), parameters.get(path, ()))
            self._check_liquid(source, pieces, vocabulary)
            references.check(source, pieces, self._sources.keys(), texts, self._findings)
        for path, source in self._sources.items():
            if path.endswith(".css"):
                markup.check_style(source, self._findings)
        return Report(tuple(self._findings), self._findings.left_out, len(self._sources))

    def _lexed(self) -> dict[str, Lexed]:
        made: dict[str, Lexed] = {}
        tokens = 0
        for path, source in self._sources.items():
            if not path.endswith(".liquid"):
                continue
            pieces = lex(source, self._findings)
            tokens += len(pieces.tokens)
            if tokens > MOST_TOKENS:
                message = (
                    f"The theme has more than {MOST_TOKENS:,} pieces of Liquid up to here; this file is not checked."
                )
                self._findings.add(source, 0, "too_complex", message)
                break
            made[path] = pieces
        return made

    def _check_liquid(self, source: Source, pieces: Lexed, vocabulary: Vocabulary) -> None:
        analysis = parsing.parse(source, pieces, self._findings)
        if analysis is not None:
            names.check(source, pieces, analysis, vocabulary, self._findings)
            if source.path.startswith("layout/"):
                self._check_layout(source, analysis.globals.keys())
        markup.check(source, pieces, self._findings)

    def _check_layout(self, source: Source, used: Collection[str]) -> None:
        for name in REQUIRED_IN_LAYOUT:
            if name not in used:
                self._findings.add(
                    source, 0, "layout_content", f"A layout shows {{{{ {name} }}}}, and this one does not."
                )

    def _json(self, source: Source) -> Any:
        if source.path.startswith("assets/"):
            return None
        document = section_schema.parse_json(source, source.text, 0, "json_invalid", self._findings)
        if source.path.startswith("locales/") and document is not None and not isinstance(document, dict):
            self._findings.add(source, 0, "json_invalid", "A file of locales/ is an object of texts.")
        return document

    def _theme_settings(self, documents: Mapping[str, Any]) -> Collection[str] | None:
        """List the ids of the theme's settings; None where they cannot be known."""
        if SETTINGS_SCHEMA not in self._files:
            return ()
        document = documents.get(SETTINGS_SCHEMA)
        if document is None:
            return None
        groups = section_schema.validate(
            _Groups, {"groups": document}, self._sources[SETTINGS_SCHEMA], 0, self._findings
        )
        return None if groups is None else [one.id for group in groups.groups for one in group.settings]

    def _more(
        self, path: str, schema: SectionSchema | None, theme_settings: Collection[str] | None
    ) -> dict[str, Collection[str]]:
        more: dict[str, Collection[str]] = {"item": self._item_fields}
        if theme_settings is not None:
            more["theme_settings"] = theme_settings
        if schema is not None and path.startswith("sections/"):
            more |= {"section_settings": schema.setting_ids(), "block_settings": schema.block_setting_ids()}
        return more


class _Groups(section_schema.Strict):
    groups: Annotated[list[SettingsGroup], Field(max_length=30)]
