"""Routes for import and export of whole menus."""

from werkzeug.http import parse_options_header

from comanda.contracts.requests.callers import Caller
from comanda.contracts.requests.calls import JSON, Answer, Call, Unvalidated
from comanda.contracts.requests.routes import FileUpload, Routes
from comanda.menu.imports import services
from comanda.menu.imports.schemas import (
    MAX_BYTES,
    ImportReport,
    MenuExportQuery,
    MenuFile,
    MenuImportBody,
    MenuImportQuery,
)
from comanda.menu.imports.steps import ImportFile

routes = Routes("Menu")

CSV_TYPE = "text/csv"
WORKBOOK_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


@routes.post(
    "/restaurants/{id}/menu/import",
    scope="menu:write",
    status=200,
    upload=FileUpload((CSV_TYPE, WORKBOOK_TYPE), max_bytes=MAX_BYTES),
)
async def import_menu(
    caller: Caller, id: int, call: Call, query: MenuImportQuery, body: Unvalidated[MenuImportBody]
) -> ImportReport:
    """Import a whole menu: JSON in the format of the menu, CSV with ``text/csv``, or the first sheet of a workbook.

    Existing categories, items and variations are updated, new ones are created, and none is deleted unless
    ``remove_missing`` is set. With ``dry_run`` the changes are only reported. Either all changes are made or none;
    errors are listed for every field, in CSV as ``line.<number>.<column>``.
    """
    return await services.import_menu(caller, id, read_file(call, query, body.raw))


def read_file(call: Call, query: MenuImportQuery, raw: bytes) -> ImportFile:
    """Return the file of a request; the options of tables are in its query."""
    kind, _, parameters = call.headers.get("content-type", JSON).partition(";")
    charset = parse_options_header(f"{kind};{parameters}")[1].get("charset")
    if kind.strip().lower() not in {CSV_TYPE, WORKBOOK_TYPE}:
        return ImportFile(raw, is_table=False, charset=charset)
    columns = None if query.columns is None else query.columns.split(",")
    return ImportFile(
        raw, is_table=True, charset=charset, columns=columns, dry_run=query.dry_run, remove_missing=query.remove_missing
    )


@routes.get("/restaurants/{id}/menu/export", scope="menu:read", answers=MenuFile, content_types=(JSON, CSV_TYPE))
async def export_menu(caller: Caller, id: int, query: MenuExportQuery) -> Answer:
    """Export the whole menu as JSON or CSV, ready to be imported. CSV leaves out groups of extras."""
    content = await services.export_menu(caller, id, query.format, is_template=query.template)
    kind = "text/csv; charset=utf-8" if query.format == "csv" else JSON
    return Answer(content, content_type=kind)
