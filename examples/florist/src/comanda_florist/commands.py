"""The command `comanda florist`."""

import json
from pathlib import Path

import click
from comanda.accounts import find_owner
from comanda.cli import call, data_option, json_option
from comanda.contracts import MAX_SAFE, Caller, PageRequest, RecordPage, to_wire

from comanda_florist.records import Occasion
from comanda_florist.services import occasions


@click.group()
def florist() -> None:
    """Manage flower shops."""


@florist.command("occasions")
@click.argument("store_id", type=click.IntRange(1, MAX_SAFE))
@click.option("--owner", "email", required=True, help="The owner's e-mail.")
@click.option("--limit", type=click.IntRange(1, 100), default=20, show_default=True, help="Maximum number.")
@json_option
@data_option
def list_occasions(store_id: int, email: str, limit: int, as_json: bool, data: Path | None) -> None:
    """List the occasions of a shop, next reminder first."""

    async def load() -> RecordPage[Occasion]:
        owner = await find_owner(email)
        caller = Caller("owner", 0, owner.id, None, None, frozenset({"*"}), None)
        return await occasions.list_occasions(caller, store_id, PageRequest(1, limit))

    found = call(load, data).data
    if as_json:
        click.echo(json.dumps(to_wire(list[Occasion], found), default=str))
    for each in [] if as_json else found:
        click.echo(f"{each.next_on}  {each.recipient_name:<30}  {each.what}")
