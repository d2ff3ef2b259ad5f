"""`comanda doctor`: one line for each thing that an installation stands on, and what to do about those that fail."""

import asyncio
import os
import shutil
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import asyncpg
import click
from comanda_migrations import runner
from redis import asyncio as redis

from comanda.cli.failures import sentence
from comanda.cli.loading import load
from comanda.cli.options import data_option
from comanda.db.embedded import EmbeddedPostgres
from comanda.encryption import columns
from comanda.encryption.keys import find_keys, key_file
from comanda.events.dispatcher import QUEUE
from comanda.http.discovery import QUEUE_TOO_OLD_SECONDS
from comanda.registry import Registry
from comanda.settings import Settings, read

OLDEST_POSTGRES = 15
LEAST_FREE_BYTES = 1_000_000_000


@dataclass(frozen=True, slots=True)
class Finding:
    """What a check found; ``advice`` is what to do, and None when all is well."""

    subject: str
    found: str
    advice: str | None = None


@click.command()
@data_option
def doctor(data: Path | None) -> None:
    """Check settings, plugins, disk, database and Redis; exits with 1 if something needs doing."""
    is_well = True
    for finding in _findings(data):
        is_well = is_well and finding.advice is None
        mark, color = ("ok", "green") if finding.advice is None else ("!!", "red")
        click.echo(f"{click.style(mark, fg=color)}  {finding.subject:<11} {finding.found}")
        if finding.advice is not None:
            click.echo(f"    {'':<11} → {finding.advice}")
    if not is_well:
        raise click.exceptions.Exit(1)


def _findings(data: Path | None) -> Iterator[Finding]:
    settings = read(Settings, data=data)
    registry = load().registry
    yield Finding("settings", f"serves on {settings.host}:{settings.port}, clients use {settings.site_url}")
    yield _plugins(registry)
    yield _disk(settings.data)
    yield from _database(settings, registry)
    yield _redis(settings.redis_url)


def _plugins(registry: Registry) -> Finding:
    names = ", ".join(plugin.name for plugin in registry.plugins)
    if registry.verticals:
        return Finding("plugins", names)
    return Finding("plugins", names, "No vertical is installed, so no store can be opened. Install comanda-restaurant.")


def _disk(folder: Path) -> Finding:
    place = next(parent for parent in (folder.resolve(), *folder.resolve().parents) if parent.exists())
    free = shutil.disk_usage(place).free
    found = f"{free / 1e9:.1f} GB free for {folder}"
    if not os.access(place, os.W_OK):
        return Finding("data folder", found, f"This user may not write to {place}. Choose another folder with DATA=.")
    if free < LEAST_FREE_BYTES:
        return Finding("data folder", found, "Make room: PostgreSQL stops when its disk is full.")
    return Finding("data folder", found)


def _database(settings: Settings, registry: Registry) -> Iterator[Finding]:
    if settings.database_url is None and not (settings.data / "postgres").exists():
        yield Finding("database", f"none in {settings.data} yet; `comanda run` or `comanda migrate` makes it")
        return
    try:
        with ExitStack() as stack:
            url = settings.database_url
            if url is None:
                embedded = stack.enter_context(EmbeddedPostgres(settings.data))
                url = embedded.url
                # What pg_dump and psql need to be told; while a server runs, the address holds.
                yield Finding("embedded", url)
                yield Finding("programs", str(embedded.programs))
            yield asyncio.run(_server(url))
            waiting = asyncio.run(runner.pending(url, registry.models))
            if waiting:
                yield Finding("migrations", f"{len(waiting)} to apply", "Run `comanda migrate`.")
            else:
                yield Finding("migrations", "all applied")
                yield asyncio.run(_secrets(url, settings))
                yield asyncio.run(_outbox(url))
    except Exception as error:
        line = sentence(error)
        if line is None:
            raise
        yield Finding("database", "cannot be used", line)


async def _server(url: str) -> Finding:
    connection = await asyncpg.connect(url)
    try:
        version = connection.get_server_version()
    finally:
        await connection.close()
    found = f"PostgreSQL {version.major}.{version.minor}"
    if version.major < OLDEST_POSTGRES:
        return Finding("database", found, f"Comanda needs PostgreSQL {OLDEST_POSTGRES} or newer.")
    return Finding("database", found)


async def _secrets(url: str, settings: Settings) -> Finding:
    if advice := await columns.missing_key(url, settings):
        return Finding("secrets", "an encryption key is missing", advice)
    keys = find_keys(settings)
    if keys is None:
        return Finding("secrets", f"no encryption key yet; the first start makes {key_file(settings)}")
    if settings.secret_keys:
        return Finding("secrets", f"encrypted with the key {keys.current.id} of COMANDA_SECRET_KEYS")
    found = f"encrypted with the key {keys.current.id} of {key_file(settings)}"
    return Finding("secrets", f"{found}; other machines need it too" if settings.database_url else found)


async def _outbox(url: str) -> Finding:
    connection = await asyncpg.connect(url)
    try:
        row = await connection.fetchrow(QUEUE)
    finally:
        await connection.close()
    if row is None or row["oldest"] is None:
        return Finding("events", "none waiting")
    age, overdue = ((row["moment"] - row[since]).total_seconds() for since in ("oldest", "due"))
    found = f"{row['waiting']} waiting, the oldest for {age:.0f} seconds"
    # An event whose handler failed waits for its next try, and is not late before that.
    if overdue > QUEUE_TOO_OLD_SECONDS:
        return Finding(
            "events", found, "Start `comanda serve` or `comanda worker`; if one runs, its log says what fails."
        )
    return Finding("events", found)


def _redis(url: str | None) -> Finding:
    if url is None:
        return Finding("redis", "not set: one process, limits and tasks in its memory")

    async def version() -> str:
        async with redis.from_url(url, socket_connect_timeout=5) as client:
            return str((await client.info("server"))["redis_version"])

    try:
        return Finding("redis", f"version {asyncio.run(version())}")
    except Exception as error:
        line = sentence(error)
        if line is None:
            raise
        return Finding("redis", "cannot be used", line)
