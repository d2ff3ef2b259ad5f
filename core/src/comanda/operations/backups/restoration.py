"""Restoration of backups, in one transaction."""

import asyncio
import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO
from zipfile import ZipFile

import asyncpg
from comanda_migrations import runner
from comanda_migrations.history import History, steps

from comanda.basics.build_version import get_build_version
from comanda.operations.backups import client_programs, data_files
from comanda.operations.backups.archive import DUMP, Manifest, read_archive
from comanda.operations.backups.client_programs import ClientPrograms
from comanda.operations.backups.errors import BackupError
from comanda.operations.backups.progress import BLOCK_BYTES, Progress, copy_stream
from comanda.platform.db.postgresql import MIN_MAJOR_VERSION

MAX_ERROR_CHARACTERS = 500
LOCK_SECONDS = 10
# Scripts of PostgreSQL 17 and newer begin with it. Older servers do not know it, and newer ones have it by default.
NEW_SETTING = b"\nSET transaction_timeout = 0;\n"
SESSION_END_SECONDS = 3
# Objects of extensions belong to the administrator.
BELONGS_TO_EXTENSION = (
    "EXISTS (SELECT FROM pg_depend d WHERE d.classid = {0}::regclass AND d.objid = x.oid AND d.deptype = 'e')"
)
# Sequences come after the tables: PostgreSQL refuses to drop the sequence of an identity column by itself.
SELECT_OBJECTS = f"""
    SELECT CASE x.relkind WHEN 'S' THEN 2 ELSE 1 END AS rank, x.oid, x.relkind::text AS kind FROM pg_class x
    WHERE x.relnamespace = current_schema()::regnamespace AND x.relkind IN ('r', 'p', 'v', 'm', 'S', 'f')
        AND NOT {BELONGS_TO_EXTENSION.format("'pg_class'")}
    UNION ALL
    SELECT 3, x.oid, 'routine' FROM pg_proc x
    WHERE x.pronamespace = current_schema()::regnamespace AND NOT {BELONGS_TO_EXTENSION.format("'pg_proc'")}
    UNION ALL
    SELECT 4, x.oid, 'type' FROM pg_type x
    WHERE x.typnamespace = current_schema()::regnamespace AND x.typtype IN ('e', 'd')
        AND NOT {BELONGS_TO_EXTENSION.format("'pg_type'")}
"""
COUNT_OBJECTS = f"SELECT count(*) FROM ({SELECT_OBJECTS}) AS own"
DROP_OBJECTS = f"""
DO $drop$
DECLARE own record;
BEGIN
    FOR own IN SELECT rank, oid, kind FROM ({SELECT_OBJECTS}) AS own ORDER BY rank LOOP
        IF own.rank <= 2 AND EXISTS (SELECT FROM pg_class WHERE oid = own.oid) THEN
            EXECUTE format('DROP %s %s CASCADE', CASE own.kind WHEN 'v' THEN 'VIEW' WHEN 'm' THEN 'MATERIALIZED VIEW'
                WHEN 'S' THEN 'SEQUENCE' WHEN 'f' THEN 'FOREIGN TABLE' ELSE 'TABLE' END, own.oid::regclass);
        ELSIF own.rank = 3 AND EXISTS (SELECT FROM pg_proc WHERE oid = own.oid) THEN
            EXECUTE format('DROP ROUTINE %s CASCADE', own.oid::regprocedure);
        ELSIF own.rank = 4 AND EXISTS (SELECT FROM pg_type WHERE oid = own.oid) THEN
            EXECUTE format('DROP TYPE %s CASCADE', own.oid::regtype);
        END IF;
    END LOOP;
END
$drop$;
"""
COUNT_SESSIONS = """
    SELECT count(*) FROM pg_stat_activity
    WHERE datname = current_database() AND usename = current_user AND pid <> pg_backend_pid()
"""


async def restore_backup(
    source: Path, url: str, data: Path, histories: Sequence[History], advance: Progress, *, replace: bool = False
) -> Manifest:
    """Restore a backup into the database at ``url`` and into the data folder; ``advance`` is told what is restored.

    The server may be older than the one that was backed up. Raises ``BackupError``, with nothing changed, if the file
    is not a complete backup, or has migrations that are not installed, if Comanda is running, or if the database is not
    empty and ``replace`` is not given.
    """
    with read_archive(source) as (archive, manifest):
        check_versions(manifest, histories)
        conflicts = data_files.find_conflicts(archive, data)
        if conflicts and not replace:
            raise BackupError(f"{', '.join(conflicts)} in {data} would be replaced. Add --replace to allow that.")
        programs = await _prepare(url, manifest, replace=replace)
        staged = data_files.stage_files(archive, data)
        try:
            _run_restore(archive, programs, url, manifest.schema, advance)
        except BaseException:
            data_files.discard_files(staged)
            raise
        data_files.move_into_place(staged)
    return manifest


