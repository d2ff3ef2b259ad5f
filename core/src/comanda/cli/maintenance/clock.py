"""`comanda clock`."""

import json
from pathlib import Path

import click

from comanda.cli.options import data_option, json_option
from comanda.cli.session import call
from comanda.platform import runtime
from comanda.platform.test_clock import services
from comanda.platform.test_clock.services import ClockState


@click.group()
def clock() -> None:
    """Show and advance the test clock, in development mode only."""


@clock.command()
@json_option
@data_option
def show(as_json: bool, data: Path | None) -> None:
    """Show the time of the test clock."""
    _print(call(_get_state, data), as_json=as_json)


@clock.command()
@click.argument("by")
@json_option
@data_option
def advance(by: str, as_json: bool, data: Path | None) -> None:
    """Move the time of all processes forward, by 40d or 2h30m; what falls due runs at once."""

    async def work() -> ClockState:
        _check_enabled()
        return await services.advance(by)

    _print(call(work, data), as_json=as_json)


async def _get_state() -> ClockState:
    _check_enabled()
    return services.get_state()


def _check_enabled() -> None:
    if not runtime.settings().test_clock:
        raise click.ClickException(services.NOT_ENABLED)


def _print(state: ClockState, *, as_json: bool) -> None:
    moment = state.now.isoformat(timespec="seconds")
    record = {"now": moment, "offset_seconds": state.offset_seconds}
    click.echo(json.dumps(record) if as_json else f"{moment}, {state.offset_seconds} seconds ahead of real time.")
