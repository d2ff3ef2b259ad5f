"""`comanda run`: everything in one process, for a first look and for development."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from comanda.cli.options import data_option, get_default_folder, save_data_choice
from comanda.cli.serving.demo_installation import fill_demo, is_demo_database, publish_address
from comanda.cli.serving.setup import print_setup_link
from comanda.cli.serving.welcome import build_first_order, print_welcome
from comanda.cli.session import call_in, exit_on_signals, installation
from comanda.contracts.demo import Showcase
from comanda.operations.serving.process import WebServer, bind_socket
from comanda.platform.observability import configure_logging, log_uncaught
from comanda.platform.runtime import Runtime
from comanda.platform.settings import Settings, read_settings


@click.command()
@click.option("--port", type=click.IntRange(1, 65535), help="Port to listen on.  [default: $PORT, else 8000]")
@click.option(
    "--demo/--no-demo",
    "wants_demo",
    default=None,
    help="Fill in demo data, or print a link to set up an empty installation.  [default: --demo, unless DATABASE_URL "
    "is set or there are other owners]",
)
@data_option
def run(port: int | None, wants_demo: bool | None, data: Path | None) -> None:
    """Start Comanda with a database, demo data, server and worker in one process.

    The embedded PostgreSQL keeps its data in the folder of --data unless DATABASE_URL names another. Demo data is
    filled in once; a database of DATABASE_URL, or one with other owners, may be a server's and needs --demo for it.
    Development mode is on: webhooks may go to this machine. Other commands that are started in this folder use the
    same data.
    """
    settings = read_settings(Settings, port=port, data=data or get_default_folder(), development=True)
    # Bound before anything else, so that a port in use is told at once and nothing is left behind.
    with (
        exit_on_signals(),
        bind_socket(settings.host, settings.port) as sock,
        installation(settings, wait_seconds=settings.startup_timeout_seconds, may_create=True) as made,
    ):
        configure_logging(settings.log_level, settings.log_format)
        log_uncaught()
        save_data_choice(data)
        ready = None if wants_demo is False else _prepare_demo(made, settings, is_wanted=bool(wants_demo))
        ready = ready or _prepare_empty(made)
        with publish_address(made.settings):
            WebServer(made, with_background=True).run(sock, ready=ready)
    click.echo(f"Stopped. The data stays in {settings.data}.", err=True)


def _prepare_demo(made: Runtime, settings: Settings, *, is_wanted: bool) -> Callable[[], None] | None:
    """Fill in the demo data and return what prints how to use it; None if it must be wanted here and is not."""

    async def fill() -> tuple[Showcase, tuple[int, dict[str, Any]] | None] | None:
        if not (is_wanted or await is_demo_database(settings)):
            return None
        showcase = await fill_demo()
        return showcase, await build_first_order(showcase)

    filled = call_in(made, fill)
    if filled is None:
        click.echo("This may be the database of a server, so no demo data is filled in without --demo.", err=True)
        return None
    return lambda: print_welcome(*filled)


def _prepare_empty(made: Runtime) -> Callable[[], None]:
    print_setup_link(made)
    return lambda: click.echo(f"Comanda is ready at {made.settings.site_url} (Ctrl-C stops it).")