def check_versions(manifest: Manifest, histories: Sequence[History]) -> None:
    """Raise ``BackupError`` for a backup with migrations that the installed version does not have."""
    for history in histories:
        known = [step.version for step in steps(history)]
        unknown = [version for version in manifest.migrations.get(history.app, ()) if version not in known]
        if unknown:
            raise BackupError(
                f"The backup is of another version of {history.app}: it has {unknown[-1]}, which is not installed. It "
                f"was made with Comanda {manifest.comanda}, and {get_build_version()} is installed; install the "
                "version of the backup."
            )


async def _prepare(url: str, manifest: Manifest, *, replace: bool) -> ClientPrograms:
    """Check the server and the database, and return the programs that read the backup and write to the server."""
    connection = await asyncpg.connect(url)
    try:
        major = connection.get_server_version().major
        if major < MIN_MAJOR_VERSION:
            raise BackupError(f"The server is PostgreSQL {major}; Comanda needs {MIN_MAJOR_VERSION} or newer.")
        schema = await connection.fetchval("SELECT current_schema()")
        if schema != manifest.schema:
            raise BackupError(f"The backup is of the schema {manifest.schema}, and the database's is {schema}.")
        await _check_unused(connection)
        if not replace and await connection.fetchval(COUNT_OBJECTS):
            raise BackupError("The database is not empty. Add --replace to delete what is in it.")
        # No program reads the dump of a newer one, and psql also works with older servers.
        return client_programs.find_programs(max(major, manifest.postgres_major))
    finally:
        await connection.close()


async def _check_unused(connection: "asyncpg.Connection[asyncpg.Record]") -> None:
    """Raise ``BackupError`` if others use the database, after waiting for ending sessions."""
    deadline = time.monotonic() + SESSION_END_SECONDS
    while sessions := await connection.fetchval(COUNT_SESSIONS):
        if time.monotonic() > deadline:
            raise BackupError(f"Comanda still uses this database ({sessions} sessions). Stop its processes first.")
        await asyncio.sleep(0.1)


def _run_restore(archive: ZipFile, programs: ClientPrograms, url: str, schema: str, advance: Progress) -> None:
    """Convert the dump to SQL with pg_restore and run it in one transaction with psql."""
    environment = client_programs.build_environment(url, os.environ)
    script = [str(programs.folder / "pg_restore"), "--no-owner", "--no-privileges", f"--schema={schema}", "--file=-"]
    # Servers that start meanwhile wait for the migration lock and then find the restored tables.
    before = f"SET lock_timeout = '{LOCK_SECONDS}s'; SELECT pg_advisory_xact_lock({runner.LOCK}); {DROP_OBJECTS}"
    run = [str(programs.folder / "psql"), "--no-psqlrc", "--quiet", "--no-password", "--single-transaction"]
    run += ["--set=ON_ERROR_STOP=1", f"--command={before}", "--file=-"]
    with tempfile.TemporaryFile() as error_output, tempfile.TemporaryFile() as dump:
        # pg_restore reads the table of contents first and may seek in the dump.
        with archive.open(DUMP) as member:
            shutil.copyfileobj(member, dump, BLOCK_BYTES)
        dump.seek(0)
        reader = subprocess.Popen(script, stdin=dump, stdout=subprocess.PIPE, stderr=error_output, env=environment)
        source = client_programs.get_pipe(reader.stdout)
        writer = subprocess.Popen(
            run, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=error_output, env=environment
        )
        target = client_programs.get_pipe(writer.stdin)
        try:
            _copy_script(reader, source, target, advance)
        except BaseException:
            # Closing the input of psql would commit; only killing it rolls back.
            writer.kill()
            reader.kill()
            raise
        finally:
            source.close()
            reader.wait()
            writer.wait()
            with suppress(BrokenPipeError):  # the reader has exited
                target.close()
            error_output.seek(0)
            words = " ".join(error_output.read().decode(errors="replace").split())[:MAX_ERROR_CHARACTERS]
        if writer.returncode != 0:
            raise BackupError(f"The database could not be restored and is unchanged: {words}")


def _copy_script(reader: "subprocess.Popen[bytes]", source: IO[bytes], target: IO[bytes], advance: Progress) -> None:
    """Copy the whole script and close the target only if it is complete."""
    try:
        target.write(source.read(BLOCK_BYTES).replace(NEW_SETTING, b"\n", 1))
        copy_stream(source, target, advance)
        if reader.wait() == 0:
            target.close()
            return
    except BrokenPipeError:  # psql stopped after an error
        return
    raise BackupError("pg_restore cannot read the backup's dump; the database is unchanged.")
