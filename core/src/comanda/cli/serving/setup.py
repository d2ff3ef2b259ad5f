"""The link under which the first owner is created, printed when a server starts without one."""

import click

from comanda.cli.session import call_in
from comanda.platform.runtime import Runtime
from comanda.stores.setup import create_setup_link


def print_setup_link(made: Runtime) -> None:
    """Print a new setup link to standard error if there is no owner yet.

    Not logged, because logs mask secrets.
    """
    link = call_in(made, create_setup_link)
    if link is not None:
        click.echo(f"There is no owner yet. Create the first one, within 24 hours, at\n\n    {link}\n", err=True)
