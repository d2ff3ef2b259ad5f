"""Import of a menu from a file: its columns are matched, its changes shown with errors by line, then it is applied."""

import csv
import io
import zlib
from base64 import b64decode, b64encode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any, Final

import orjson
from comanda.contracts.calls import JSON
from comanda.errors import ComandaError, ValidationFailed
from comanda.web.dashboard import REFUSALS, Visit, get_sentence
from comanda.web.translations import gettext as _
from quart import Response

from comanda_dashboard.pages import dashboard

IMPORT_PATH: Final = "/restaurants/{id}/menu/import"
CSV_TYPE: Final = "text/csv"
# What the API takes, and what fits into the field that carries the file from the preview to its application.
MAX_BYTES: Final = 2 * 1024 * 1024
MAX_CARRIED: Final = 400_000
DELIMITERS: Final = (",", ";", "\t")
# What other systems call our columns.
OTHER_NAMES: Final = {
    "title": "name", "item": "name", "item_name": "name", "product": "name", "product_name": "name", "dish": "name",
    "section": "category", "group": "category", "category_name": "category", "type": "category",
    "collection": "category",
    "amount": "price", "unit_price": "price", "cost": "price", "variation": "variant", "size": "variant",
    "option": "variant", "variation_name": "variant", "details": "description", "body": "description",
    "tax": "tax_rate", "vat": "tax_rate", "image": "image_url", "photo": "image_url", "picture": "image_url",
    "quantity": "stock", "inventory": "stock", "ean": "barcode", "gtin": "barcode", "upc": "barcode",
    "article_number": "sku", "visible": "is_active", "enabled": "is_active", "vendor": "brand",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class CsvColumn:
    """A column of a file: its heading, some of its values, and the column of ours that it probably is."""

    heading: str
    samples: Sequence[str]
    match: str


@dashboard.get("/stores/<int:store_id>/menu/import", scope="menu:write")
async def show_import(visit: Visit, store_id: int) -> Response:
    """Show the form for a file."""
    return await visit.render("dashboard/menu_import.html", columns=await _list_columns(visit))


@dashboard.post("/stores/<int:store_id>/menu/import", scope="menu:write")
async def preview_import(visit: Visit, store_id: int) -> Response:
    """Match the columns of a file, show what it would change, or apply it."""
    texts, columns = await visit.read_texts(), await _list_columns(visit)
    raw, name = await _read_file(visit, texts)
    if not raw or len(raw) > MAX_BYTES:
        problem = _("Choose a file.") if not raw else _("A file may have at most 2 MB.")
        return await _render(visit, columns, status=422, problem=problem)
    is_csv = not is_json(raw)
    if is_csv and (text := decode(raw)) is not None:
        mapping = match_columns(text, columns)
        if any(field.startswith("column.") for field in texts):
            raw = rename_columns(text, texts).encode()
        elif any(column.match != normalize(column.heading) for column in mapping):
            return await _render(visit, columns, mapping=mapping, content=pack(raw), name=name)
    options = {"remove_missing": "remove_missing" in texts, "dry_run": "apply" not in texts}
    try:
        report = await _send(visit, raw, options, is_csv=is_csv)
    except ComandaError as error:
        if error.status not in {400, *REFUSALS}:
            raise
        return await _render(visit, columns, status=422, errors=list_errors(error), name=name)
    if "apply" in texts:
        items = report["items"]
        notice = _(
            "Menu imported: %(created)s items created, %(updated)s updated, %(removed)s deleted.",
            created=items["created"], updated=items["updated"], removed=items["removed"],
        )  # fmt: skip
        return visit.redirect(f"/stores/{store_id}/menu", notice=notice)
    return await _render(
        visit, columns, report=report, content=pack(raw), name=name, remove_missing=options["remove_missing"]
    )


def list_errors(error: ComandaError) -> list[dict[str, Any]]:
    """Return the errors of a file as rows: line, column and sentences."""
    if not isinstance(error, ValidationFailed) or not error.errors:
        return [{"line": None, "column": "", "sentence": get_sentence(error)}]
    rows = []
    for key, sentences in error.errors.items():
        head, _separator, rest = key.partition(".")
        line, _dot, column = rest.partition(".")
        is_located = head == "line" and line.isdigit()
        rows.append(
            {
                "line": int(line) if is_located else None,
                "column": column if is_located else key,
                "sentence": " ".join(sentences),
            }
        )
    return sorted(rows, key=lambda row: row["line"] or 0)


def is_json(raw: bytes) -> bool:
    """Return whether a file is JSON."""
    return raw.removeprefix(b"\xef\xbb\xbf").lstrip()[:1] in {b"[", b"{"}


def decode(raw: bytes) -> str | None:
    """Return the text of a file, or None if it is not UTF-8, which the API explains."""
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        return None


def normalize(heading: str) -> str:
    """Return a heading as the API reads it."""
    return "_".join(heading.strip().lower().split())


def match_columns(text: str, columns: Sequence[str]) -> list[CsvColumn]:
    """Return the columns of a CSV file, each with the column of ours that is most like it, or none."""
    rows = [row for row, _number in zip(csv.reader(io.StringIO(text), delimiter=_detect(text)), range(4), strict=False)]
    found: list[CsvColumn] = []
    for number, heading in enumerate(rows[0] if rows else []):
        name = normalize(heading)
        match = name if name in columns else OTHER_NAMES.get(name, "")
        if not match or match not in columns:
            match = next(iter(get_close_matches(name, columns, 1, 0.75)), "")
        if any(each.match == match for each in found):
            match = ""
        samples = [row[number].strip() for row in rows[1:] if number < len(row) and row[number].strip()]
        found.append(CsvColumn(heading, samples, match))
    return found


def rename_columns(text: str, choices: Mapping[str, str]) -> str:
    """Return a CSV file with the headings that a person chose, without the columns that they left out."""
    delimiter = _detect(text)
    rows = list(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter))
    names = [choices.get(f"column.{number}", "") for number in range(len(rows[0]))]
    kept = [number for number, name in enumerate(names) if name]
    written = io.StringIO(newline="")
    writer = csv.writer(written, delimiter=delimiter)
    writer.writerow([names[number] for number in kept])
    writer.writerows([[row[number] if number < len(row) else "" for number in kept] for row in rows[1:]])
    return written.getvalue()


