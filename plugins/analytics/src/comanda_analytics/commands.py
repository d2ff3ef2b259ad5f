"""The command ``comanda analytics``. Its code is imported when it runs, to keep the start of servers fast."""

from pathlib import Path

import click
from comanda.cli import data_option


@click.group()
def analytics() -> None:
    """Maintain the daily totals of reports."""


@analytics.command()
@data_option
@click.option("--store", "store_id", type=click.IntRange(1), help="Only this store, by id.")
def rebuild(data: Path | None, store_id: int | None) -> None:
    """Recount all orders. Orders can be placed meanwhile; reports stay correct, but are slower."""
    from comanda.cli import session

    from comanda_analytics.services import backfill

    stores = session.call(lambda: backfill.rebuild_totals(store_id), data)
    click.echo(f"Counted the orders of {stores} {'store' if stores == 1 else 'stores'}.")
