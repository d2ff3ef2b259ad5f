"""The steps of an import that take no database: they run in a thread for small menus and in a process for others."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from comanda.menu.imports.csv_format import parse_csv
from comanda.menu.imports.document import MenuDocument
from comanda.menu.imports.json_format import parse_json
from comanda.menu.imports.plan import ImportTerms, create_plan, list_photos
from comanda.menu.imports.reports import create_report
from comanda.menu.imports.rows import ImportPart, NewRows, PlanSummary, assign_ids, build_parts, summarize
from comanda.menu.imports.schemas import ImportReport
from comanda.menu.reading.content import read_content


@dataclass(frozen=True, slots=True)
class ImportFile:
    """A file as it came, JSON or a table, and how it is read.

    ``columns`` replace the headings of a table, and an empty one leaves its column out. With ``by_line`` the keys of
    errors in JSON begin with the line. Options that are given replace those in the file.
    """

    raw: bytes
    is_table: bool
    charset: str | None = None
    columns: Sequence[str] | None = None
    by_line: bool = False
    dry_run: bool | None = None
    remove_missing: bool | None = None


@dataclass(frozen=True, slots=True)
class ParsedFile:
    """What has to be known of a file before it is compared with the menu."""

    is_dry_run: bool
    photo_hashes: Sequence[str]


class ImportSteps:
    """One import: its steps in their order, each with what the next one needs from the database."""

    def __init__(self) -> None:
        self._parts: Iterator[ImportPart] = iter(())

    def parse(self, terms: ImportTerms, file: ImportFile) -> ParsedFile:
        """Parse and validate the file. Raises ``BadRequest`` or ``ValidationFailed``."""
        self._terms, self._document = terms, _parse(terms, file)
        return ParsedFile(self._document.dry_run, list(list_photos(terms, self._document)))

    def plan(self, menu: Mapping[str, str], moment: datetime, known_photos: Collection[str]) -> PlanSummary:
        """Compare it with the store's menu as ``select_menu`` returns it. Raises ``ValidationFailed``."""
        self._moment, self._content = moment, read_content(menu, moment, self._terms.site_url)
        self._plan = create_plan(self._terms, self._content, self._document, known_photos)
        return summarize(self._plan, self._terms)

    def report(self) -> ImportReport:
        """Return what changes; what is new has its id if rows are built."""
        return create_report(self._plan, self._document, self._content)

    def begin_rows(self, new: NewRows) -> None:
        """Assign ids to what is new, before ``build_rows``."""
        assign_ids(self._plan, new)
        self._parts = build_parts(self._plan, self._terms, new, self._moment)

    def build_rows(self) -> ImportPart | None:
        """Return the next rows to write, or None at the end."""
        return next(self._parts, None)


def _parse(terms: ImportTerms, file: ImportFile) -> MenuDocument:
    if file.is_table:
        document = parse_csv(
            file.raw, terms.list_fields(), terms.currency, terms.max_items, charset=file.charset, columns=file.columns
        )
    else:
        document = parse_json(file.raw, terms.currency, terms.max_items, charset=file.charset, by_line=file.by_line)
    return replace(
        document,
        dry_run=document.dry_run if file.dry_run is None else file.dry_run,
        remove_missing=document.remove_missing if file.remove_missing is None else file.remove_missing,
    )
