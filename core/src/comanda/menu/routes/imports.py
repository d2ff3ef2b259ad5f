"""Routes for import and export of whole menus."""

from comanda.contracts.callers import Caller
from comanda.contracts.calls import JSON, Answer, Call, Unvalidated
from comanda.contracts.routes import Routes
from comanda.menu.imports import services
from comanda.menu.imports.schemas import (
    MAX_BYTES,
    ImportReport,
    MenuExportQuery,
    MenuFile,
    MenuImportBody,
    MenuImportQuery,
)

routes = Routes("Menu")

CSV_TYPE = "text/csv"


@routes.post(
    "/restaurants/{id}/menu/import",
    scope="menu:write",
    status=200,
    answers=ImportReport,
    uploads=(CSV_TYPE,),
    max_body_bytes=MAX_BYTES,
)
async def import_menu(
    caller: Caller, id: int, call: Call, query: MenuImportQuery, body: Unvalidated[MenuImportBody]
) -> ImportReport:
    """Import a whole menu, as JSON in the format of the menu, or as CSV with ``text/csv``.

    Existing categories, items and variations are updated, new ones are created, and none is deleted unless
    ``remove_missing`` is set. With ``dry_run`` the changes are only reported. Either all changes are made or none;
    errors are listed for every field, in CSV as ``line.<number>.<column>``.
    """
    if call.headers.get("content-type", JSON).partition(";")[0].strip().lower() == CSV_TYPE:
        options = {"dry_run": query.dry_run, "remove_missing": query.remove_missing}
        document = await services.read_csv(caller, id, body.raw, **options)
    else:
        await services.check_store(caller, id)
        document = await services.read_json(body.raw)
    return await services.import_menu(caller, id, document)


@routes.get("/restaurants/{id}/menu/export", scope="menu:read", answers=MenuFile, content_types=(JSON, CSV_TYPE))
async def export_menu(caller: Caller, id: int, query: MenuExportQuery) -> Answer:
    """Export the whole menu as JSON or CSV, ready to be imported. CSV leaves out groups of extras."""
    content = await services.export_menu(caller, id, query.format)
    kind = "text/csv; charset=utf-8" if query.format == "csv" else JSON
    return Answer(content, content_type=kind)
