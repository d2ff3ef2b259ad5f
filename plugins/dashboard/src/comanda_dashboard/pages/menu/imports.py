"""Import of a menu from a file: its columns are matched, its changes shown with errors by line, then it is applied.

Columns of a system whose files are recognized are matched only on request.
Each step carries the file, the chosen columns and the options to the next one; a large file is chosen again. What would
take long is compared and imported in the background, from the file that is sent for the preview.
"""

import asyncio
import hashlib
import zlib
from base64 import b64decode, b64encode
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from difflib import get_close_matches
from itertools import islice
from typing import Any, Final

import orjson
from comanda.basics import ComandaError, Conflict, ValidationFailed, decode_text, read_table
from comanda.menu import find_preset
from comanda.web import gettext as _
from comanda.web.dashboard import REFUSALS, Visit, get_sentence
from quart import Response

from comanda_dashboard.pages import dashboard

IMPORT_PATH: Final = "/restaurants/{id}/menu/import"
EXPORT_PATH: Final = "/restaurants/{id}/menu/export"
IMPORTS_PATH: Final = "/restaurants/{id}/menu/imports"
ONE_PATH: Final = f"{IMPORTS_PATH}/{{importId}}"
CSV_TYPE: Final = "text/csv"
# What the API takes, and what fits into the field that carries the file from the preview to its application.
MAX_BYTES: Final = 20 * 1024 * 1024
MAX_BYTES_AT_ONCE: Final = 250_000
MAX_CARRIED: Final = 400_000
SAMPLE_ROWS: Final = 3
MAX_SAMPLE: Final = 60
MAX_HEADING: Final = 60
# A column that the import takes of other systems' files, and that no file of ours has.
ARCHIVED: Final = "archived"
# What other systems call our columns.
OTHER_NAMES: Final = {
    "title": "name", "item": "name", "item_name": "name", "product": "name", "product_name": "name", "dish": "name",
    "menu_item": "name", "section": "category", "group": "category", "category_name": "category", "type": "category",
    "collection": "category", "categories": "category", "menu_group": "category",
    "amount": "price", "unit_price": "price", "variation": "variant", "size": "variant",
    "option": "variant", "variation_name": "variant", "details": "description", "body": "description",
    "tax": "tax_rate", "vat": "tax_rate", "image": "image_url", "photo": "image_url", "picture": "image_url",
    "quantity": "stock", "inventory": "stock", "ean": "barcode", "gtin": "barcode", "upc": "barcode",
    "article_number": "sku", "visible": "is_active", "enabled": "is_active", "vendor": "brand",
}  # fmt: skip
# Columns that guests never see: what the store pays, taxes, and texts for search engines.
INTERNAL_WORDS: Final = frozenset(
    {"cost", "costs", "wholesale", "purchase", "supplier", "vendor", "tax", "taxes", "vat", "seo", "meta", "social"}
)
SHOWN_COLUMNS: Final = frozenset({"price", "compare_at_price", "name", "category", "description"})

# Workbooks take a fraction of a second: one at a time, in a thread that leaves the event loop free.
_matcher = ThreadPoolExecutor(max_workers=1, thread_name_prefix="import-columns")


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
        problem = _("Choose a file.") if not raw else _("A file may have at most 20 MB.")
        return await _render(visit, columns, status=422, problem=problem)
    # A step belongs to the file that it was shown for: another one begins anew.
    digest = hashlib.sha256(raw).hexdigest()
    is_same = texts.get("digest") == digest
    carried: dict[str, Any] = {"name": name, "digest": digest, "remove_missing": "remove_missing" in texts}
    chosen: list[str] | None = None
    is_table = not is_json(raw)
    try:
        if is_table:
            mapping = await asyncio.get_running_loop().run_in_executor(_matcher, match_columns, raw, columns)
            if is_same and "column.0" in texts:
                chosen = [texts.get(f"column.{number}", "") for number in range(len(mapping))]
            elif "match" in texts or not _is_known(mapping):
                return await _render(visit, columns, mapping=mapping, content=await pack(raw), **carried)
        options = {"remove_missing": carried["remove_missing"], "dry_run": not (is_same and "apply" in texts)}
        if len(raw) > MAX_BYTES_AT_ONCE:
            started = await _send(visit, IMPORTS_PATH, raw, options, chosen, is_table=is_table)
            return visit.redirect(f"/stores/{store_id}/menu/import/{started['id']}")
        report = await _send(visit, IMPORT_PATH, raw, options, chosen, is_table=is_table)
    except ComandaError as error:
        if error.status not in {400, *REFUSALS}:
            raise
        return await _render(visit, columns, status=422, errors=list_errors(error), **carried)
    if not options["dry_run"]:
        return _show_menu(visit, report)
    content = await pack(raw)
    return await _render(visit, columns, report=report, chosen=chosen, content=content, is_table=is_table, **carried)


