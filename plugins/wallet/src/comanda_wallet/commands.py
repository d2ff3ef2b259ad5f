"""The commands ``comanda wallet``. Services are imported when a command runs, to keep the start of servers fast."""

import json
from collections.abc import Awaitable, Callable
from pathlib import Path

import click
from comanda.cli import call, data_option, json_option

OPERATOR = "operator"


@click.group()
def wallet() -> None:
    """Show, top up and correct the wallets of owners, and verify the ledger."""


@wallet.command()
@click.argument("email")
@json_option
@data_option
def show(email: str, as_json: bool, data: Path | None) -> None:
    """Show the wallet of an owner."""
    _print_wallet(email, _do_nothing, data, as_json=as_json)


@wallet.command("top-up")
@click.argument("email")
@click.argument("amount")
@click.option("--reference", required=True, help="The payment outside, such as an invoice; repeated, it adds nothing.")
@click.option("--description", default="", help="What the owner reads in the list of entries.")
@json_option
@data_option
def top_up(email: str, amount: str, reference: str, description: str, as_json: bool, data: Path | None) -> None:
    """Add money that an owner has paid, such as 25.00."""
    from comanda_wallet.services import deposits

    async def work(owner_id: int) -> None:
        await deposits.top_up(owner_id, _parse(amount), reference, description, OPERATOR)

    _print_wallet(email, work, data, as_json=as_json)


@wallet.command(context_settings={"ignore_unknown_options": True})
@click.argument("email")
@click.argument("amount")
@click.option("--reason", required=True, help="Why; the owner reads it in the list of entries.")
@click.option("--reference", help="Makes repeating the command safe: a known reference changes nothing.")
@json_option
@data_option
def adjust(email: str, amount: str, reason: str, reference: str | None, as_json: bool, data: Path | None) -> None:
    """Correct a balance up or down, such as 5.00 or -5.00."""
    from comanda_wallet.services import deposits

    async def work(owner_id: int) -> None:
        await deposits.adjust(owner_id, _parse(amount), reason, OPERATOR, reference)

    _print_wallet(email, work, data, as_json=as_json)


@wallet.command("credit-limit")
@click.argument("email")
@click.argument("amount")
@json_option
@data_option
def credit_limit(email: str, amount: str, as_json: bool, data: Path | None) -> None:
    """Set how far below zero charges may take a balance; 0 for no credit."""
    from comanda_wallet.services import wallets

    async def work(owner_id: int) -> None:
        await wallets.set_credit_limit(owner_id, _parse(amount))

    _print_wallet(email, work, data, as_json=as_json)


@wallet.command()
@json_option
@data_option
def verify(as_json: bool, data: Path | None) -> None:
    """Check that all legs sum to zero and all balances equal their entries; exit with 1 if not."""
    from comanda_wallet.services.verification import verify_ledger

    report = call(verify_ledger, data)
    if as_json:
        problems = [{"owner_id": problem.owner_id, "problem": problem.sentence} for problem in report.problems]
        counts = {"wallets": report.wallets, "entries": report.entries, "legs": report.legs}
        click.echo(json.dumps({**counts, "problems": problems}))
    else:
        for problem in report.problems:
            click.echo(f"Owner {problem.owner_id}: {problem.sentence}")
        click.echo(f"Checked {report.wallets} wallets, {report.entries} entries and {report.legs} legs.")
    if report.problems:
        raise click.exceptions.Exit(1)


async def _do_nothing(_owner_id: int) -> None:
    pass


def _parse(amount: str) -> int:
    """Return an amount in minor units of the wallets' currency."""
    from comanda.basics import to_minor

    from comanda_wallet.settings import get_currency

    try:
        return to_minor(amount, get_currency())
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="AMOUNT") from error


def _print_wallet(email: str, work: Callable[[int], Awaitable[None]], data: Path | None, *, as_json: bool) -> None:
    """Do something to an owner's wallet, and print it afterwards."""
    from comanda.accounts import find_owner
    from comanda.contracts import to_wire

    from comanda_wallet.records import Wallet
    from comanda_wallet.schemas import WalletOut
    from comanda_wallet.services import wallets

    async def run() -> Wallet:
        owner_id = (await find_owner(email)).id
        try:
            await work(owner_id)
        except ValueError as error:
            raise click.ClickException(str(error)) from error
        return await wallets.get_wallet(owner_id)

    found = call(run, data)
    if as_json:
        click.echo(json.dumps(to_wire(WalletOut, found)))
        return
    balance, limit, available = (
        f"{amount.to_decimal_string()} {amount.currency}"
        for amount in (found.balance, found.credit_limit, found.available)
    )
    click.echo(f"{email}: balance {balance}, credit limit {limit}, available {available}.")
