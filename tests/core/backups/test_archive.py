"""The file of a backup is whole or not there, and its parts go nowhere else than they belong."""

import errno
import json
import os
import stat
import zipfile

import pytest
from comanda.backups import data_files
from comanda.backups.archive import DUMP, FORMAT, MANIFEST, Manifest, read_archive, write_archive
from comanda.backups.client_programs import build_environment, find_programs
from comanda.backups.errors import BackupError
from comanda.backups.restoration import check_versions
from comanda.contracts.model_sets import ModelSet
from comanda_migrations.history import steps

MADE = Manifest(FORMAT, "0.1.0", "2026-11-22T10:00:00+00:00", 18, "public", {"core": ["0_1_init"]})


@pytest.fixture
def written(tmp_path):
    """Write an archive with a manifest and further members, and return its path."""

    def write(manifest=None, **members):
        target = tmp_path / "made.zip"
        with zipfile.ZipFile(target, "w") as archive:
            archive.writestr(MANIFEST, manifest or MADE.to_json())
            archive.writestr(DUMP, b"dump")
            for name, content in members.items():
                archive.writestr(name, content)
        return target

    return write


def test_an_archive_appears_when_it_is_whole_and_only_its_owner_reads_it(tmp_path):
    target = tmp_path / "made.zip"
    with write_archive(target) as archive:
        archive.writestr(MANIFEST, MADE.to_json())
        archive.writestr(DUMP, b"dump")
        assert not target.exists()

    assert stat.S_IMODE(target.stat().st_mode) == 0o600
    with read_archive(target) as (archive, manifest):
        assert manifest == MADE
        assert archive.read(DUMP) == b"dump"
    assert list(tmp_path.iterdir()) == [target]


def test_a_failure_leaves_no_archive(tmp_path):
    def interrupted():
        with write_archive(tmp_path / "made.zip") as archive:
            archive.writestr(MANIFEST, MADE.to_json())
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()

    assert list(tmp_path.iterdir()) == []


def test_a_full_disk_is_one_sentence_and_leaves_nothing(tmp_path):
    def full():
        with write_archive(tmp_path / "made.zip"):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with pytest.raises(BackupError, match=r"made\.zip cannot be written or read: No space left on device\."):
        full()

    assert list(tmp_path.iterdir()) == []


def test_a_file_that_is_there_is_left_alone(tmp_path):
    (tmp_path / "made.zip").write_text("mine")

    with pytest.raises(BackupError, match="is there already"), write_archive(tmp_path / "made.zip"):
        pass

    assert (tmp_path / "made.zip").read_text() == "mine"


@pytest.mark.parametrize(
    ("content", "line"),
    [
        (b"", "is no backup of Comanda, or is incomplete"),
        (b"PGDMP", "is no backup of Comanda, or is incomplete"),
        ("half", "is no backup of Comanda, or is incomplete"),
        ("flipped", "is damaged: database.dump does not match its checksum"),
        ("other", "is no backup of Comanda"),
        ("newer", "was written by a newer Comanda"),
    ],
)
def test_what_is_no_whole_backup_is_refused(written, content, line):
    file = written()
    whole = file.read_bytes()
    match content:
        case "half":
            file.write_bytes(whole[: len(whole) // 2])
        case "flipped":
            file.write_bytes(whole.replace(b"dump", b"dusk").replace(b"database.dusk", b"database.dump"))
        case "other":
            written(manifest="[]")
        case "newer":
            written(manifest=json.dumps({"format": FORMAT + 1, "comanda": "9.0"}))
        case bytes():
            file.write_bytes(content)

    with pytest.raises(BackupError, match=line), read_archive(file):
        pass


@pytest.mark.parametrize(
    "name", ["data/../outside", "data//etc/passwd", "data/postgres/PG_VERSION", "data/photos/../x"]
)
def test_a_member_that_belongs_elsewhere_is_refused(written, tmp_path, name):
    with zipfile.ZipFile(written(**{name: b"x"})) as archive, pytest.raises(BackupError, match="no data folder"):
        data_files.stage_files(archive, tmp_path / "into")

    assert not (tmp_path / "into" / "outside").exists()


def test_files_of_the_data_folder_come_back_for_their_owner_alone(written, tmp_path):
    data = tmp_path / "data"
    (data / "photos" / "a").mkdir(parents=True)
    (data / "photos" / "a" / "1.webp").write_bytes(b"photo")
    (data / "secret.keys").write_text("key")
    (data / "server.json").write_text("{}")
    (data / "photos" / "link").symlink_to("/etc/passwd")
    listed = data_files.list_files(data)
    assert [str(path) for path in listed] == ["secret.keys", "photos/a/1.webp"]

    into = tmp_path / "into"
    with zipfile.ZipFile(written(**{f"data/{path}": (data / path).read_bytes() for path in listed})) as archive:
        data_files.move_into_place(data_files.stage_files(archive, into))
        assert data_files.find_conflicts(archive, into) == []
        (into / "secret.keys").write_text("other")
        assert data_files.find_conflicts(archive, into) == ["secret.keys"]

    assert (into / "photos" / "a" / "1.webp").read_bytes() == b"photo"
    assert stat.S_IMODE((into / "secret.keys").stat().st_mode) == 0o600
    assert not list(into.glob(".*"))


def test_a_backup_that_is_newer_than_what_is_installed_is_refused():
    core = ModelSet("core", (), "comanda_migrations.core")
    known = [step.version for step in steps(core)]

    check_versions(Manifest(FORMAT, "0.1.0", "", 18, "public", {"core": known, "rose": ["7_9_gone"]}), [core])
    with pytest.raises(BackupError, match="newer than the installed core: it has 99_20990101000000_later"):
        check_versions(
            Manifest(FORMAT, "0.1.0", "", 18, "public", {"core": [*known, "99_20990101000000_later"]}), [core]
        )


def program(folder, name, version):
    folder.mkdir(exist_ok=True)
    (folder / name).write_text(f"#!/bin/sh\necho 'pg_dump (PostgreSQL) {version}'\n")
    (folder / name).chmod(0o755)


def test_programs_are_taken_in_the_servers_version(tmp_path):
    for folder, version in (("new", "18.1"), ("old", "16.9 (Debian 16.9-1)")):
        for name in ("pg_dump", "pg_restore", "psql"):
            program(tmp_path / folder, name, version)
    program(tmp_path / "half", "pg_dump", "15.1")
    folders = [tmp_path / name for name in ("new", "half", "old", "none")]

    assert find_programs(16, folders).folder == tmp_path / "old"
    with pytest.raises(BackupError) as refused:
        find_programs(15, folders)
    assert str(refused.value) == (
        "The server is PostgreSQL 15, and pg_dump, pg_restore and psql of that version are not here (found: "
        f"18 in {tmp_path / 'new'}, 16 in {tmp_path / 'old'}). Install your system's package, such as "
        "postgresql-client-15."
    )


def test_programs_get_the_password_by_their_environment():
    found = build_environment(
        "postgres://me:p%40ss@db:6432/shop?sslmode=require", {"PATH": "/bin", "PGSERVICE": "other"}
    )

    assert found == {
        "PATH": "/bin", "PGHOST": "db", "PGPORT": "6432", "PGDATABASE": "shop", "PGUSER": "me", "PGPASSWORD": "p@ss",
        "PGSSLMODE": "require", "PGAPPNAME": "comanda-backup", "PGCONNECT_TIMEOUT": "10",
    }  # fmt: skip
    assert build_environment("postgres://me@/shop?host=/run/pg&port=5433", os.environ)["PGHOST"] == "/run/pg"
