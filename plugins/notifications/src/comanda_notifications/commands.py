"""The command ``comanda outbox``."""

import json
from dataclasses import asdict
from pathlib import Path

import click
from comanda.cli.options import data_option, json_option
from comanda.cli.session import call

from comanda_notifications import settings
from comanda_notifications.records import OutboxMessage
from comanda_notifications.services import messages

DEVELOPMENT_ONLY = "Messages can be read in development mode only. Set COMANDA_DEVELOPMENT=1."


@click.command()
@click.option("--to", "address", help="Only messages to addresses containing this text.")
@click.option("--limit", type=click.IntRange(1, 1000), default=20, show_default=True, help="Maximum number.")
@json_option
@data_option
def outbox(address: str | None, limit: int, as_json: bool, data: Path | None) -> None:
    """Show messages sent by SMS, e-mail and push, newest first, including codes. In development mode only."""

    async def work() -> list[OutboxMessage]:
        if not settings.is_development():
            raise click.ClickException(DEVELOPMENT_ONLY)
        return await messages.list_latest_messages(address, limit)

    found = call(work, data)
    if as_json:
        click.echo(json.dumps([asdict(each) for each in found], default=str))
    for each in [] if as_json else found:
        subject = f"{each.subject}: " if each.subject else ""
        click.echo(f"{each.created_at:%H:%M:%S}  {each.channel:<5}  {each.address:<30}  {each.status}")
        click.echo(f"    {subject}{each.text or '(erased)'}".replace("\n", "\n    "))
