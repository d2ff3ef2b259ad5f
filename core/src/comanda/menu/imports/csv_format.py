"""Menus as CSV: one row per item and one per variant.

The first row names the columns; ``category``, ``name`` and ``price`` are required. In a row with a ``variant`` the
columns in ``VARIANT_COLUMNS`` belong to the variant, in other rows to the item; all other columns belong to the item.
An empty cell means no value. Groups of extras do not fit into rows; they are imported as JSON.
"""

import csv
import io
import re
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from typing import Any, Final

import orjson

from comanda import money
from comanda.csv_cells import BYTE_ORDER_MARK, from_cell, to_cell
from comanda.errors import BadRequest
from comanda.menu.imports.document import ImportProblems, MenuDocument, SourceLocation, validate_menu

REQUIRED_COLUMNS: Final = ("category", "name", "price")
VARIANT_ONLY: Final[tuple[str, ...]] = ("sku", "barcode", "compare_at_price")
VARIANT_COLUMNS: Final[tuple[str, ...]] = ("price", "stock", *VARIANT_ONLY)
ITEM_COLUMNS: Final = (
    "description", "image_url", "tax_rate", "is_active", "is_popular", "is_sold_out", "allow_backorder", "position",
)  # fmt: skip
COLUMNS: Final = ("category", "name", "variant", *VARIANT_COLUMNS, *ITEM_COLUMNS)
# By the length of a path that has its own row: menu.0 and menu.0.items.0.variations.0.
NAME_COLUMNS: Final = {2: "category", 6: "variant"}
DELIMITERS: Final = (",", ";", "\t")
RATE_DECIMALS: Final = 4


def parse_csv(raw: bytes, more_columns: Sequence[str], currency: str, **options: bool) -> MenuDocument:
    """Parse a CSV file. ``more_columns`` are the fields of the store's item capabilities.

    Raises ``BadRequest`` if it is not UTF-8, and ``ValidationFailed`` with a key for each invalid cell, such as
    ``line.12.price``.
    """
    text = _decode(raw)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=_detect_delimiter(text), strict=True)
    table = _CsvTable(reader, [*COLUMNS, *more_columns], currency)
    table.read()
    content = {"menu": table.categories, **options}
    return validate_menu(content, table.locate, table.problems)


def to_csv_file(categories: Sequence[Mapping[str, Any]], more_columns: Sequence[str]) -> bytes:
    """Return a menu as CSV for ``parse_csv``, without extras and with a byte order mark for spreadsheets."""
    columns = [*COLUMNS, *more_columns]
    written = io.StringIO(newline="")
    writer = csv.DictWriter(written, columns, restval="", extrasaction="ignore")
    writer.writeheader()
    for category in categories:
        for item in category["items"]:
            place = {"category": category["name"], "name": item["name"]}
            writer.writerow({name: to_cell(value) for name, value in {**item, **place}.items()})
            for variant in item["variations"]:
                row = {name: variant[name] for name in VARIANT_COLUMNS} | {"variant": variant["name"], **place}
                writer.writerow({name: to_cell(value) for name, value in row.items()})
    return f"{BYTE_ORDER_MARK}{written.getvalue()}".encode()


