"""Menus as CSV: one row per item and one per variant.

The first row names the columns; ``category``, ``name`` and ``price`` are required. In a row with a ``variant`` the
columns in ``VARIANT_COLUMNS`` belong to the variant, in other rows to the item; all other columns belong to the item,
``category_is_active`` to the category. A second row of an item without a ``variant`` begins another item of that name.
An empty cell means no value. Groups of extras do not fit into rows; they are imported as JSON.
"""

import csv
import io
import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from difflib import get_close_matches
from functools import partial
from typing import Any, Final

import orjson

from comanda.basics import money
from comanda.basics.csv_tables import BYTE_ORDER_MARK, Row, Table, from_cell, read_table, to_cell
from comanda.basics.errors import ValidationFailed
from comanda.contracts.requests.fields import Name, Text
from comanda.contracts.stores.menu_items import Item, ItemVariant
from comanda.menu.columns import list_imported
from comanda.menu.imports.document import (
    ImportProblems,
    MenuDocument,
    ProblemLimitExceeded,
    SourceLocation,
    add_too_many_items,
    shorten,
    validate_menu,
)
from comanda.menu.imports.html_text import to_plain_text
from comanda.menu.imports.notes import ImportNotes
from comanda.menu.imports.preset_csv_format import IDENTITY, OPEN_PRICE, TableConverter
from comanda.menu.imports.presets import YES, TablePreset, find_preset

REQUIRED_COLUMNS: Final = ("category", "name", "price")
# Fields that have a column of another name, and options, which do not fit into a cell.
OTHER_FIELDS: Final = ("name", "is_active", "options")
ITEM_FIELDS: Final = {each.field: each for each in list_imported(Item)}
VARIANT_FIELDS: Final = {each.field: each for each in list_imported(ItemVariant) if each.field not in OTHER_FIELDS}
SHARED_COLUMNS: Final = tuple(name for name in ITEM_FIELDS if name in VARIANT_FIELDS)
OWN_COLUMNS: Final = tuple(name for name in VARIANT_FIELDS if name not in ITEM_FIELDS)
VARIANT_ONLY: Final = (*OWN_COLUMNS, "variant_is_active")
VARIANT_COLUMNS: Final = (*SHARED_COLUMNS, *VARIANT_ONLY)
# What an item's own row begins with; its other fields follow.
FIRST_COLUMNS: Final = ("description", "image_url", "tax_rate", "is_active", "is_popular", "is_sold_out")
ITEM_COLUMNS: Final = (
    *FIRST_COLUMNS, *(name for name in ITEM_FIELDS if name not in ("name", *SHARED_COLUMNS, *FIRST_COLUMNS)),
)  # fmt: skip
COLUMNS: Final = (
    "category", "name", "variant", *SHARED_COLUMNS, *OWN_COLUMNS, *ITEM_COLUMNS,
    "category_is_active", "variant_is_active",
)  # fmt: skip
TEXT_COLUMNS: Final = frozenset(
    {"category", "variant", *(name for name, each in ITEM_FIELDS.items() if each.column.given in (Name, Text))}
)
# The columns of fields with another name, by the length of the path of the part that has them, such as menu.0 and
# menu.0.items.0.variations.0.
OTHER_COLUMNS: Final = {
    2: {"name": "category", "is_active": "category_is_active"},
    6: {"name": "variant", "is_active": "variant_is_active"},
}
RATE_DECIMALS: Final = 4
THOUSANDS_DIGITS: Final = 3
# What other systems write in place of a price that is named when the item is sold.
OPEN_PRICES: Final = frozenset({OPEN_PRICE, "market", "market price", "open", "open price"})
# A column of other systems' files alone: what is archived is not on the menu.
ARCHIVED: Final = "archived"
# A number with the text around it, and one with separators of thousands before its decimals.
SIGNED_NUMBER: Final = re.compile(r"([^\d+-]*?)\s*([0-9](?:.*[0-9])?)\s*([^\d]*)", re.ASCII | re.DOTALL)
GROUPED_NUMBER: Final = re.compile(r"[0-9]{1,3}(?:([.,' \u2019\xa0\u202f])[0-9]{3})(?:\1[0-9]{3})*(?!\1)([.,][0-9]+)")
# Marks that nobody sees and that mean nothing in a word; joiners do.
INVISIBLE: Final = dict.fromkeys(map(ord, "\u200b\u2060\ufeff\u00ad"))


