"""The command group ``comanda reseller``. Its code is imported when it runs, to keep the start of servers fast."""

import json
from dataclasses import asdict
from pathlib import Path

import click
from comanda.cli import call, data_option, json_option


@click.group()
def reseller() -> None:
    """Create and list resellers, and give them customers and tiers."""


@reseller.command()
@click.argument("email")
@click.option("--currency", help="The currency of its plans and invoices.  [default: that of wallets]")
@json_option
@data_option
def create(email: str, currency: str | None, as_json: bool, data: Path | None) -> None:
    """Register the owner EMAIL as a reseller."""
    from comanda.accounts import find_owner

    from comanda_reseller.services.resellers import account_administration

    async def make() -> dict[str, object]:
        owner = await find_owner(email)
        account = await account_administration.create_reseller(owner.id, currency)
        return {"id": owner.id, "email": owner.email, "name": owner.name, "currency": account.currency}

    made = call(make, data)
    text = f"{made['email']} is a reseller; plans and invoices are in {made['currency']}."
    click.echo(json.dumps(made) if as_json else text)


@reseller.command("list")
@json_option
@data_option
def list_(as_json: bool, data: Path | None) -> None:
    """List all resellers."""
    from comanda_reseller.services.resellers import account_administration

    found = call(account_administration.list_resellers, data)
    if as_json:
        click.echo(json.dumps([asdict(one) for one in found]))
        return
    for one in found:
        state = "" if one.is_active else "  disabled"
        click.echo(
            f"{one.owner_id:>6}  {one.email:<40}  {one.currency}  {one.customers_count:>4} customers  "
            f"{one.subscriptions_count:>4} subscriptions  {one.tier_key or 'tier by customers'}{state}"
        )


@reseller.command()
@click.argument("email")
@data_option
def disable(email: str, data: Path | None) -> None:
    """Take the reseller flag from the owner EMAIL; subscriptions of its customers go on."""
    from comanda.accounts import find_owner

    from comanda_reseller.services.resellers import account_administration

    async def run() -> None:
        await account_administration.disable_reseller((await find_owner(email)).id)

    call(run, data)
    click.echo(f"{email} is no longer a reseller.")


@reseller.command("set-tier")
@click.argument("email")
@click.argument("tier")
@data_option
def set_tier(email: str, tier: str, data: Path | None) -> None:
    """Set the TIER of the reseller EMAIL by its key; `auto` for that of its number of customers."""
    from comanda.accounts import find_owner

    from comanda_reseller.services.resellers import account_administration
    from comanda_reseller.settings import get_settings

    async def run() -> None:
        known = [one.key for one in get_settings().tiers]
        if tier not in (*known, "auto"):
            raise click.ClickException(f"There is no tier {tier}. Known are: {', '.join(known)}, auto.")
        await account_administration.set_tier((await find_owner(email)).id, None if tier == "auto" else tier)

    call(run, data)
    click.echo(f"The tier of {email} is {tier}.")


@reseller.command("add-customer")
@click.argument("email")
@click.argument("customer_email")
@data_option
def add_customer(email: str, customer_email: str, data: Path | None) -> None:
    """Add the existing owner CUSTOMER_EMAIL as a customer of the reseller EMAIL."""
    from comanda_reseller.services.resellers import account_administration

    call(lambda: account_administration.add_customer(email, customer_email), data)
    click.echo(f"{customer_email} is a customer of {email}.")
