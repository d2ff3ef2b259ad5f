"""Checks of a loaded plugin; run as ``python -m comanda.devkit.authoring.probe FOLDER RESULT [SERVER]``.

It runs in a separate process, because a plugin may do anything when imported. The findings are written to the file
RESULT as JSON, because the plugin may print to standard output. SERVER is the URL of a PostgreSQL server, on which a
temporary database is created.
"""

import asyncio
import json
import sys
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib import import_module
from pathlib import Path
from secrets import token_hex
from urllib.parse import urlsplit, urlunsplit

import asyncpg
from comanda_migrations import runner
from pydantic import SecretStr

from comanda.basics.startup_errors import StartupError
from comanda.composition import registry as registry_module
from comanda.contracts.registry import Registry
from comanda.devkit.authoring import installation, tables
from comanda.devkit.authoring.findings import Finding
from comanda.devkit.authoring.source import PluginSource, read_source
from comanda.platform.encryption import columns
from comanda.platform.encryption.keys import generate_key
from comanda.platform.observability import configure_logging
from comanda.platform.runtime import Runtime
from comanda.platform.settings import Settings, read_settings
from comanda.web.application import PageApplication
from comanda.web.pages import mount_pages

UNLIMITED = 1_000_000


def probe_plugin(source: PluginSource, server: str | None) -> list[Finding]:
    """Check the declarations of a plugin and, given a server, its tables and answers."""
    module = str(source.plugin_module)
    try:
        with tempfile.TemporaryDirectory() as place:
            registry = registry_module.gather(installation.load_plugin(source, Path(place)))
            mount_pages(PageApplication(timeout_seconds=1), registry)
    except StartupError as error:
        return [Finding(module, 1, "starts", str(error))]
    try:
        # Requires the packages of the extra `testing`.
        declarations = import_module("comanda.devkit.authoring.declarations")
    except ModuleNotFoundError as error:
        sentence = f"Declarations were not checked: {error.name} is missing. Install comanda-core[devkit]."
        return [Finding(module, 1, "unchecked", sentence)]
    found = list(declarations.check_declarations(registry, source.name, source.package))
    if server is not None:
        found += asyncio.run(_check_on_database(source, registry, server))
    return found


async def _check_on_database(source: PluginSource, registry: Registry, server: str) -> list[Finding]:
    async with _create_database(server) as url:
        own = next((models for models in registry.models if models.app == source.name), None)
        others = [models for models in registry.models if models.app != source.name]
        found: list[Finding] = []
        if own is not None:
            folder = source.import_root.joinpath(*own.migrations.split("."))
            found = await tables.check_tables(url, others, own, folder)
        if any(one.rule == "migrates" for one in found):
            return found
        if own is None:
            await runner.migrate(url, others)
        return found + await _check_answers(source, registry, url)


async def _check_answers(source: PluginSource, registry: Registry, url: str) -> list[Finding]:
    declarations = import_module("comanda.devkit.authoring.declarations")
    requests = import_module("comanda.devkit.authoring.requests")
    configure_logging("critical", "json")
    settings = read_settings(Settings, database_url=url, development=True, requests_per_minute=UNLIMITED)
    own_keys = [SecretStr(generate_key())]
    settings = settings.model_copy(update={"redis_url": None, "secret_keys": own_keys})
    await columns.prepare_columns(url, settings, registry.models)
    routes = declarations.list_own_routes(registry, source.name, source.package)
    found: list[Finding] = await requests.check_requests(Runtime(settings, registry), routes)
    return found


@asynccontextmanager
async def _create_database(server: str) -> AsyncIterator[str]:
    name = f"comanda_check_{token_hex(6)}"
    connection = await asyncpg.connect(server)
    try:
        await connection.execute(f'CREATE DATABASE "{name}"')
        try:
            yield urlunsplit(urlsplit(server)._replace(path=f"/{name}"))
        finally:
            await connection.execute(f'DROP DATABASE "{name}" WITH (FORCE)')
    finally:
        await connection.close()


def main() -> None:
    """Check the plugin in the folder of the first argument."""
    folder, result, *server = sys.argv[1:]
    found = probe_plugin(read_source(Path(folder)), server[0] if server else None)
    records = [[one.path, one.line, one.rule, one.sentence] for one in found]
    Path(result).write_text(json.dumps(records), encoding="utf-8")


if __name__ == "__main__":
    main()
