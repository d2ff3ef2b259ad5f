"""The command ``comanda entitlements``. Its code is imported when it runs, to keep the start of servers fast."""

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click
from comanda.cli import data_option, json_option

if TYPE_CHECKING:
    from comanda_entitlements.records import EffectiveFeature


@click.group()
def entitlements() -> None:
    """Show, grant and revoke features of owners."""


@entitlements.command()
@click.argument("email")
@json_option
@data_option
def show(email: str, as_json: bool, data: Path | None) -> None:
    """Show what an owner may use, how much of it is used, and where it comes from."""
    from comanda.cli import session
    from pydantic import TypeAdapter

    from comanda_entitlements.records import EffectiveFeature
    from comanda_entitlements.services import administration

    found = session.call(lambda: administration.list_features(email), data)
    if as_json:
        click.echo(json.dumps(TypeAdapter(list[EffectiveFeature]).dump_python(found, mode="json", by_alias=True)))
    for each in [] if as_json else found:
        click.echo(_format_line(each))


@entitlements.command()
@click.argument("email")
@click.argument("feature")
@click.option("--quota", type=click.IntRange(0), help="Up to this number.  [default: unlimited]")
@click.option("--until", help="Revoke it then: a day such as 2027-01-31, or a time with an offset.  [default: never]")
@data_option
def grant(email: str, feature: str, quota: int | None, until: str | None, data: Path | None) -> None:
    """Grant a feature to an owner, in addition to the plan; a second grant of it replaces the first.

    An owner without a plan has everything already.
    """
    expires_at = None if until is None else _parse_moment(until)
    from comanda.cli import session

    from comanda_entitlements.services import administration

    session.call(lambda: administration.grant_feature(email, feature, quota, expires_at), data)
    limit = "" if quota is None else f" up to {quota}"
    end = "" if expires_at is None else f" until {expires_at.isoformat()}"
    click.echo(f"{email} is granted {feature}{limit}{end}.")


@entitlements.command()
@click.argument("email")
@click.argument("feature")
@data_option
def revoke(email: str, feature: str, data: Path | None) -> None:
    """Revoke a feature that `grant` granted. What a plan, an add-on or an app grants stays."""
    from comanda.cli import session

    from comanda_entitlements.services import administration

    session.call(lambda: administration.revoke_feature(email, feature), data)
    click.echo(f"{email} is no longer granted {feature} by an administrator.")


def _parse_moment(text: str) -> datetime:
    try:
        moment = datetime.fromisoformat(text)
    except ValueError as error:
        raise click.BadParameter("Must be a day such as 2027-01-31, or a time.", param_hint="--until") from error
    return moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)


def _format_line(each: "EffectiveFeature") -> str:
    state = "granted" if each.is_granted else "-"
    limit = "" if not each.is_granted else "unlimited" if each.quota is None else f"up to {each.quota}"
    used = "" if each.used is None else f"{each.used} used"
    sources = ", ".join(f"{source.source_type}/{source.source_id}" for source in each.sources)
    return f"{each.feature_key:<24}  {state:<8}  {limit:<12}  {used:<12}  {sources}".rstrip()
