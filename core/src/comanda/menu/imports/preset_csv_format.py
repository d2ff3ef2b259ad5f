"""Tables of other systems as rows of ours, and what cannot be brought."""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from comanda.basics.csv_tables import Row, from_cell
from comanda.menu.imports.categories import NO_CATEGORY, name_categories
from comanda.menu.imports.document import shorten
from comanda.menu.imports.html_text import to_plain_text
from comanda.menu.imports.notes import MAX_DESCRIPTION, MAX_NAME, ONE_CATEGORY, SEVERAL_TAXES, ImportNotes
from comanda.menu.imports.presets import NO, YES, TablePreset, Values, compile_heading, normalize_heading

Cells = Mapping[int, str]

OPEN_PRICE: Final = "variable"
# The name of an only variant, which is there for its SKU, barcode or price before.
ONLY_VARIANT: Final = "Standard"
# Key of a converted row that says to which item it belongs, because names may repeat.
IDENTITY: Final = "identity"
VARIANT_FIELDS: Final = ("sku", "barcode", "compare_at_price")
FLAGS: Final = frozenset({"is_popular", "allow_backorder"})
FLAG_VALUES: Final = YES | {"notify"}
RATE: Final = re.compile(r"\(\s*([0-9]{1,2}(?:[.,][0-9]{1,4})?)\s*%\s*\)")
WHOLE: Final = re.compile(r"-?[0-9]{1,9}(?=(?:[.,]0*)?\Z)", re.ASCII)


@dataclass(slots=True)
class _Line:
    """A row of the file: its filled cells by their position."""

    line: int
    cells: Cells


@dataclass(slots=True)
class _ForeignItem:
    """The rows of one item, first its own one."""

    lines: list[_Line] = field(default_factory=list)
    name: str = ""
    path: tuple[str, ...] = ()

    @property
    def line(self) -> int:
        return self.lines[0].line


