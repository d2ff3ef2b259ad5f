"""Routes for imports in the background."""

from comanda.contracts.requests.callers import Caller
from comanda.contracts.requests.calls import Call, Unvalidated
from comanda.contracts.requests.routes import FileUpload, Routes
from comanda.menu.imports import background
from comanda.menu.imports.schemas import MAX_BYTES, MenuImport, MenuImportBody, MenuImportQuery
from comanda.menu.routes.imports import CSV_TYPE, WORKBOOK_TYPE, read_file

routes = Routes("Menu")


@routes.post(
    "/restaurants/{id}/menu/imports",
    scope="menu:write",
    status=202,
    upload=FileUpload((CSV_TYPE, WORKBOOK_TYPE), max_bytes=MAX_BYTES),
)
async def start_import(
    caller: Caller, id: int, call: Call, query: MenuImportQuery, body: Unvalidated[MenuImportBody]
) -> MenuImport:
    """Import a whole menu in the background, for files that take long. The body is that of an import.

    A store has one at a time; the next one replaces it once it is finished.
    """
    return await background.start_import(caller, id, read_file(call, query, body.raw))


@routes.get("/restaurants/{id}/menu/imports/{importId}", scope="menu:read")
async def get_import(caller: Caller, id: int, import_id: int) -> MenuImport:
    """Return how far an import in the background is, and its report once it is done."""
    return await background.get_import(caller, id, import_id)


@routes.post("/restaurants/{id}/menu/imports/{importId}/apply", scope="menu:write", status=202)
async def apply_import(caller: Caller, id: int, import_id: int) -> MenuImport:
    """Apply the changes of a finished dry run, from the same file. It is compared with the menu again."""
    return await background.apply_preview(caller, id, import_id)


@routes.post("/restaurants/{id}/menu/imports/{importId}/cancel", scope="menu:write", status=200)
async def cancel_import(caller: Caller, id: int, import_id: int) -> MenuImport:
    """Cancel an import that is not finished, or discard a dry run. Nothing of it remains."""
    return await background.cancel_import(caller, id, import_id)
