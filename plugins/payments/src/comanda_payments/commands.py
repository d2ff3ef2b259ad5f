"""The commands ``comanda payments``. Services are imported when a command runs, to keep the start of servers fast."""

from collections.abc import Awaitable, Callable
from pathlib import Path

import click
from comanda.cli import call, data_option


@click.group()
def payments() -> None:
    """Decide which owners use the operator's payment accounts, and the fees of online payments."""


@payments.command()
@click.argument("email")
@click.option("--off", is_flag=True, help="Lend it no longer. Payments that were made stay where they are.")
@data_option
def lend(email: str, off: bool, data: Path | None) -> None:
    """Lend the operator's accounts to an owner's stores that have none of their own.

    Their money then goes to the operator, who pays it out to the owner.
    """
    from comanda_payments.services.accounts import terms

    _run(email, lambda owner_id: terms.set_loan(owner_id, lends_account=not off), data)
    click.echo(f"{email} {'may no longer use' if off else 'may use'} the operator's payment accounts.")


@payments.command()
@click.argument("email")
@click.option("--percent", help="Of the amount, such as 1.5.")
@click.option("--fixed", default="0", help="Of each payment, such as 0.10, in the currency of wallets.")
@click.option("--store", type=int, help="The id of one store, instead of all.")
@click.option("--plan", is_flag=True, help="The fee of the owner's plan again.")
@data_option
def fee(email: str, percent: str | None, fixed: str, store: int | None, plan: bool, data: Path | None) -> None:
    """Set the fee that providers withhold from an owner's online payments, if they can."""
    from comanda_payments.services.accounts import terms
    from comanda_payments.services.accounts.fees import Fee

    if plan == (percent is not None):
        raise click.UsageError("Give either --percent or --plan.")

    async def work(owner_id: int) -> None:
        chosen = None if percent is None else Fee(_parse_percent(percent), _parse_fixed(fixed))
        await terms.set_fee(owner_id, store, chosen)

    _run(email, work, data)
    where = "" if store is None else f" in store {store}"
    what = "that of the plan" if percent is None else f"{percent} % + {fixed}"
    click.echo(f"The fee of {email}{where} is {what}.")


def _parse_percent(text: str) -> int:
    """Return parts per million."""
    from decimal import Decimal, InvalidOperation

    from comanda.basics import PPM_OF_WHOLE, to_ppm

    try:
        rate_ppm = to_ppm(Decimal(text))
    except (ValueError, InvalidOperation) as error:
        raise click.BadParameter("Must be a percentage, such as 1.5.", param_hint="--percent") from error
    if not 0 <= rate_ppm <= PPM_OF_WHOLE:
        raise click.BadParameter("Must be from 0 to 100.", param_hint="--percent")
    return rate_ppm


def _parse_fixed(text: str) -> int:
    from comanda.basics import to_minor
    from comanda_wallet.api import get_currency

    try:
        amount = to_minor(text, get_currency())
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="--fixed") from error
    if amount < 0:
        raise click.BadParameter("Must be 0 or more.", param_hint="--fixed")
    return amount


def _run(email: str, work: Callable[[int], Awaitable[None]], data: Path | None) -> None:
    from comanda.accounts import find_owner

    async def run() -> None:
        await work((await find_owner(email)).id)

    call(run, data)
