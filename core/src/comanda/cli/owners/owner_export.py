"""The export of an owner's data as one file: stores, menus and orders."""

from dataclasses import asdict
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile

from comanda.accounts.models import Owner
from comanda.basics.encoding import to_json
from comanda.cli.owners.store import ALL_STORES
from comanda.cli.session import to_owner_caller
from comanda.menu.imports.services import export_menu
from comanda.operations.backups.archive import write_archive
from comanda.orders.lists.exports import ExportFormat, export_orders
from comanda.orders.lists.search import OrderFilter, OrderScope
from comanda.stores import services
from comanda.stores.records import StoreSummary


async def export_owner(owner: Owner, target: Path) -> int:
    """Write the data of an owner to a new ZIP file of JSON, and return the number of stores.

    Only the user of this process can read the file. Raises ``BackupError`` if it exists or cannot be written.
    """
    page = await services.list_stores(to_owner_caller(owner.id), ALL_STORES)
    with write_archive(target) as archive:
        archive.compression = ZIP_DEFLATED
        profile = {"id": owner.id, "email": owner.email, "name": owner.name, "created_at": owner.created_at}
        archive.writestr("owner.json", to_json(profile))
        for store in page.data:
            await _add_store(archive, owner.id, store)
    return page.total


async def _add_store(archive: ZipFile, owner_id: int, store: StoreSummary) -> None:
    caller, folder = to_owner_caller(owner_id), f"stores/{store.id}-{store.slug}"
    settings = await services.get_settings(caller, store.id)
    archive.writestr(f"{folder}/store.json", to_json({**asdict(store), "settings": asdict(settings)}))
    archive.writestr(f"{folder}/menu.json", await export_menu(caller, store.id, "json"))
    with archive.open(f"{folder}/orders.jsonl", "w", force_zip64=True) as member:
        async for part in await export_orders(OrderScope(owner_id, store.id), OrderFilter(), ExportFormat.JSONL):
            member.write(part)
