"""The commands ``comanda outbox`` and ``comanda messages``."""

import json
from dataclasses import asdict
from pathlib import Path

import click
from comanda.cli import call, data_option, json_option
from comanda.contracts import Channel

from comanda_notifications import settings
from comanda_notifications.models import MessageStatus
from comanda_notifications.records import OutboxMessage
from comanda_notifications.services import messages, sender

DEVELOPMENT_ONLY = "Messages can be read in development mode only. Set COMANDA_DEVELOPMENT=1."

NOTHING_CONFIGURED = "No mail server or gateway is configured for it; in development mode messages stay in the outbox."


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


@click.group("messages")
def messages_group() -> None:
    """Test the mail server and the gateway for SMS."""


@messages_group.command("test")
@click.argument("channel", type=click.Choice(["email", "sms"]))
@click.argument("address")
@json_option
@data_option
def send_test(channel: Channel, address: str, as_json: bool, data: Path | None) -> None:
    """Send a test message to ADDRESS now, and print what the mail server or gateway answered.

    Exits with 1 unless it was accepted.
    """
    outcome = call(lambda: sender.send_test_message(channel, address), data)
    is_outbox = outcome.transport == f"{channel}_outbox"
    is_sent = outcome.status is MessageStatus.SENT and not is_outbox
    error = NOTHING_CONFIGURED if is_outbox else outcome.error
    if as_json:
        record = {
            "is_sent": is_sent,
            "transport": outcome.transport,
            "duration_ms": outcome.duration_ms,
            "error": error,
        }
        click.echo(json.dumps(record))
        raise click.exceptions.Exit(0 if is_sent else 1)
    if not is_sent:
        raise click.ClickException(f"Not sent: {error}")
    click.echo(f"Accepted by {outcome.transport} in {outcome.duration_ms} ms. Check whether it arrives at {address}.")