def pack(raw: bytes) -> str | None:
    """Return a file as a text for a field of the next form, or None if it is too long for one."""
    packed = b64encode(zlib.compress(raw, 9)).decode()
    return packed if len(packed) <= MAX_CARRIED else None


def unpack(text: str) -> bytes:
    """Return the file of such a text, or nothing if it is not one."""
    try:
        return zlib.decompressobj().decompress(b64decode(text), MAX_BYTES + 1)
    except (ValueError, zlib.error):
        return b""


def _detect(text: str) -> str:
    return max(DELIMITERS, key=text.lstrip("\r\n").partition("\n")[0].count)


async def _read_file(visit: Visit, texts: Mapping[str, str]) -> tuple[bytes, str]:
    for file in await visit.read_files("file"):
        return file.read(MAX_BYTES + 1), file.filename or ""
    return unpack(texts.get("content", "")), texts.get("name", "")


async def _send(visit: Visit, raw: bytes, options: Mapping[str, bool], *, is_csv: bool) -> Any:
    store_id = visit.store.id
    if is_csv:
        query = {name: "true" if value else "false" for name, value in options.items()}
        answer = await visit.api.send("POST", IMPORT_PATH, body=raw, content_type=CSV_TYPE, query=query, id=store_id)
    else:
        answer = await visit.api.send(
            "POST", IMPORT_PATH, body=_with_options(raw, options), content_type=JSON, id=store_id
        )
    return orjson.loads(answer.body if isinstance(answer.body, bytes) else b"")


def _with_options(raw: bytes, options: Mapping[str, bool]) -> bytes:
    """Return a menu in JSON with the options of the import; what is not JSON is left for the API to refuse."""
    text = raw.removeprefix(b"\xef\xbb\xbf").strip()
    said = orjson.dumps(options)
    if text.startswith(b"["):
        return said[:-1] + b',"menu":' + text + b"}"
    inner = text[1:].lstrip()
    # The last of two keys counts, so that the file cannot choose for the person.
    return text[:-1].rstrip() + (b"," if inner != b"}" else b"") + said[1:] if text.endswith(b"}") else text


async def _list_columns(visit: Visit) -> list[str]:
    """List the columns that the import takes: those of the export, also of the store's capabilities."""
    answer = await visit.api.send(
        "GET", "/restaurants/{id}/menu/export", query={"format": "csv"}, id=visit.store.id
    )  # fmt: skip
    head = (answer.body if isinstance(answer.body, bytes) else b"").decode("utf-8-sig").partition("\r\n")[0]
    return head.split(",")


async def _render(visit: Visit, columns: Sequence[str], *, status: int | None = None, **context: Any) -> Response:
    return await visit.render("dashboard/menu_import.html", status=status, columns=columns, **context)
