"""`comanda store`."""

import json
from pathlib import Path

import click

from comanda.accounts.administration import list_owners
from comanda.accounts.services import find_owner
from comanda.cli.options import data_option, json_option
from comanda.cli.session import call, to_owner_caller
from comanda.contracts.requests.paging import PageRequest
from comanda.stores import services

# More than an owner has.
ALL_STORES = PageRequest(number=1, asked_per_page=1_000_000)


@click.group()
def store() -> None:
    """Create, list and delete stores."""


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


@store.command("list")
@click.option("--owner", "email", help="The e-mail of an owner.  [default: all owners]")
@json_option
@data_option
def list_(email: str | None, as_json: bool, data: Path | None) -> None:
    """List stores by owner, the newest first."""

    async def work() -> list[dict[str, object]]:
        owners = await list_owners() if email is None else [await find_owner(email)]
        return [
            {"id": found.id, "owner": one.email, "slug": found.slug, "store_type": found.store_type,
             "title": found.title, "created_at": found.created_at.isoformat()}
            for one in owners
            for found in (await services.list_stores(to_owner_caller(one.id), ALL_STORES)).data
        ]  # fmt: skip

    rows = call(work, data)
    if as_json:
        click.echo(json.dumps(rows))
    for row in [] if as_json else rows:
        click.echo(f"{row['id']:>6}  {row['owner']:<40}  {row['store_type']:<12}  {row['slug']:<30}  {row['title']}")


@store.command()
@click.argument("store_id", type=int)
@click.option("--owner", "email", required=True, help="The e-mail of the owner.")
@data_option
def delete(store_id: int, email: str, data: Path | None) -> None:
    """Delete a store that was created by mistake: one without a menu, staff, settings and orders."""

    async def work() -> None:
        await services.delete_store((await find_owner(email)).id, store_id)

    call(work, data)
    click.echo(f"Deleted store {store_id}.")
