"""PostgreSQL client programs."""

import os

import pytest
from comanda.operations.backups.client_programs import build_environment, find_programs
from comanda.operations.backups.errors import BackupError


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
        "The programs pg_dump, pg_restore and psql of PostgreSQL 15 are needed and not installed (found: "
        f"18 in {tmp_path / 'new'}, 16 in {tmp_path / 'old'}). Install a package such as "
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
