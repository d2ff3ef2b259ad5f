"""`comanda secrets`: encryption keys of secrets in the database."""

import asyncio
import json
import secrets as randomness
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from comanda.cli.environment_file import read_installed_settings
from comanda.cli.options import data_option, json_option
from comanda.cli.session import database_url, installation
from comanda.platform.encryption import columns
from comanda.platform.encryption.keys import find_keys, generate_key, get_key_file
from comanda.platform.runtime import Runtime


@click.group()
def secrets() -> None:
    """Show, rotate and generate the keys that encrypt secrets in the database."""


@secrets.command()
def generate() -> None:
    """Print a new key for COMANDA_SECRET_KEYS."""
    click.echo(generate_key())


@secrets.command()
@json_option
@data_option
def status(as_json: bool, data: Path | None) -> None:
    """List the keys and the number of values that each encrypts."""
    with _open_database(data) as made:
        keys = find_keys(made.settings)
        counts = asyncio.run(columns.count_values(database_url(made), made.registry.models))
    ids = keys.ids if keys else []
    source = "COMANDA_SECRET_KEYS" if made.settings.secret_keys else str(get_key_file(made.settings))
    listed = list(dict.fromkeys([*ids, *counts]))
    if as_json:
        rows = [{"id": each, "values": counts[each], "is_available": each in ids} for each in listed]
        click.echo(json.dumps({"current": ids[0] if ids else None, "source": source, "keys": rows}))
        return
    click.echo(f"Current key: {ids[0]} from {source}" if ids else "There is no key yet; the first start creates one.")
    for key_id in listed:
        missing = "" if key_id in ids or key_id == columns.NOT_ENCRYPTED else "  (missing)"
        click.echo(f"{key_id:<14} {counts[key_id]:>8} values{missing}")


@secrets.command()
@data_option
def rotate(data: Path | None) -> None:
    """Encrypt all values with the current key.

    Servers may keep running. A key file gets a new key first. With COMANDA_SECRET_KEYS, put the new key before the old
    one and restart all processes first. If interrupted, run it again to continue.
    """
    with installation(read_installed_settings(data)) as made:
        done = asyncio.run(columns.rotate_key(database_url(made), made.settings, made.registry.models))
    click.echo(f"{done.converted} values are now encrypted with the key {done.key_id}.")
    if done.unreadable:
        raise click.ClickException(f"{done.unreadable} values are encrypted with missing keys.")


@secrets.command("forget")
@click.argument("key_id")
@data_option
def delete_key(key_id: str, data: Path | None) -> None:
    """Delete the lost key KEY_ID and the secrets that it encrypts.

    Afterwards owners must rotate the secrets of webhook endpoints, and PINs and two-factor logins must be set up again.
    """
    with _open_database(data) as made:
        url = database_url(made)
        if not asyncio.run(columns.delete_key(url, key_id, randomness.token_hex(32))):
            raise click.ClickException(f"The database does not need the key {key_id}.")
    click.echo(f"The database no longer needs the key {key_id}. Values encrypted with it cannot be read any more.")


@contextmanager
def _open_database(data: Path | None) -> Iterator[Runtime]:
    """Open the database as it is, without migrations and key checks."""
    with installation(read_installed_settings(data), migrated=False) as made:
        yield made
