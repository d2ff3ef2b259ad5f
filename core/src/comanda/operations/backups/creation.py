"""Creation of backups, with or without running servers."""

import os
import subprocess
import tempfile
from datetime import UTC, datetime
from pathlib import Path
from zipfile import ZipFile

import asyncpg

from comanda.basics.build_version import get_build_version
from comanda.operations.backups import client_programs, data_files
from comanda.operations.backups.archive import DUMP, FORMAT, MANIFEST, Manifest, write_archive
from comanda.operations.backups.client_programs import ClientPrograms
from comanda.operations.backups.errors import BackupError
from comanda.operations.backups.progress import Progress, copy_stream

SELECT_SCHEMA = """
    SELECT n.nspname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE c.oid = to_regclass('core_owner')
"""
SELECT_MIGRATIONS = 'SELECT "app", "version" FROM "aerich" ORDER BY "id"'
MAX_ERROR_CHARACTERS = 500


async def write_backup(target: Path, url: str, data: Path, advance: Progress) -> Manifest:
    """Write the database at ``url`` and its files in the data folder into a new backup.

    The backup is a consistent snapshot of the database. ``advance`` is told what is written. Raises ``BackupError``.
    """
    connection = await asyncpg.connect(url)
    try:
        # The session is idle while pg_dump runs.
        await connection.execute("SET idle_in_transaction_session_timeout = 0")
        # The dump uses the same snapshot, so that the manifest matches it.
        async with connection.transaction(isolation="repeatable_read", readonly=True):
            manifest = await _create_manifest(connection)
            programs = client_programs.find_programs(manifest.postgres_major)
            snapshot: str = await connection.fetchval("SELECT pg_export_snapshot()")
            with write_archive(target) as archive:
                archive.writestr(MANIFEST, manifest.to_json())
                _dump_database(archive, programs, url, manifest.schema, snapshot, advance)
                # After the dump: the keys that its rows need exist by now, and older ones are kept.
                for path in data_files.list_files(data):
                    archive.write(data / path, f"{data_files.PREFIX}{path}")
                    advance(archive.getinfo(f"{data_files.PREFIX}{path}").file_size)
    finally:
        await connection.close()
    return manifest


async def _create_manifest(connection: "asyncpg.Connection[asyncpg.Record]") -> Manifest:
    schema = await connection.fetchval(SELECT_SCHEMA)
    if schema is None:
        raise BackupError("The database has no tables of Comanda; there is nothing to back up.")
    migrations: dict[str, list[str]] = {}
    for row in await connection.fetch(SELECT_MIGRATIONS):
        migrations.setdefault(row["app"], []).append(row["version"])
    return Manifest(
        format=FORMAT,
        comanda=get_build_version(),
        created_at=datetime.now(UTC).isoformat(timespec="seconds"),
        postgres_major=connection.get_server_version().major,
        schema=schema,
        migrations=migrations,
    )


def _dump_database(
    archive: ZipFile, programs: ClientPrograms, url: str, schema: str, snapshot: str, advance: Progress
) -> None:
    command = [str(programs.folder / "pg_dump"), "--format=custom", "--no-owner", "--no-privileges"]
    command += [f"--schema={schema}", f"--snapshot={snapshot}", "--no-password"]
    # Errors go to a file, because a full pipe would block the program.
    with tempfile.TemporaryFile() as error_output:
        process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=error_output, env=client_programs.build_environment(url, os.environ)
        )
        output = client_programs.get_pipe(process.stdout)
        try:
            with archive.open(DUMP, "w", force_zip64=True) as member:
                copy_stream(output, member, advance)
        except BaseException:
            process.kill()
            raise
        finally:
            output.close()
            process.wait()
        if process.returncode != 0:
            error_output.seek(0)
            words = " ".join(error_output.read().decode(errors="replace").split())[-MAX_ERROR_CHARACTERS:]
            raise BackupError(f"pg_dump failed: {words}")
