"""`comanda backup` and `comanda restore`, with real servers: what was there is there again, and nothing by halves."""

import asyncio
import json
import shutil
import subprocess
import zipfile

import asyncpg
import pytest
from comanda.devkit.testing.data_folders import create_data_folder
from comanda.devkit.testing.live import send_request
from comanda.devkit.testing.processes import Installation
from comanda.devkit.testing.wheels import count_rows
from comanda.operations.backups import restoration
from comanda.operations.backups.errors import BackupError
from comanda.operations.embedded import binaries
from comanda.operations.embedded.server import EmbeddedPostgres

TABLES = "SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' ORDER BY relname"


def ok(finished):
    assert finished.returncode == 0, finished.stderr
    return finished.stdout


def query(url, statement):
    async def ask():
        connection = await asyncpg.connect(url)
        try:
            return [tuple(row) for row in await connection.fetch(statement)]
        finally:
            await connection.close()

    return asyncio.run(ask())


def counts(url):
    """Return how many rows each table has."""
    return count_rows(url, [table for (table,) in query(url, TABLES)])


@pytest.fixture(scope="module")
def made(installation, tmp_path_factory):
    """A backup that was written while a server took orders: its file, its orders, and the demo's secrets."""
    demo = json.loads(ok(installation.run("demo", "--json")))
    (installation.data / "photos").mkdir()
    (installation.data / "photos" / "first.webp").write_bytes(b"photo")
    file = tmp_path_factory.mktemp("backups") / "comanda.zip"
    token, store = demo["tokens"]["owner"], demo["stores"][0]["id"]
    with installation.running("serve") as server:
        _, menu = send_request("GET", f"{server.url}/api/v1/menu/{store}", token)
        item = next(item for category in menu for item in category["items"] if item["name"] == "Espresso")
        body = {"type": "takeaway", "items": [{"item_id": item["id"], "quantity": 3}]}
        path = f"/api/v1/restaurants/{store}/orders"
        status, order = send_request("POST", server.url + path, token, body)
        assert status == 201, order
        saved = json.loads(ok(installation.run("backup", str(file), "--json")))
        assert (saved["file"], saved["bytes"]) == (str(file), file.stat().st_size)
        assert send_request("POST", server.url + path, token, body)[0] == 201
    with EmbeddedPostgres(installation.data) as running:
        found = counts(running.url)
    # One order was placed after the backup.
    orders = found["core_order"] - 1
    return {"file": file, "order": order, "path": path, "token": token, "tables": set(found), "orders": orders}


@pytest.fixture
def fresh():
    """An installation that nothing was done in yet."""
    data = create_data_folder()
    yield Installation(data / "data", {})
    shutil.rmtree(data)


def test_a_destroyed_installation_comes_back_with_its_orders_and_tokens(made, fresh):
    told = ok(fresh.run("restore", str(made["file"])))

    assert told.startswith(f"Restored {made['file']} of ")
    assert "migrations" not in told
    assert (fresh.data / "photos" / "first.webp").read_bytes() == b"photo"
    assert (fresh.data / "demo.json").stat().st_mode & 0o777 == 0o600
    with fresh.running("serve") as server:
        status, order = send_request("GET", f"{server.url}{made['path']}/{made['order']['id']}", made["token"])
        assert (status, order["total"], order["items"][0]["quantity"]) == (200, made["order"]["total"], 3)
        status, listed = send_request("GET", server.url + made["path"], made["token"])
        assert listed["data"][0]["id"] == made["order"]["id"]
        status, later = send_request(
            "POST", server.url + made["path"], made["token"],
            {"type": "takeaway", "items": [{"item_id": order["items"][0]["item_id"]}]},
        )  # fmt: skip
        # Numbers go on where they were.
        assert (status, later["id"] > order["id"]) == (201, True)
    with EmbeddedPostgres(fresh.data) as running:
        again = counts(running.url)
    assert set(again) == made["tables"]
    assert again["core_order"] == made["orders"] + 1


def test_non_empty_database_requires_replace(made, installation):
    before = query_of(installation)

    refused = installation.run("restore", str(made["file"]))

    assert refused.returncode == 1
    assert refused.stderr == "Error: The database is not empty. Add --replace to delete what is in it.\n"
    assert query_of(installation) == before == made["orders"] + 1
    ok(installation.run("restore", str(made["file"]), "--replace"))
    assert query_of(installation) == made["orders"]
    # What was restored can be backed up and restored again.
    second = made["file"].with_name("second.zip")
    ok(installation.run("backup", str(second)))
    ok(installation.run("restore", str(second), "--replace"))
    assert query_of(installation) == made["orders"]
    ok(installation.run("migrate", "--check"))


def query_of(installation):
    with EmbeddedPostgres(installation.data) as running:
        [(orders,)] = query(running.url, "SELECT count(*) FROM core_order")
    return orders


def test_nothing_is_restored_while_a_server_runs(made, installation):
    with installation.running("serve"):
        refused = installation.run("restore", str(made["file"]), "--replace")

    assert refused.returncode == 1
    assert refused.stderr.startswith("Error: Comanda still uses this database (")


