"""The commands ``comanda apps``."""

import json
from dataclasses import asdict
from pathlib import Path

import click
from comanda.cli import call, data_option, json_option
from comanda.contracts import MAX_SAFE

from comanda_marketplace.models import AppStatus
from comanda_marketplace.records import App
from comanda_marketplace.services.listings import review

app_argument = click.argument("app_id", type=click.IntRange(1, MAX_SAFE))


@click.group()
def apps() -> None:
    """Review the apps of the marketplace."""


@apps.command("list")
@click.option("--status", type=click.Choice([status.value for status in AppStatus]), help="Only apps in this state.")
@click.option("--limit", type=click.IntRange(1, 1000), default=100, show_default=True, help="Maximum number.")
@json_option
@data_option
def list_(status: str | None, limit: int, as_json: bool, data: Path | None) -> None:
    """List apps, those that wait for a review first."""
    found = call(lambda: review.list_apps(None if status is None else AppStatus(status), limit), data)
    if as_json:
        click.echo(json.dumps([asdict(app) for app in found], default=str))
    for app in [] if as_json else found:
        click.echo(f"{app.id:>6}  {app.status:<9}  {app.category:<12}  {app.billing:<9}  {app.name}")


@apps.command()
@app_argument
@json_option
@data_option
def show(app_id: int, as_json: bool, data: Path | None) -> None:
    """Show everything about an app that a review needs."""
    found = call(lambda: review.get_app(app_id), data)
    if as_json:
        click.echo(json.dumps(asdict(found), default=str))
        return
    for name, value in asdict(found).items():
        click.echo(f"{name:<18}  {value}")


@apps.command("review")
@app_argument
@data_option
def start_review(app_id: int, data: Path | None) -> None:
    """Take a submitted app into review."""
    _report(call(lambda: review.start_review(app_id), data))


@apps.command()
@app_argument
@click.option("--feature", "features", multiple=True, help="A feature that the app grants; may be repeated.")
@data_option
def approve(app_id: int, features: tuple[str, ...], data: Path | None) -> None:
    """Approve an app, so that it is listed and every owner can install it."""
    _report(call(lambda: review.approve(app_id, features), data))


@apps.command()
@app_argument
@click.option("--reason", required=True, help="Why, for the developer.")
@data_option
def reject(app_id: int, reason: str, data: Path | None) -> None:
    """Reject an app, with a reason for its developer."""
    _report(call(lambda: review.reject(app_id, reason[:2000]), data))


@apps.command()
@app_argument
@data_option
def delist(app_id: int, data: Path | None) -> None:
    """Take an app off the list.

    Nobody new can install it; installed ones keep working.
    """
    _report(call(lambda: review.delist(app_id), data))


def _report(app: App) -> None:
    click.echo(f"App {app.id}, {app.name}, is {app.status.replace('_', ' ')}.")
