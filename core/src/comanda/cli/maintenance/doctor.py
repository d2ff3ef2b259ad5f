"""`comanda doctor`: the result of each check, with advice for problems."""

import asyncio
import json
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import click

from comanda.basics.startup_errors import StartupError
from comanda.cli.environment_file import read_installed_settings
from comanda.cli.failures import describe_error
from comanda.cli.options import data_option, json_option
from comanda.cli.serving.demo_installation import list_demo_logins
from comanda.cli.session import call_in, load_runtime, print_data_folder
from comanda.contracts.registry import Registry
from comanda.operations.diagnostics.configuration import check_plugins, check_public_url, check_variables
from comanda.operations.diagnostics.database import check_database
from comanda.operations.diagnostics.database_pooler import check_pooler
from comanda.operations.diagnostics.database_replica import check_replica
from comanda.operations.diagnostics.distributions import check_distributions
from comanda.operations.diagnostics.results import (
    CheckResult,
    CheckStatus,
    report_not_checked,
    report_ok,
    report_problem,
)
from comanda.operations.diagnostics.storage import check_storage
from comanda.platform import runtime
from comanda.platform.data_folder import has_database
from comanda.platform.encryption import columns
from comanda.platform.encryption.keys import find_keys, get_key_file
from comanda.platform.photos.storage import selection
from comanda.platform.photos.storage.types import StorageUnavailable
from comanda.platform.runtime import Runtime
from comanda.platform.settings import Settings

MARKS = {CheckStatus.OK: ("ok", "green"), CheckStatus.PROBLEM: ("!!", "red"), CheckStatus.NOT_CHECKED: ("--", "yellow")}

MIGRATIONS_PENDING = "migrations are pending"
DEMO_ADVICE = (
    "Suspend the demo's owners: `comanda owner suspend owner@demo.example`, and other@demo.example. "
    "If this is a server for development, set COMANDA_DEVELOPMENT=1."
)


@click.command()
@json_option
@data_option
def doctor(as_json: bool, data: Path | None) -> None:
    """Check settings, plugins, versions, disk, database and Redis; exit with 1 if there is a problem.

    Lines marked ok were checked; lines marked -- were not, and say why.
    """
    is_well = True
    records = []
    for finding in _run_checks(data):
        is_well = is_well and finding.status is not CheckStatus.PROBLEM
        records.append(finding.record())
        if not as_json:
            _print_result(finding)
    if as_json:
        click.echo(json.dumps(records, indent=2))
    if not is_well:
        raise click.exceptions.Exit(1)


def _print_result(finding: CheckResult) -> None:
    mark, color = MARKS[finding.status]
    click.echo(f"{click.style(mark, fg=color)}  {finding.subject:<11} {finding.found}")
    if finding.advice is not None:
        click.echo(f"    {'':<11} → {finding.advice}")


def _run_checks(data: Path | None) -> Iterator[CheckResult]:
    yield from check_distributions()
    try:
        settings = read_installed_settings(data)
    except StartupError as error:
        yield report_problem("settings", "cannot be read", str(error))
        yield report_not_checked("the rest", "requires valid settings")
        return
    yield report_ok("settings", f"valid; serves on {settings.host}:{settings.port}, clients use {settings.site_url}")
    yield check_public_url(settings)
    yield from check_storage(settings)
    try:
        made = load_runtime()
    except StartupError as error:
        yield report_problem("plugins", "cannot be loaded", str(error))
        yield report_not_checked("variables", "the plugins cannot be loaded")
        yield report_not_checked("database", "the plugins cannot be loaded")
    else:
        yield check_plugins(made.registry)
        yield from check_variables(settings, made.registry)
        yield from _check_installed_database(settings, made.registry)
    yield _check_redis(settings.redis_url)


