"""`comanda store`."""

import json
from pathlib import Path

import click

from comanda.accounts.services import find_owner
from comanda.cli.options import data_option, json_option
from comanda.cli.session import call
from comanda.stores import services


@click.group()
def store() -> None:
    """Create stores."""


@store.command()
@click.option("--owner", "email", required=True, help="The e-mail of the owner.")
@click.option("--title", required=True, help="The name of the store.")
@click.option(
    "--type", "store_type", default="restaurant", show_default=True, help="A store type of an installed vertical."
)
@click.option("--currency", default="EUR", show_default=True, help="ISO 4217 code.")
@click.option("--timezone", default="UTC", show_default=True, help="IANA name, such as Europe/Lisbon.")
@click.option("--slug", help="The slug in URLs.  [default: derived from the title]")
@json_option
@data_option
def create(
    email: str,
    title: str,
    store_type: str,
    currency: str,
    timezone: str,
    slug: str | None,
    as_json: bool,
    data: Path | None,
) -> None:
    """Create a store."""

    async def work() -> int:
        owner = await find_owner(email)
        return await services.create_store(owner.id, title, store_type, currency=currency, timezone=timezone, slug=slug)

    store_id = call(work, data)
    record = {"id": store_id, "slug": slug or services.slugify(title), "store_type": store_type}
    click.echo(json.dumps(record) if as_json else f"Created store {store_id}: {title} ({record['slug']}).")
