"""`comanda token`."""

import json
import re
from datetime import UTC, datetime, timedelta
from pathlib import Path

import click

from comanda.accounts import administration, services
from comanda.accounts.services import IssuedToken
from comanda.basics import clock
from comanda.basics.errors import ValidationFailed
from comanda.cli.options import data_option, json_option
from comanda.cli.session import call, call_core
from comanda.platform import runtime

SPAN = re.compile(r"(\d{1,6})\s*([mhdw])")
UNITS = {"m": "minutes", "h": "hours", "d": "days", "w": "weeks"}


@click.group()
def token() -> None:
    """Create, list and revoke access tokens."""


@token.command()
@click.option("--owner", "email", required=True, help="The e-mail of the owner.")
@click.option(
    "--scope", "scopes", multiple=True, required=True, help="A scope such as orders:read, write or *; may be repeated."
)
@click.option("--name", default="command line", show_default=True, help="The purpose of the token.")
@click.option("--expires", help="90d, 12h, 30m, 2w, or a time such as 2027-01-31T12:00:00+00:00.  [default: never]")
@json_option
@data_option
def create(
    email: str, scopes: tuple[str, ...], name: str, expires: str | None, as_json: bool, data: Path | None
) -> None:
    """Create a token of an owner and print it; it cannot be shown again."""
    expires_at = None if expires is None else _parse_moment(expires)

    async def work() -> IssuedToken:
        owner = await services.find_owner(email)
        kind = runtime.registry().caller_kinds["owner"]
        return await services.issue_owner_token(kind, owner.id, scopes, name=name, expires_at=expires_at)

    issued = call(work, data)
    record = {
        "id": issued.id,
        "token": issued.secret,
        "scopes": issued.scopes,
        "expires_at": None if issued.expires_at is None else issued.expires_at.isoformat(),
    }
    click.echo(json.dumps(record) if as_json else issued.secret)


@token.command("list")
@click.option("--owner", "email", required=True, help="The e-mail of the owner.")
@json_option
@data_option
def list_(email: str, as_json: bool, data: Path | None) -> None:
    """List the tokens of an owner that are not revoked, without their secrets."""
    found = call_core(lambda: administration.list_tokens(email), data)
    if as_json:
        names = ("id", "kind", "name", "scopes", "created_at", "expires_at", "last_used_at")
        click.echo(json.dumps([{name: getattr(row, name) for name in names} for row in found], default=str))
    for row in [] if as_json else found:
        ends = "never expires" if row.expires_at is None else f"expires {row.expires_at:%Y-%m-%d %H:%M}"
        click.echo(f"{row.id:>6}  {row.kind:<10}  {row.name:<20}  {','.join(row.scopes):<30}  {ends}")


@token.command()
@click.argument("token_id", type=int)
@click.option("--owner", "email", required=True, help="The e-mail of the owner.")
@data_option
def revoke(token_id: int, email: str, data: Path | None) -> None:
    """Revoke a token by its id; it stops working immediately."""

    async def work() -> None:
        owner = await services.find_owner(email)
        await services.revoke_token(owner.id, token_id)

    call_core(work, data)
    click.echo(f"Token {token_id} is revoked.")


def _parse_moment(text: str) -> datetime:
    """Parse a duration from now or a time, in UTC if it has no offset. Raises ``ValidationFailed``."""
    if span := SPAN.fullmatch(text.strip()):
        return clock.now() + timedelta(**{UNITS[span[2]]: int(span[1])})
    try:
        moment = datetime.fromisoformat(text)
    except ValueError as error:
        raise ValidationFailed(expires=[f"{text} is neither a duration such as 90d nor a time."]) from error
    moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    if moment <= clock.now():
        raise ValidationFailed(expires=[f"{text} is in the past."])
    return moment