def parse_csv(
    raw: bytes,
    more_columns: Sequence[str],
    currency: str,
    max_items: int,
    *,
    charset: str | None = None,
    columns: Sequence[str] | None = None,
) -> MenuDocument:
    """Parse a CSV file or a workbook. ``more_columns`` are the fields of the store's item capabilities.

    ``columns`` replace the headings of the file; one that is empty leaves its column out. Without them, files of other
    systems are recognized by their headings. Raises ``BadRequest`` for
    what is no table, and ``ValidationFailed`` with a key for each invalid cell, such as ``line.12.price``.
    """
    table = _CsvTable(read_table(raw, charset), [*COLUMNS, *more_columns, ARCHIVED], currency, max_items)
    try:
        table.read(columns)
    except ProblemLimitExceeded:
        table.problems.check()
    document = validate_menu({"menu": table.categories}, table.locate, max_items, table.problems)
    open_prices, notes = frozenset(table.open_prices), table.notes.list_all()
    return replace(document, open_prices=open_prices, source=table.source, notes=notes)


def list_columns(more_columns: Sequence[str]) -> list[str]:
    """List the columns of a CSV file."""
    return [*COLUMNS, *more_columns]


def to_csv_file(categories: Sequence[Mapping[str, Any]], more_columns: Sequence[str]) -> bytes:
    """Return a menu as CSV for ``parse_csv``, without extras and with a byte order mark for spreadsheets."""
    written = io.StringIO(newline="")
    writer = csv.DictWriter(written, list_columns(more_columns), restval="", extrasaction="ignore")
    writer.writeheader()
    for category in categories:
        for item in category["items"]:
            place = {"category": category["name"], "name": item["name"]}
            place["category_is_active"] = category["is_active"]
            writer.writerow({name: to_cell(value) for name, value in {**item, **place}.items()})
            for variant in item["variations"]:
                row = {name: variant[name] for name in VARIANT_COLUMNS if name in variant}
                row |= {"variant": variant["name"], "variant_is_active": variant["is_active"], **place}
                writer.writerow({name: to_cell(value) for name, value in row.items()})
    return f"{BYTE_ORDER_MARK}{written.getvalue()}".encode()