@dashboard.get("/stores/<int:store_id>/menu/import/<int:import_id>", scope="menu:write")
async def show_background_import(visit: Visit, store_id: int, import_id: int) -> Response:
    """Show how far an import in the background is, then what it would change, or the menu."""
    found = await visit.api.get(ONE_PATH, id=store_id, importId=import_id)
    if found["status"] == "cancelled":
        return visit.redirect(f"/stores/{store_id}/menu/import", notice=_("The import is cancelled."))
    columns = await _list_columns(visit)
    if found["status"] == "failed":
        problem = ValidationFailed(found["errors"]) if found["errors"] else ComandaError(found["message"])
        return await _render(visit, columns, errors=list_errors(problem))
    if found["status"] == "done" and not found["dry_run"]:
        return _show_menu(visit, found["report"])
    return await _render(visit, columns, background=found, report=found["report"])


@dashboard.post("/stores/<int:store_id>/menu/import/<int:import_id>/apply", scope="menu:write")
async def apply_background_import(visit: Visit, store_id: int, import_id: int) -> Response:
    """Make the changes that were shown."""
    await visit.api.post(f"{ONE_PATH}/apply", id=store_id, importId=import_id)
    return visit.redirect(f"/stores/{store_id}/menu/import/{import_id}")


@dashboard.post("/stores/<int:store_id>/menu/import/<int:import_id>/cancel", scope="menu:write")
async def cancel_background_import(visit: Visit, store_id: int, import_id: int) -> Response:
    """Cancel an import. One that is finished meanwhile is shown."""
    with suppress(Conflict):
        await visit.api.post(f"{ONE_PATH}/cancel", id=store_id, importId=import_id)
    return visit.redirect(f"/stores/{store_id}/menu/import/{import_id}")


def _show_menu(visit: Visit, report: Mapping[str, Any]) -> Response:
    """Show the menu after an import, with what it has changed."""
    items = report["items"]
    notice = _(
        "Menu imported: %(created)s items created, %(updated)s updated, %(removed)s deleted.",
        created=items["created"], updated=items["updated"], removed=items["removed"],
    )  # fmt: skip
    return visit.redirect(f"/stores/{visit.store.id}/menu", notice=notice)


def _is_known(mapping: Sequence[CsvColumn]) -> bool:
    """Return whether the headings are ours or those of another system."""
    is_ours = all(column.match == normalize(column.heading) for column in mapping)
    return is_ours or find_preset([column.heading for column in mapping]) is not None


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
    """Return whether a file is JSON, in UTF-8 or UTF-16."""
    return raw[:1000].lstrip(b"\xef\xbb\xbf\xfe\xff\0 \t\r\n")[:1] in {b"[", b"{"}


def normalize(heading: str) -> str:
    """Return a heading as the API reads it."""
    return "_".join(heading.strip().lower().split())


