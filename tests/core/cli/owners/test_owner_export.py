"""`comanda owner export`."""

import json
import stat
import zipfile

import pytest
from comanda.accounts.services import find_owner
from comanda.cli.owners.owner_export import export_owner
from comanda.operations.backups.errors import BackupError


async def test_export_has_stores_menus_and_orders_of_the_owner_alone(store, owner, other_owner, tmp_path):
    await other_owner.store()
    soup = await store.item("Minestrone")
    order = await store.order({"item_id": soup["id"]}, customer_name="Ada")
    file = tmp_path / "owner.zip"

    assert await export_owner(await find_owner(owner.email), file) == 1

    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    with zipfile.ZipFile(file) as archive:
        contents = {name: archive.read(name) for name in archive.namelist()}
    folder = f"stores/{store.id}-"
    assert [name.rpartition("/")[2] for name in contents] == ["owner.json", "store.json", "menu.json", "orders.jsonl"]
    assert all(name.startswith(folder) for name in contents if "/" in name)
    found = {name.rpartition("/")[2]: content for name, content in contents.items()}
    assert json.loads(found["owner.json"])["email"] == owner.email
    assert json.loads(found["store.json"])["settings"]["currency"] == "EUR"
    assert "Minestrone" in found["menu.json"].decode()
    [line] = found["orders.jsonl"].splitlines()
    assert (json.loads(line)["id"], json.loads(line)["customer_name"]) == (order["id"], "Ada")

    with pytest.raises(BackupError, match="already exists"):
        await export_owner(await find_owner(owner.email), file)