class _CsvTable:
    """The rows of a CSV file, grouped into categories with items, with their line numbers."""

    def __init__(self, table: Table, columns: Sequence[str], currency: str, max_items: int) -> None:
        self.problems = ImportProblems(self.locate)
        self.categories: list[dict[str, Any]] = []
        self.open_prices: set[str] = set()
        self.source: str | None = None
        self.notes = ImportNotes()
        self._table, self._columns, self._currency, self._max_items = table, columns, currency, max_items
        self._decimals = {
            name: RATE_DECIMALS if each.is_rate else money.get_exponent(currency)
            for name, each in (ITEM_FIELDS | VARIANT_FIELDS).items()
            if each.is_rate or each.is_amount
        }
        self._lines: dict[str, int] = {}
        self._paths: dict[tuple[str, ...], str] = {}
        # The items with a row of their own, and for each name in a category its items.
        self._with_rows: set[str] = set()
        self._same_names: dict[tuple[str, ...], list[dict[str, Any]]] = {}
        self._item_lines: dict[int, int] = {}

    def locate(self, path: str) -> SourceLocation:
        """Return the location of a path: the row of its longest prefix that has one."""
        steps = path.split(".")
        for length in range(len(steps), 0, -1):
            line = self._lines.get(".".join(steps[:length]))
            if line is not None:
                field = ".".join(steps[length:])
                column = OTHER_COLUMNS.get(length, {}).get(field, field)
                return SourceLocation(f"line.{line}.{column}".rstrip("."), line)
        return SourceLocation(path)

    def read(self, columns: Sequence[str] | None) -> None:
        """Read all rows. Invalid headings are reported alone, because they would make every row invalid."""
        if self._table.headings is None:
            self._add_problem(1, "", f"The first row must name the columns: {', '.join(REQUIRED_COLUMNS)} and more.")
            self.problems.check()
        elif columns is None and (preset := find_preset(self._table.headings.cells)):
            self.source = preset.name
            self._read_rows(partial(self._read_foreign, preset, self._table.headings))
        else:
            headings = self._parse_headings(self._table.headings, columns)
            self.problems.check()
            self._read_rows(partial(self._read_own, headings))

    def _read_own(self, headings: Sequence[str]) -> None:
        for row in self._table.rows:
            if any(map(str.strip, row.cells)):
                self._parse_row(row.line, headings, row.cells)

    def _read_foreign(self, preset: TablePreset, headings: Row) -> None:
        rows = (Row(row.line, [_clean(cell).strip() for cell in row.cells]) for row in self._table.rows)
        for line, cells in TableConverter(preset, headings, self._columns, self.notes).convert(rows):
            for column in self._decimals.keys() & cells.keys():
                cells[column] = self._parse_number(line, column, cells[column])
            self._add_item(line, cells)

    def _read_rows(self, read: Callable[[], None]) -> None:
        try:
            read()
        except ValidationFailed as error:
            for key, sentences in error.errors.items():
                for sentence in sentences:
                    self.problems.add_located(key, sentence)
        for items in self._same_names.values():
            unidentified = [item for item in items if not any(each.get("sku") for each in item.get("variations", ()))]
            for item in unidentified[1:]:
                first = self._item_lines[id(unidentified[0])]
                sentence = f"{shorten(item['name'])} is already on line {first}."
                self._add_problem(self._item_lines[id(item)], "name", sentence)

    def _parse_headings(self, row: Row, columns: Sequence[str] | None) -> list[str]:
        headings = [re.sub(r"\s+", "_", _clean(cell).strip().lower()) for cell in row.cells]
        names = headings if columns is None else [*columns, *[""] * len(headings)][: len(headings)]
        known = f" Known columns: {', '.join(self._columns)}."
        for name in sorted({name for name in names if name and name not in self._columns}):
            near = get_close_matches(name, self._columns, 1) if len(name) <= 50 else []
            hint = f" Did you mean {near[0]}?" if near else ""
            self._add_problem(row.line, shorten(name), f"Unknown column {shorten(name)}.{hint}{known}")
            known = ""
        for name in sorted({name for name in names if name in self._columns and names.count(name) > 1}):
            self._add_problem(row.line, name, "This column occurs twice.")
        for name in REQUIRED_COLUMNS:
            if name not in names:
                self._add_problem(row.line, name, "This column is missing.")
        return names

    def _parse_row(self, line: int, header: Sequence[str], row: Sequence[str]) -> None:
        if len(row) > len(header) and any(map(str.strip, row[len(header) :])):
            self._add_problem(line, "", f"This row has {len(row)} cells, but the header has {len(header)}.")
            return
        cells = {
            name: self._parse_value(line, name, text)
            for name, cell in zip(header, row, strict=False)
            if name and (text := _clean(cell).strip())
        }
        missing = [name for name in ("category", "name") if name not in cells]
        for name in missing:
            self._add_problem(line, name, "This field is required.")
        if str(cells.pop(ARCHIVED, "")).casefold() in YES:
            cells["is_active"] = "false"
        if not missing:
            self._add_item(line, cells)

    def _add_item(self, line: int, cells: dict[str, Any]) -> None:
        category, name, variant = cells.pop("category"), cells.pop("name"), cells.pop("variant", None)
        at = self._find_or_add(
            ("category", category.casefold()), "menu", self.categories, {"name": category, "items": []}
        )
        first = self._lines.setdefault(at, line)
        record = self.categories[int(at.rpartition(".")[2])]
        if (is_active := cells.pop("category_is_active", None)) is not None:
            self._set(record, line, "is_active", is_active, "category_is_active", f"Line {first}", category)
        items = record["items"]
        key = ("item", category.casefold(), name.casefold(), cells.pop(IDENTITY, ""))
        if variant is None and self._paths.get(key) in self._with_rows:
            del self._paths[key]
        is_new = key not in self._paths
        path = self._find_or_add(key, f"{at}.items", items, {"name": name})
        item = items[int(path.rpartition(".")[2])]
        if is_new:
            self._lines[path] = self._item_lines[id(item)] = line
            self._same_names.setdefault(key, []).append(item)
            if len(self._item_lines) > self._max_items:
                add_too_many_items(self.problems, self._max_items)
        own = {column: cells.pop(column) for column in (*VARIANT_COLUMNS, "options") if column in cells}
        if is_open := own.get("price") in OPEN_PRICES:
            own["price"] = "0"
        if variant is None:
            for column in (column for column in VARIANT_ONLY if column in own):
                self._add_problem(
                    line, column, "This field belongs to a variant. Name the variant in the column variant."
                )
            if "price" not in own:
                self._add_problem(line, "price", "This field is required.")
            self._with_rows.add(path)
            self.open_prices |= {path} if is_open else set()
            # The line of an item is that of its own row.
            self._item_lines[id(item)] = line
            cells.update(own)
        else:
            variants = item.setdefault("variations", [])
            self._lines[f"{path}.variations.{len(variants)}"] = line
            self.open_prices |= {f"{path}.variations.{len(variants)}"} if is_open else set()
            own = {"is_active" if column == "variant_is_active" else column: value for column, value in own.items()}
            variants.append({"name": variant, **own})
        for column, value in cells.items():
            self._set(item, line, column, value, column, f"Line {self._lines[path]}", name)

    def _set(
        self, record: dict[str, Any], line: int, field: str, value: Any, column: str, other: str, name: str
    ) -> None:
        """Set a field; report it if an earlier row has another value."""
        if record.setdefault(field, value) != value:
            self._add_problem(line, column, f"{other} has another value for {shorten(name)}.")

    def _find_or_add(
        self, key: tuple[str, ...], path: str, siblings: list[dict[str, Any]], record: dict[str, Any]
    ) -> str:
        if key not in self._paths:
            self._paths[key] = f"{path}.{len(siblings)}"
            siblings.append(record)
        return self._paths[key]

    def _parse_value(self, line: int, column: str, text: str) -> Any:
        if column in self._decimals:
            return self._parse_number(line, column, text)
        text = from_cell(text)
        if column in TEXT_COLUMNS:
            return to_plain_text(text)
        if column not in COLUMNS and text.startswith(("[", "{")):
            try:
                return orjson.loads(text)
            except orjson.JSONDecodeError:
                return text
        return text

    def _parse_number(self, line: int, column: str, text: str) -> str:
        """Parse a number, which may have its unit beside it, separators of thousands, and a decimal comma.

        A comma with as many digits as separate thousands is decimal only if commas do not separate the cells.
        """
        if column == "price" and text.casefold() in OPEN_PRICES:
            return text.casefold()
        decimals = self._decimals[column]
        if found := SIGNED_NUMBER.fullmatch(text):
            sign = found[1] + found[3]
            if column in ITEM_FIELDS and ITEM_FIELDS[column].is_rate:
                text = found[2] if sign in {"", "%"} else text
            elif not sign or money.clean_currency_sign(sign) in money.list_currency_signs(self._currency):
                text = found[2]
            elif money.is_currency_sign(sign):
                self._add_problem(
                    line, column, f"This amount is in {shorten(sign)}; the store's are in {self._currency}."
                )
                return "0"
        if (grouped := GROUPED_NUMBER.fullmatch(text)) and decimals:
            text = text[: grouped.start(2)].replace(grouped[1], "") + grouped[2]
        points = r"[.,]" if self._table.has_decimal_comma or decimals < THOUSANDS_DIGITS else r"\."
        fraction = rf"({points}[0-9]{{1,{decimals}}})?" if decimals else ""
        # Decimals are limited, because 1.000 with a thousands separator is not 1.
        if re.fullmatch(rf"[0-9]{{1,16}}{fraction}", text, re.ASCII):
            return text.replace(",", ".")
        most = f", with at most {decimals} decimals" if decimals else " without decimals"
        self._add_problem(line, column, f"Must be a number such as {'9.50' if decimals else '950'}{most}.")
        return "0"

    def _add_problem(self, line: int, column: str, sentence: str) -> None:
        self.problems.add_located(f"line.{line}.{column}".rstrip("."), sentence)


def _clean(cell: str) -> str:
    """Return a cell in the normal form of texts without invisible marks, so that equal words are equal."""
    return cell if cell.isascii() else unicodedata.normalize("NFC", cell.translate(INVISIBLE))