def _check_installed_database(settings: Settings, registry: Registry) -> Iterator[CheckResult]:
    if settings.database_url is None and not has_database(settings.data):
        place = settings.data.resolve()
        yield report_not_checked("database", f"none in {place} yet; `comanda serve` or `comanda run` creates it")
        return
    try:
        with ExitStack() as stack:
            url = settings.session_url
            if url is None:
                from comanda.operations.embedded.server import EmbeddedPostgres

                print_data_folder(settings.data)
                embedded = stack.enter_context(EmbeddedPostgres(settings.data))
                url = embedded.url
                # For pg_dump and psql; the URL is valid while a server runs.
                yield report_ok("embedded", url)
                yield report_ok("programs", str(embedded.programs))
            found = asyncio.run(_collect(url, registry))
            yield from found
            yield from asyncio.run(_collect_path_results(settings))
            if _is_migrated(found):
                yield asyncio.run(_check_secrets(url, settings))
            else:
                yield report_not_checked("secrets", MIGRATIONS_PENDING)
            opened = settings if settings.database_url else settings.model_copy(update={"database_url": url})
            is_for_guests = not settings.development and bool(settings.database_url or settings.public_url)
            if _is_migrated(found):
                made = Runtime(opened, registry)
                runtime.use(made)
                yield call_in(made, _check_photos)
                yield _check_demo(made, is_for_guests=is_for_guests)
            else:
                yield report_not_checked("photos", MIGRATIONS_PENDING)
                yield report_not_checked("demo", MIGRATIONS_PENDING)
    except Exception as error:
        line = describe_error(error)
        if line is None:
            raise
        yield report_problem("database", "cannot be used", line)
        yield report_not_checked("migrations", "the database cannot be used")


async def _collect(url: str, registry: Registry) -> list[CheckResult]:
    return [finding async for finding in check_database(url, registry)]


async def _collect_path_results(settings: Settings) -> list[CheckResult]:
    pooler = [finding async for finding in check_pooler(settings)]
    return [*pooler, *[finding async for finding in check_replica(settings)]]


async def _check_secrets(url: str, settings: Settings) -> CheckResult:
    if advice := await columns.find_missing_key(url, settings):
        return report_problem("secrets", "an encryption key is missing", advice)
    keys = find_keys(settings)
    if keys is None:
        return report_ok("secrets", f"no encryption key yet; the first start creates {get_key_file(settings)}")
    if settings.secret_keys:
        return report_ok("secrets", f"encrypted with the key {keys.current.id} of COMANDA_SECRET_KEYS")
    found = f"encrypted with the key {keys.current.id} of {get_key_file(settings)}"
    return report_ok("secrets", f"{found}; other machines need it too" if settings.database_url else found)


def _is_migrated(found: list[CheckResult]) -> bool:
    return not any(finding.subject == "migrations" and finding.status is not CheckStatus.OK for finding in found)


async def _check_photos() -> CheckResult:
    """Check that photos can be stored, where the setting says."""
    try:
        return report_ok("photos", f"a file was written to and read from {await selection.check_storage()}")
    except (StartupError, StorageUnavailable) as error:
        return report_problem("photos", "cannot be stored", f"{error.__cause__ or error}")


def _check_demo(made: Runtime, *, is_for_guests: bool) -> CheckResult:
    """Check which demo logins work. Where guests order, none should."""
    logins = call_in(made, list_demo_logins)
    if not logins:
        return report_ok("demo", "no demo logins")
    found = f"these demo logins work: {', '.join(logins)}"
    return report_problem("demo", found, DEMO_ADVICE) if is_for_guests else report_ok("demo", found)


def _check_redis(url: str | None) -> CheckResult:
    if url is None:
        return report_not_checked("redis", "REDIS_URL is not set; a single process with limits and tasks in memory")
    try:
        # Imported only where Redis is set: the driver takes 6 MiB of memory.
        from comanda.operations.diagnostics.redis_server import check_redis

        return asyncio.run(check_redis(url))
    except Exception as error:
        line = describe_error(error)
        if line is None:
            raise
        return report_problem("redis", "cannot be used", line)
