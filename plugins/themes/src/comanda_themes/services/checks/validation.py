"""Validation of a whole theme."""

from collections.abc import Collection, Mapping
from time import monotonic
from typing import Annotated, Any, Final

from pydantic import Field

from comanda_themes.services.checks import markup, names, paths, references, section_schema
from comanda_themes.services.checks.names import ThemeVocabulary
from comanda_themes.services.checks.section_schema import SectionSchema, SettingsGroup
from comanda_themes.services.liquid import parser
from comanda_themes.services.liquid.findings import CheckReport, FindingCollector, ThemeFile
from comanda_themes.services.liquid.lexer import LexedFile, lex
from comanda_themes.services.liquid.limits import MAX_CHECK_SECONDS, MAX_TOKENS

REQUIRED_IN_LAYOUT: Final = ("content_for_header", "content_for_layout")
SETTINGS_SCHEMA: Final = "config/settings_schema.json"


def validate_theme(files: Mapping[str, str], item_fields: Collection[str] = ()) -> CheckReport:
    """Check a theme. ``item_fields`` are those that plugins add to items. Reads no files and renders nothing."""
    return _ThemeCheck(files, item_fields).check()


class _ThemeCheck:
    def __init__(self, files: Mapping[str, str], item_fields: Collection[str]) -> None:
        self._files = files
        self._findings = FindingCollector()
        self._item_fields = item_fields
        self._files_by_path = {path: ThemeFile(path, text) for path, text in files.items() if paths.is_known(path)}
        self._until = monotonic() + MAX_CHECK_SECONDS

    def check(self) -> CheckReport:
        paths.check_paths(self._files.keys(), self._findings)
        documents = {
            path: self._parse_json(file) for path, file in self._files_by_path.items() if path.endswith(".json")
        }
        texts = {
            key
            for path, document in documents.items()
            if path.startswith("locales/") and path.endswith(".default.json")
            for key in references.list_keys(document)
        }
        theme_settings = self._list_theme_settings(documents)
        lexed = self._tokenize()
        parameters = references.collect_parameters(lexed)
        for path, pieces in lexed.items():
            file = self._files_by_path[path]
            if monotonic() > self._until:
                self._findings.add(file, 0, "too_complex", "The check took too long and stopped before this file.")
                continue
            schema = section_schema.read_schema(file, pieces.schemas, self._findings)
            vocabulary = ThemeVocabulary(self._list_properties(path, schema, theme_settings), parameters.get(path, ()))
            self._check_liquid(file, pieces, vocabulary)
            references.check_references(file, pieces, self._files_by_path.keys(), texts, self._findings)
        for path, file in self._files_by_path.items():
            if path.endswith(".css"):
                markup.check_style(file, self._findings)
        return CheckReport(tuple(self._findings), self._findings.left_out, len(self._files_by_path))

    def _tokenize(self) -> dict[str, LexedFile]:
        made: dict[str, LexedFile] = {}
        tokens = 0
        for path, file in self._files_by_path.items():
            if not path.endswith(".liquid"):
                continue
            pieces = lex(file, self._findings)
            tokens += len(pieces.tokens)
            if tokens > MAX_TOKENS:
                message = (
                    f"The theme has more than {MAX_TOKENS:,} pieces of Liquid up to here; this file is not checked."
                )
                self._findings.add(file, 0, "too_complex", message)
                break
            made[path] = pieces
        return made

    def _check_liquid(self, file: ThemeFile, pieces: LexedFile, vocabulary: ThemeVocabulary) -> None:
        analysis = parser.parse_file(file, pieces, self._findings)
        if analysis is not None:
            names.check_names(file, pieces, analysis, vocabulary, self._findings)
            if file.path.startswith("layout/"):
                self._check_layout(file, analysis.globals.keys())
        markup.check_markup(file, pieces, self._findings)

    def _check_layout(self, file: ThemeFile, used: Collection[str]) -> None:
        for name in REQUIRED_IN_LAYOUT:
            if name not in used:
                self._findings.add(
                    file, 0, "layout_content", f"A layout shows {{{{ {name} }}}}, and this one does not."
                )

    def _parse_json(self, file: ThemeFile) -> Any:
        if file.path.startswith("assets/"):
            return None
        document = section_schema.parse_json(file, file.text, 0, "json_invalid", self._findings)
        if file.path.startswith("locales/") and document is not None and not isinstance(document, dict):
            self._findings.add(file, 0, "json_invalid", "A file of locales/ is an object of texts.")
        return document

    def _list_theme_settings(self, documents: Mapping[str, Any]) -> Collection[str] | None:
        """Return the ids of the theme's settings; None if they are not known."""
        if SETTINGS_SCHEMA not in self._files:
            return ()
        document = documents.get(SETTINGS_SCHEMA)
        if document is None:
            return None
        groups = section_schema.validate_document(
            _SettingsGroups, {"groups": document}, self._files_by_path[SETTINGS_SCHEMA], 0, self._findings
        )
        return None if groups is None else [one.id for group in groups.groups for one in group.settings]

    def _list_properties(
        self, path: str, schema: SectionSchema | None, theme_settings: Collection[str] | None
    ) -> dict[str, Collection[str]]:
        more: dict[str, Collection[str]] = {"item": self._item_fields}
        if theme_settings is not None:
            more["theme_settings"] = theme_settings
        if schema is not None and path.startswith("sections/"):
            more |= {"section_settings": schema.setting_ids(), "block_settings": schema.block_setting_ids()}
        return more


class _SettingsGroups(section_schema.StrictModel):
    groups: Annotated[list[SettingsGroup], Field(max_length=30)]