class TableConverter:
    """A reader of tables of another system; ``notes`` get what is not taken."""

    def __init__(self, preset: TablePreset, headings: Row, columns: Collection[str], notes: ImportNotes) -> None:
        self._preset, self._headings, self._notes = preset, headings, notes
        self._names = [normalize_heading(heading) for heading in headings.cells]
        self._used: set[int] = set()
        self._first_lines: dict[int, list[int]] = {}
        self._items: list[_ForeignItem] = []
        self._fields = {name: self._find_all(patterns) for name, patterns in preset.fields.items() if name in columns}
        self._handle = self._find_all(preset.handle)
        self._parent = self._find_all([preset.parent])
        self._path = self._find_all(preset.category_path)
        self._pictures = self._find_all(preset.pictures)
        self._alt = self._find_all([preset.picture_alt])
        self._counted_if = self._find_all(preset.counted_if)
        self._sale_period = self._find_all(preset.sale_period)
        self._identities = [(self._find_all([heading]), prefix) for heading, prefix in preset.identities]
        self._options = [
            tuple(self._find_all([pattern.replace("#", number)]) for pattern in preset.options)
            for number in preset.option_numbers
        ]
        self._hidden = self._find_values(preset.hidden)
        self._left_out = self._find_values(preset.left_out)
        self._open = self._find_values(preset.open_price)
        self._taxes = self._find_taxes()

    def convert(self, rows: Iterable[Row]) -> Iterator[tuple[int, dict[str, Any]]]:
        """Yield the lines and cells of all items in our columns."""
        self._read(rows)
        kept = [item for item in self._items if self._is_kept(item)]
        categories = name_categories(item.path for item in kept)
        for number, item in enumerate(kept):
            place = {"category": categories[item.path][:MAX_NAME], "name": item.name}
            if self._preset.handle or self._preset.parent:
                place[IDENTITY] = str(number)
            for line, cells in self._convert_item(item):
                yield line, {**place, **cells}
        self._tell_columns()

    def _read(self, rows: Iterable[Row]) -> None:
        """Group the rows by item."""
        by_handle: dict[str, _ForeignItem] = {}
        children: list[_Line] = []
        parents: dict[str, _ForeignItem] = {}
        for row in rows:
            cells = {number: cell for number, cell in enumerate(row.cells[: len(self._names)]) if cell}
            for number in (number for number, cell in cells.items() if cell.casefold() not in NO):
                self._first_lines.setdefault(number, [row.line, 0])[1] += 1
            line = _Line(row.line, cells)
            if not cells:
                continue
            if self._get(cells, self._parent):
                children.append(line)
                continue
            handle = self._get(cells, self._handle)
            if handle not in by_handle or not handle:
                item = _ForeignItem([line])
                self._items.append(item)
                by_handle[handle] = item
                for positions, prefix in self._identities:
                    if identity := self._get(cells, positions):
                        parents.setdefault(f"{prefix}{identity}", item)
            else:
                by_handle[handle].lines.append(line)
        for line in children:
            if parent := parents.get(self._get(line.cells, self._parent)):
                parent.lines.append(line)
            else:
                self._notes.add(line.line, "This row is left out: what it belongs to is not in the file.")

    def _is_kept(self, item: _ForeignItem) -> bool:
        """Return whether an item can be brought, and find its name and category."""
        name = self._get_first(item, "name")
        if not name:
            # Some systems continue an item in rows that have nothing of their own.
            if any(self._get(each.cells, self._fields["price"]) for each in item.lines):
                self._notes.add(item.line, "This row is left out: it has no name.")
            return False
        item.name = self._notes.cut(item.line, _to_text(name), MAX_NAME)
        if said := self._find_said(item.lines[0].cells, self._left_out):
            self._notes.add(item.line, f"{shorten(item.name)} is left out: {said}.")
            return False
        item.path = self._find_path(item)
        return True

    def _find_path(self, item: _ForeignItem) -> tuple[str, ...]:
        preset = self._preset
        if self._path:
            path = [self._get(item.lines[0].cells, [position]) for position in self._path]
        else:
            text = self._get_first(item, "category")
            several = [part.strip() for part in text.split(preset.many_separator)] if preset.many_separator else [text]
            several = [part for part in several if part]
            several = [part for part in several if part.casefold() not in preset.roots] or several[:1]
            if len(several) > 1:
                self._notes.count(item.line, ONE_CATEGORY)
            path = several[0].split(preset.path_separator) if several else []
        parts = [_to_text(part.strip()) for part in path]
        if preset.category_code:
            parts = [preset.category_code.sub("", part) for part in parts]
        parts = [part for part in parts if part]
        while len(parts) > 1 and parts[0].casefold() in preset.roots:
            del parts[0]
        if parts and not parts[-1].isdecimal():
            return tuple(parts)
        reason = "only its number there" if parts else "none"
        self._notes.count(item.line, f"The category is {NO_CATEGORY}, because the file has {reason}.")
        return (NO_CATEGORY,)

    def _convert_item(self, item: _ForeignItem) -> Iterator[tuple[int, dict[str, Any]]]:
        variants = self._list_variants(item)
        shared = self._convert_shared(item)
        names = [self._find_variant_name(item, each) for each in variants]
        is_only = len(variants) == 1 and (not names[0] or names[0].casefold() in self._preset.plain_variants)
        said = {id(each): self._find_said(each.cells, self._hidden) for each in item.lines}
        hidden = [text for each in item.lines if (text := said[id(each)])]
        speaking = [each for each in item.lines if any(position in each.cells for position, _ in self._hidden)]
        is_hidden = bool(said[id(item.lines[0])] if self._preset.parent else len(hidden) == len(speaking) > 0)
        if is_hidden:
            shared["is_active"] = "false"
            self._notes.add(item.line, f"{shorten(item.name)} is hidden: {hidden[0]}.")
        for variant, name in zip(variants, names, strict=True):
            own = self._convert_variant(item, variant)
            if is_only and not any(column in own for column in VARIANT_FIELDS):
                own.pop("options", None)
                yield item.line, shared | own
                return
            label = name or (ONLY_VARIANT if is_only else own.get("sku", ""))
            if not label:
                message = f"A variant of {shorten(item.name)} is left out: it has no name."
                self._notes.add(variant.line, message)
                continue
            own["variant"] = self._notes.cut(variant.line, label, MAX_NAME)
            if said[id(variant)] and not is_hidden:
                own["variant_is_active"] = "false"
                message = f"{shorten(item.name)}, {shorten(label)} is hidden: {said[id(variant)]}."
                self._notes.add(variant.line, message)
            yield variant.line, shared | own
            shared = {}

    def _list_variants(self, item: _ForeignItem) -> list[_Line]:
        """Return the rows that are variants; the others have more pictures of the item."""
        if self._preset.parent:
            return item.lines[1:] or item.lines
        named = (self._fields["price"], self._fields.get("variant", []), *(values for _, values in self._options))
        found = [each for each in item.lines if any(self._get(each.cells, positions) for positions in named)]
        return found or item.lines[:1]

    def _convert_shared(self, item: _ForeignItem) -> dict[str, Any]:
        cells: dict[str, Any] = {}
        if description := _to_text(self._get_first(item, "description")):
            cells["description"] = self._notes.cut(item.line, description, MAX_DESCRIPTION)
        for name in ("tax_rate", "brand"):
            if text := self._get_first(item, name):
                cells[name] = text
        for name in FLAGS & self._fields.keys():
            if self._get(item.lines[0].cells, self._fields[name]).casefold() in FLAG_VALUES:
                cells[name] = "true"
        if rate := self._find_rate(item):
            cells["tax_rate"] = rate
        if pictures := self._list_pictures(item):
            cells["gallery"] = pictures
        return cells

    def _convert_variant(self, item: _ForeignItem, variant: _Line) -> dict[str, Any]:
        cells: dict[str, Any] = {"price": self._find_price(item, variant)}
        for name in ("sku", "barcode"):
            if text := self._get(variant.cells, self._fields.get(name, [])):
                cells[name] = from_cell(text)
        before = self._get(variant.cells, self._fields.get("compare_at_price", []))
        if before and before != cells["price"]:
            cells["compare_at_price"] = before
        if options := self._list_options(item, variant):
            cells["options"] = options
        if (stock := self._find_stock(variant)) is not None:
            cells["stock"] = stock
        return cells

    def _find_price(self, item: _ForeignItem, variant: _Line) -> str:
        if self._find_said(variant.cells, self._open):
            return OPEN_PRICE
        positions = self._fields["price"]
        if any(variant.cells.get(position) for position in self._sale_period):
            self._notes.count(variant.line, "Only the regular price is taken of what is reduced for a time.")
            positions = self._fields["compare_at_price"]
        position = next((each for each in positions if variant.cells.get(each)), None)
        if position is None:
            return OPEN_PRICE
        if self._names[position] in self._preset.net_prices:
            self._notes.count(variant.line, "The prices of this file are without tax. Check them.")
        return variant.cells[position]

    def _find_stock(self, variant: _Line) -> str | None:
        text = self._get(variant.cells, self._fields.get("stock", []))
        counted = [self._get(variant.cells, [position]).casefold() for position in self._counted_if]
        if not text or (counted and not any(value and value not in NO for value in counted)):
            return None
        if (whole := WHOLE.match(text)) is None:
            self._notes.count(variant.line, "A quantity that is not a whole number is not taken.")
            return None
        return str(max(int(whole[0]), 0))

    def _find_variant_name(self, item: _ForeignItem, variant: _Line) -> str:
        named = _to_text(self._get(variant.cells, self._fields.get("variant", [])))
        return named or " / ".join(self._list_options(item, variant).values())

    def _list_options(self, item: _ForeignItem, variant: _Line) -> dict[str, str]:
        """Return the options of a variant; of an item without variants they are facts and no choices."""
        if self._preset.parent and not self._get(variant.cells, self._parent):
            return {}
        found = {}
        for names, values in self._options:
            value = _to_text(self._get(variant.cells, values))[:MAX_NAME]
            if value and value.casefold() not in self._preset.plain_variants:
                name = next((text for each in item.lines if (text := self._get(each.cells, names))), "")
                found[_to_text(name)[:MAX_NAME] or "Option"] = value
        return found

    def _list_pictures(self, item: _ForeignItem) -> list[dict[str, str]]:
        separator = self._preset.picture_separator
        return self._notes.pick_pictures(
            (line.line, part.strip(), _to_text(self._get(line.cells, self._alt))[:MAX_NAME])
            for line in item.lines
            for text in [self._get(line.cells, self._pictures)]
            for part in (text.split(separator) if separator else [text])
            if part.strip()
        )

    def _find_rate(self, item: _ForeignItem) -> str:
        rates = {
            rate for position, rate in self._taxes.items() if item.lines[0].cells.get(position, "").casefold() in YES
        }
        if len(rates) > 1:
            self._notes.count(item.line, SEVERAL_TAXES)
        return rates.pop() if len(rates) == 1 else ""

    def _find_taxes(self) -> dict[int, str]:
        found = {}
        for number in self._match(self._preset.taxes):
            if rate := RATE.search(self._headings.cells[number]):
                found[number] = rate[1].replace(",", ".")
        self._used |= found.keys()
        return found

    def _find_said(self, cells: Cells, values: Sequence[tuple[int, frozenset[str]]]) -> str:
        """Return what a row says of itself by one of these values, such as ``Status is draft``."""
        for position, meant in values:
            text = cells.get(position, "")
            if text and not meant.isdisjoint(part.strip() for part in text.casefold().split(",")):
                return f"{shorten(self._headings.cells[position])} is {shorten(text)}"
        return ""

    def _tell_columns(self) -> None:
        """Add notes about columns with values that are not taken."""
        others: list[str] = []
        for number, (line, count) in sorted(self._first_lines.items()):
            if number in self._used:
                continue
            name, heading = self._names[number], shorten(self._headings.cells[number].strip())
            reasons = (why for pattern, why in self._preset.reasons.items() if compile_heading(pattern).match(name))
            if reason := next(reasons, None):
                rows = "1 row" if count == 1 else f"{count} rows"
                self._notes.count(line, f"{heading} is not taken ({rows}). {reason}")
            elif heading:
                others.append(heading)
        self._notes.name_others(self._headings.line, "columns", others)

    def _find_all(self, patterns: Iterable[str]) -> list[int]:
        """Return the position of each heading that the file has; of several alike, such as of shops, the first one."""
        found = [matches[0] for pattern in patterns if (matches := self._match(pattern))]
        self._used.update(found)
        return found

    def _match(self, pattern: str) -> list[int]:
        if not pattern:
            return []
        compiled = compile_heading(pattern)
        return [number for number, name in enumerate(self._names) if compiled.match(name)]

    def _find_values(self, values: Values) -> list[tuple[int, frozenset[str]]]:
        return [(number, meant) for pattern, meant in values.items() for number in self._find_all([pattern])]

    def _get_first(self, item: _ForeignItem, name: str) -> str:
        positions = self._fields.get(name, [])
        return next((text for each in item.lines if (text := self._get(each.cells, positions))), "")

    def _get(self, cells: Cells, positions: Iterable[int]) -> str:
        return next((cells[position] for position in positions if position in cells), "")


def _to_text(text: str) -> str:
    return to_plain_text(from_cell(text)) if text else text