def test_a_restore_that_fails_on_the_way_changes_nothing(made, installation, tmp_path):
    before = query_of(installation)
    broken = tmp_path / "broken.zip"
    with zipfile.ZipFile(made["file"]) as whole, zipfile.ZipFile(broken, "w") as archive:
        for name in whole.namelist():
            content = whole.read(name)
            # Enough for the table of contents, too little for the tables.
            archive.writestr(name, content[: len(content) * 3 // 4] if name == "database.dump" else content)
    (installation.data / "photos" / "first.webp").write_bytes(b"another")

    refused = installation.run("restore", str(broken), "--replace")

    assert refused.returncode == 1
    assert "the database is unchanged" in refused.stderr
    assert query_of(installation) == before
    assert (installation.data / "photos" / "first.webp").read_bytes() == b"another"
    assert [path.name for path in (installation.data / "photos").iterdir()] == ["first.webp"]


def test_a_backup_of_a_server_of_ones_own_goes_into_an_empty_database(
    made, new_database, new_migrated_database, tmp_path
):
    source = new_migrated_database("comanda_source")
    target = new_database("comanda_target")
    (tmp_path / "data").mkdir()
    there = Installation(tmp_path / "data", {"DATABASE_URL": source})
    ok(there.run("owner", "create", "ana@example.com"))
    token = json.loads(
        ok(there.run("token", "create", "--owner", "ana@example.com", "--scope", "*", "--json"))
    )["token"]  # fmt: skip
    ok(there.run("backup", str(tmp_path / "own.zip")))

    here = Installation(tmp_path / "elsewhere", {"DATABASE_URL": target})
    ok(here.run("restore", str(tmp_path / "own.zip")))

    assert counts(target) == counts(source)
    with here.running("serve") as server:
        assert send_request("GET", f"{server.url}/api/v1/me", token)[1]["name"] == "ana"


@pytest.fixture(params=[15, 16, 17])
def older_server(request, monkeypatch):
    """The URL of an empty database in an older PostgreSQL than the embedded one; the wheel brings 16."""
    folders = [
        folder
        for folder in binaries.candidates()
        if f"(PostgreSQL) {request.param}." in subprocess.check_output([folder / "postgres", "--version"], text=True)
    ]
    if not folders:
        pytest.skip(f"PostgreSQL {request.param} is not installed")
    monkeypatch.setattr(binaries, "candidates", lambda: iter(folders))
    data = create_data_folder()
    with EmbeddedPostgres(data / "server") as server:
        yield server.url
    shutil.rmtree(data)


def test_a_backup_of_the_embedded_database_goes_into_an_older_server(made, older_server, tmp_path):
    here = Installation(tmp_path / "data", {"DATABASE_URL": older_server})

    told = json.loads(ok(here.run("restore", str(made["file"]), "--json")))

    assert (told["pending_migrations"], told["postgres_major"]) == (0, 18)
    assert json.loads(ok(here.run("migrate", "--check", "--json"))) == []
    assert set(counts(older_server)) == made["tables"]
    assert query(older_server, "SELECT max(id) FROM core_order") == [(made["order"]["id"],)]
    # Back again: a backup of the older server goes into the same and newer ones.
    ok(here.run("backup", str(tmp_path / "older.zip")))
    ok(here.run("restore", str(tmp_path / "older.zip"), "--replace"))
    assert query(older_server, "SELECT max(id) FROM core_order") == [(made["order"]["id"],)]


def test_an_empty_database_is_not_backed_up(new_database, tmp_path):
    installation = Installation(tmp_path, {"DATABASE_URL": new_database("comanda_empty")})

    refused = installation.run("backup", str(tmp_path / "none.zip"))

    assert refused.returncode == 1
    assert refused.stderr == "Error: The database has no tables of Comanda; there is nothing to back up.\n"
    assert not (tmp_path / "none.zip").exists()


def test_a_file_that_is_no_backup_is_refused(installation, tmp_path):
    (tmp_path / "notes.txt").write_text("notes")

    for name, line in (
        ("notes.txt", "is not a backup of Comanda, or is incomplete."),
        ("none", "No such file or directory."),
    ):
        refused = installation.run("restore", str(tmp_path / name))
        assert refused.returncode == 1
        assert refused.stderr.endswith(f"{line}\n")
        assert refused.stderr.count("\n") == 1


def test_a_killed_psql_leaves_the_database_as_it_was(made, new_database, tmp_path, monkeypatch):
    url = new_database("comanda_killed")
    query(url, "CREATE TABLE mine AS SELECT 1 AS id")
    started = []
    genuine = subprocess.Popen

    class Killed(genuine):
        def __init__(self, command, **options):
            super().__init__(command, **options)
            started.append(self)
            if str(command[0]).endswith("psql"):
                self.stdin.write(b"CREATE TABLE half (id int);\n")
                self.stdin.flush()
                self.kill()

    monkeypatch.setattr(subprocess, "Popen", Killed)
    with pytest.raises(BackupError, match="is unchanged"):
        asyncio.run(restoration.restore_backup(made["file"], url, tmp_path / "data", [], lambda _: None, replace=True))

    assert counts(url) == {"mine": 1}
    assert not (tmp_path / "data" / "photos" / "first.webp").exists()
