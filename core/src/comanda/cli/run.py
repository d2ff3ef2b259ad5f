"""`comanda run`: everything in one process, for a first look and for development."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from comanda.cli.demo_installation import fill_demo, publish_address
from comanda.cli.options import data_option, get_default_folder, save_data_choice
from comanda.cli.session import call_in, exit_on_signals, installation
from comanda.cli.setup import print_setup_link
from comanda.cli.welcome import build_first_order, print_welcome
from comanda.contracts.demo import Showcase
from comanda.observability import configure_logging, log_uncaught
from comanda.runtime import Runtime
from comanda.serving.process import WebServer, bind_socket
from comanda.settings import Settings, read_settings


@click.command()
@click.option("--port", type=click.IntRange(1, 65535), help="Port to listen on.  [default: $PORT, else 8000]")
@click.option("--no-demo", is_flag=True, help="Fill in no demo data; print a link to set up an empty installation.")
@data_option
def run(port: int | None, no_demo: bool, data: Path | None) -> None:
    """Start Comanda with a database, demo data, server and worker in one process.

    The embedded PostgreSQL keeps its data in the folder of --data unless DATABASE_URL names another. Demo data is
    filled in once, unless --no-demo is given. Development mode is on: webhooks may go to this machine. Other commands
    that are started in this folder use the same data.
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
        ready = _prepare_empty(made) if no_demo else _prepare_demo(made)
        with publish_address(made.settings):
            WebServer(made, with_background=True).run(sock, ready=ready)
    click.echo(f"Stopped. The data stays in {settings.data}.", err=True)


def _prepare_demo(made: Runtime) -> Callable[[], None]:
    """Fill in the demo data and return what prints how to use it."""

    async def fill() -> tuple[Showcase, tuple[int, dict[str, Any]] | None]:
        showcase = await fill_demo()
        return showcase, await build_first_order(showcase)

    showcase, order = call_in(made, fill)
    return lambda: print_welcome(showcase, order)


def _prepare_empty(made: Runtime) -> Callable[[], None]:
    print_setup_link(made)
    return lambda: click.echo(f"Comanda is ready at {made.settings.site_url} (Ctrl-C stops it).")