class _CsvTable:
    """The rows of a CSV file, grouped into categories with items, with their line numbers."""

    def __init__(self, reader: Any, columns: Sequence[str], currency: str) -> None:
        self.problems = ImportProblems(self.locate)
        self.categories: list[dict[str, Any]] = []
        self._reader, self._columns = reader, columns
        self._decimals = {"price": money.get_exponent(currency), "compare_at_price": money.get_exponent(currency)}
        self._decimals["tax_rate"] = RATE_DECIMALS
        self._has_comma = reader.dialect.delimiter != ","
        self._lines: dict[str, int] = {}
        self._paths: dict[tuple[str, ...], str] = {}

    def locate(self, path: str) -> SourceLocation:
        """Return the location of a path: the row of its longest prefix that has one."""
        steps = path.split(".")
        for length in range(len(steps), 0, -1):
            line = self._lines.get(".".join(steps[:length]))
            if line is not None:
                # The names of categories and variants have their own columns.
                column = NAME_COLUMNS.get(length, "name") if steps[length:] == ["name"] else ".".join(steps[length:])
                return SourceLocation(f"line.{line}.{column}".rstrip("."), line)
        return SourceLocation(path)

    def read(self) -> None:
        """Read all rows. An invalid header is reported alone, because it would make every row invalid."""
        header: list[str] | None = None
        line = 1
        try:
            for row in self._reader:
                if header is None:
                    header = self._parse_header(row)
                    self.problems.check()
                elif any(cell.strip() for cell in row):
                    self._parse_row(line, header, row)
                line = self._reader.line_num + 1
        except csv.Error as error:
            self._add_problem(line, "", f"This row cannot be read: {error}.")
        if header is None:
            self._add_problem(1, "", f"The first row must name the columns: {', '.join(REQUIRED_COLUMNS)} and more.")
        self.problems.check()

    def _parse_header(self, row: Sequence[str]) -> list[str]:
        names = [re.sub(r"\s+", "_", name.strip().lower()) for name in row]
        for name in sorted({name for name in names if name and name not in self._columns}):
            near = get_close_matches(name, self._columns, 1)
            hint = f" Did you mean {near[0]}?" if near else ""
            self._add_problem(1, name, f"Unknown column {name[:50]}.{hint} Known columns: {', '.join(self._columns)}.")
        for name in sorted({name for name in names if name and names.count(name) > 1}):
            self._add_problem(1, name, "This column occurs twice.")
        for name in REQUIRED_COLUMNS:
            if name not in names:
                self._add_problem(1, name, "This column is missing.")
        return names

    def _parse_row(self, line: int, header: Sequence[str], row: Sequence[str]) -> None:
        if len(row) > len(header) and any(cell.strip() for cell in row[len(header) :]):
            self._add_problem(line, "", f"This row has {len(row)} cells, but the header has {len(header)}.")
            return
        cells = {
            name: self._parse_value(line, name, cell) for name, cell in zip(header, row, strict=False) if cell.strip()
        }
        cells.pop("", None)
        missing = [name for name in ("category", "name") if name not in cells]
        for name in missing:
            self._add_problem(line, name, "This field is required.")
        if not missing:
            self._add_item(line, cells)

    def _add_item(self, line: int, cells: dict[str, Any]) -> None:
        category, name, variant = cells.pop("category"), cells.pop("name"), cells.pop("variant", None)
        at = self._find_or_add(
            ("category", category.casefold()), "menu", self.categories, {"name": category, "items": []}
        )
        self._lines.setdefault(at, line)
        items = self.categories[int(at.rpartition(".")[2])]["items"]
        key = ("item", category.casefold(), name.casefold())
        is_new = key not in self._paths
        path = self._find_or_add(key, f"{at}.items", items, {"name": name})
        item = items[int(path.rpartition(".")[2])]
        if is_new:
            self._lines[path] = line
        own = {column: cells.pop(column) for column in VARIANT_COLUMNS if column in cells}
        if variant is None:
            for column in (column for column in VARIANT_ONLY if column in own):
                self._add_problem(
                    line, column, "This field belongs to a variant. Name the variant in the column variant."
                )
            if "price" not in own:
                self._add_problem(line, "price", "This field is required.")
            if (*key, "row") in self._paths:
                self._add_problem(line, "name", f"{name} is already on line {self._lines[path]}.")
            self._paths[*key, "row"] = path
            cells.update(own)
        else:
            variants = item.setdefault("variations", [])
            self._lines[f"{path}.variations.{len(variants)}"] = line
            variants.append({"name": variant, **own})
        for column, value in cells.items():
            if item.setdefault(column, value) != value:
                self._add_problem(line, column, f"Line {self._lines[path]} has another value for {name}.")

    def _find_or_add(
        self, key: tuple[str, ...], path: str, siblings: list[dict[str, Any]], record: dict[str, Any]
    ) -> str:
        if key not in self._paths:
            self._paths[key] = f"{path}.{len(siblings)}"
            siblings.append(record)
        return self._paths[key]

    def _parse_value(self, line: int, column: str, cell: str) -> Any:
        text = cell.strip()
        if column in self._decimals:
            return self._parse_number(line, column, text)
        text = from_cell(text)
        if column not in COLUMNS and text.startswith(("[", "{")):
            try:
                return orjson.loads(text)
            except orjson.JSONDecodeError:
                return text
        return text

    def _parse_number(self, line: int, column: str, text: str) -> str:
        """Parse a number with a decimal point, or a decimal comma if commas do not separate the cells."""
        decimals, points = self._decimals[column], r"[.,]" if self._has_comma else r"\."
        fraction = rf"({points}[0-9]{{1,{decimals}}})?" if decimals else ""
        # Decimals are limited, because 1.000 with a thousands separator is not 1.
        if re.fullmatch(rf"[0-9]{{1,16}}{fraction}", text, re.ASCII):
            return text.replace(",", ".")
        most = f", with at most {decimals} decimals" if decimals else " without decimals"
        self._add_problem(line, column, f"Must be a number such as {'9.50' if decimals else '950'}{most}.")
        return "0"

    def _add_problem(self, line: int, column: str, sentence: str) -> None:
        self.problems.found.setdefault(f"line.{line}.{column}".rstrip("."), []).append(sentence)


def _decode(raw: bytes) -> str:
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise BadRequest(f"Line {line}: this file is not UTF-8. Save it as CSV UTF-8 and try again.") from error


def _detect_delimiter(text: str) -> str:
    first = text.lstrip("\r\n").partition("\n")[0]
    return max(DELIMITERS, key=first.count)
