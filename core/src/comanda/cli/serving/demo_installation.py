"""The demo of an installation: created once, with its tokens saved for later runs."""

import contextlib
import json
import os
from collections.abc import Iterator, Mapping
from pathlib import Path

import structlog

from comanda.accounts.models import Owner
from comanda.cli.session import call_in
from comanda.contracts.stores.verticals import VerticalGroup
from comanda.operations.demo_data import owners
from comanda.operations.demo_data.builder import DemoBuilder
from comanda.platform import runtime
from comanda.platform.db import sql
from comanda.platform.runtime import Runtime
from comanda.platform.settings import Settings
from comanda.stores.records import find_vertical

log = structlog.get_logger(__name__)

TOKENS_FILE = "demo.json"
ADDRESS_FILE = "server.json"
# Processes that create a demo at the same time take turns; any unused number will do.
DEMO_LOCK = int.from_bytes(b"demo")


async def fill_demo(*, is_for_guests: bool = False) -> DemoBuilder:
    """Run all demo steps in one transaction and return the resulting demo.

    Its main owner becomes administrator, unless the installation has real guests.
    """
    data = runtime.settings().data
    showcase = DemoBuilder(kept=_read_json(data / TOKENS_FILE))
    async with sql.transaction():
        await sql.execute("SELECT pg_advisory_xact_lock($1)", DEMO_LOCK)
        for step in sorted(runtime.registry().demo_data, key=lambda step: step.needs_stores):
            showcase.stores.sort(key=_get_sort_key)
            await step.fill(showcase)
        await owners.decide_administration(showcase.owners["owner"], is_granted=not is_for_guests)
    if dict(showcase.kept) != showcase.tokens:
        _write_json(data / TOKENS_FILE, showcase.tokens)
    return showcase


async def has_demo() -> bool:
    """Return whether the database has a demo."""
    return await owners.find_owner() is not None


async def is_demo_database(settings: Settings) -> bool:
    """Return whether a database has a demo already, or is embedded and has no owners.

    ``settings`` are those of the environment: an open installation's name a database in any case.
    """
    return await has_demo() or (settings.database_url is None and not await Owner.exists())


async def list_demo_logins() -> list[str]:
    """Return the demo logins that currently work, by role. Changes nothing."""
    owner = await owners.find_owner()
    if owner is None:
        return []
    if owner.is_suspended:
        # Neither its staff nor its drivers can log in.
        return await owners.list_logins(owner.id)
    steps = [step.list_logins for step in runtime.registry().demo_data if step.list_logins is not None]
    return [line for list_logins in steps for line in await list_logins(owner.id)]


def warn_about_demo_logins(made: Runtime) -> None:
    """Log a warning with the demo logins that work, if this data folder has had a demo."""
    if (made.settings.data / TOKENS_FILE).exists() and (people := call_in(made, list_demo_logins)):
        log.warning("demo_people_can_log_in", people=", ".join(people))


def _get_sort_key(store: Mapping[str, object]) -> int:
    """Return the position of a store in lists: gastronomy first, then shops, services and stays."""
    vertical = find_vertical(str(store["store_type"]))
    return list(VerticalGroup).index(vertical.group) if vertical else len(VerticalGroup)


def get_site_url(settings: Settings) -> str:
    """Return the base URL of the demo: of the running server of this data folder, else of the settings."""
    return settings.public_url or _read_json(settings.data / ADDRESS_FILE).get("site_url") or settings.site_url


@contextlib.contextmanager
def publish_address(settings: Settings) -> Iterator[None]:
    """Save the URL of the server for other commands on the same data folder while the block runs."""
    file = settings.data / ADDRESS_FILE
    _write_json(file, {"site_url": settings.site_url})
    try:
        yield
    finally:
        file.unlink(missing_ok=True)


def _read_json(file: Path) -> dict[str, str]:
    try:
        found = json.loads(file.read_text(encoding="utf-8"))
    except (FileNotFoundError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def _write_json(file: Path, content: Mapping[str, str]) -> None:
    """Write a file that only its owner can read."""
    if not file.parent.exists():
        # The account of an embedded PostgreSQL must be able to traverse the folder, not to list it.
        file.parent.mkdir(parents=True)
        file.parent.chmod(0o711)
    draft = file.with_suffix(f".{os.getpid()}")
    opened = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(opened, "w", encoding="utf-8") as stream:
        json.dump(content, stream, indent=2)
    draft.replace(file)
