"""``comanda analytics``. Its code is imported when it runs, as no server's start should wait for it."""

from pathlib import Path

import click
from comanda.cli.options import data_option


@click.group()
def analytics() -> None:
    """Look after the sums that reports are made of."""


@analytics.command()
@data_option
@click.option("--store", "store_id", type=click.IntRange(1), help="Only this store's, by its id.")
def rebuild(data: Path | None, store_id: int | None) -> None:
    """Count every order anew. Orders may be placed meanwhile; reports are right throughout, but slower."""
    from comanda.cli import session  # noqa: PLC0415 - see the module's docstring

    from comanda_analytics import filling  # noqa: PLC0415

    stores = session.call(lambda: filling.rebuild(store_id), data)
    click.echo(f"Counted the orders of {stores} {'store' if stores == 1 else 'stores'}.")