def match_columns(raw: bytes, columns: Sequence[str]) -> list[CsvColumn]:
    """Return the columns of a table, each with the column of ours that it is, or none.

    Our own names come first, then the names that other systems use, then what is similar. Raises ``BadRequest`` and
    ``ValidationFailed``.
    """
    table = read_table(raw)
    headings = table.headings.cells if table.headings else []
    samples = [row.cells for row in islice(table.rows, SAMPLE_ROWS)]
    names = [normalize(heading) if len(heading) <= MAX_HEADING else "" for heading in headings]
    matches = [name if name in columns and name not in names[:number] else "" for number, name in enumerate(names)]
    for find in (lambda name: [OTHER_NAMES.get(name, "")], lambda name: get_close_matches(name, columns, 3, 0.75)):
        for number, name in enumerate(names):
            if name and not matches[number]:
                found = (each for each in find(name) if each in columns and each not in matches)
                matches[number] = next((each for each in found if not _is_internal(name, each)), "")
    return [
        CsvColumn(heading[:MAX_HEADING], _list_samples(samples, number), matches[number])
        for number, heading in enumerate(headings)
    ]


def _is_internal(heading: str, column: str) -> bool:
    """Return whether a column for guests would take what is not meant for them, such as a cost as the price."""
    return column in SHOWN_COLUMNS and not INTERNAL_WORDS.isdisjoint(heading.replace("-", "_").split("_"))


def _list_samples(rows: Iterable[Sequence[str]], number: int) -> list[str]:
    cells = (row[number][:1000].strip() for row in rows if number < len(row))
    return [cell[:MAX_SAMPLE] for cell in cells if cell]


async def pack(raw: bytes) -> str | None:
    """Return a file as a text for a field of the next form, or None if it is too long for one."""
    packed = b64encode(await asyncio.get_running_loop().run_in_executor(_matcher, zlib.compress, raw)).decode()
    return packed if len(packed) <= MAX_CARRIED else None


def unpack(text: str) -> bytes:
    """Return the file of such a text, or nothing if it is not one."""
    try:
        return zlib.decompressobj().decompress(b64decode(text[: MAX_CARRIED + 4]), MAX_BYTES + 1)
    except (ValueError, zlib.error):
        return b""


async def _read_file(visit: Visit, texts: Mapping[str, str]) -> tuple[bytes, str]:
    for file in await visit.read_files("file"):
        return file.read(MAX_BYTES + 1), file.filename or ""
    return unpack(texts.get("content", "")), texts.get("name", "")


async def _send(
    visit: Visit, path: str, raw: bytes, options: Mapping[str, bool], columns: Sequence[str] | None, *, is_table: bool
) -> Any:
    store_id = visit.store.id
    if is_table:
        query = {name: "true" if value else "false" for name, value in options.items()}
        if columns is not None:
            query["columns"] = ",".join(columns)
        return await visit.api.request("POST", path, body=raw, content_type=CSV_TYPE, query=query, id=store_id)
    return await visit.api.post(path, _with_options(raw, options), id=store_id)


def _with_options(raw: bytes, options: Mapping[str, bool]) -> bytes:
    """Return a menu in JSON with the options of the import; what is not JSON is left for the API to refuse."""
    text = decode_text(raw).strip().encode()
    said = orjson.dumps(options)
    if text.startswith(b"["):
        return said[:-1] + b',"menu":' + text + b"}"
    inner = text[1:].lstrip()
    # The last of two keys counts, so that the file cannot choose for the person.
    return text[:-1].rstrip() + (b"," if inner != b"}" else b"") + said[1:] if text.endswith(b"}") else text


async def _list_columns(visit: Visit) -> list[str]:
    """List the columns that the import takes, also those of the store's capabilities."""
    query = {"format": "csv", "template": "true"}
    answer = await visit.api.send("GET", EXPORT_PATH, query=query, id=visit.store.id)
    head = (answer.body if isinstance(answer.body, bytes) else b"").decode("utf-8-sig").partition("\r\n")[0]
    return [*head.split(","), ARCHIVED]


async def _render(visit: Visit, columns: Sequence[str], *, status: int | None = None, **context: Any) -> Response:
    return await visit.render("dashboard/menu_import.html", status=status, columns=columns, **context)
