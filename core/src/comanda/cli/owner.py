"""`comanda owner`."""

import json
from pathlib import Path
from typing import Any

import click

from comanda.accounts import administration, services
from comanda.cli.options import data_option, json_option
from comanda.cli.session import call


@click.group()
def owner() -> None:
    """Create, list, suspend and resume owners, the tenants of this installation."""


@owner.command()
@click.argument("email")
@click.option("--name", help="The name of the owner.  [default: the local part of the e-mail]")
@json_option
@data_option
def create(email: str, name: str | None, as_json: bool, data: Path | None) -> None:
    """Create an owner."""
    made = call(lambda: services.create_owner(email, name or email.partition("@")[0]), data)
    record = {"id": made.id, "email": made.email, "name": made.name}
    click.echo(json.dumps(record) if as_json else f"Created owner {made.id}: {made.name} <{made.email}>.")


@owner.command("list")
@json_option
@data_option
def list_(as_json: bool, data: Path | None) -> None:
    """List all owners."""
    found = call(administration.list_owners, data)
    if as_json:
        click.echo(json.dumps(found, default=str))
    for row in [] if as_json else found:
        click.echo(_format_line(row))


@owner.command()
@click.argument("email")
@data_option
def suspend(email: str, data: Path | None) -> None:
    """Suspend an owner.

    Tokens stop working immediately, and stores are hidden.
    """
    made = call(lambda: administration.set_suspended(email, is_suspended=True), data)
    click.echo(f"{made.email} is suspended.")


@owner.command()
@click.argument("email")
@data_option
def resume(email: str, data: Path | None) -> None:
    """Resume a suspended owner."""
    made = call(lambda: administration.set_suspended(email, is_suspended=False), data)
    click.echo(f"{made.email} is no longer suspended.")


def _format_line(row: dict[str, Any]) -> str:
    state = "suspended" if row["is_suspended"] else "active"
    return f"{row['id']:>6}  {row['email']:<40}  {state:<9}  {row['stores_count']:>4} stores  {row['name']}"
