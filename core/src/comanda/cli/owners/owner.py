"""`comanda owner`."""

import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from comanda.accounts import administration, owner_login, services
from comanda.accounts.records import OwnerSummary
from comanda.accounts.sign_in import owner_two_factor
from comanda.cli.environment_file import read_installed_settings
from comanda.cli.options import data_option, json_option
from comanda.cli.session import call, call_core, call_in, installation
from comanda.platform.audit_log.entries import record_action

if TYPE_CHECKING:
    from comanda.accounts.owners.owner_erasure import OwnerErasurePlan

ERASURE_TIMEOUT_SECONDS: Final = 3600


@click.group()
def owner() -> None:
    """Create, list, export, erase, suspend and resume owners, the tenants; set passwords and administrators."""


@owner.command()
@click.argument("email")
@click.option("--name", help="The name of the owner.  [default: the local part of the e-mail]")
@json_option
@data_option
def create(email: str, name: str | None, as_json: bool, data: Path | None) -> None:
    """Create an owner."""
    made = call(lambda: services.create_owner(email, name or email.partition("@")[0]), data)
    record = {"id": made.id, "email": made.email, "name": made.name}
    click.echo(json.dumps(record) if as_json else f"Created owner {made.id}: {made.name} <{made.email}>.")


@owner.command("list")
@json_option
@data_option
def list_(as_json: bool, data: Path | None) -> None:
    """List all owners."""
    found = call_core(administration.list_owners, data)
    if as_json:
        click.echo(json.dumps([asdict(one) for one in found], default=str))
    for one in [] if as_json else found:
        click.echo(_format_line(one))


@owner.command()
@click.argument("email")
@click.option("--password-stdin", "from_stdin", is_flag=True, help="Read the password from standard input.")
@data_option
def password(email: str, from_stdin: bool, data: Path | None) -> None:
    """Set the password with which an owner signs in on pages.

    Web sessions and logins in apps end. Personal tokens keep working.
    """
    text = (
        sys.stdin.readline().rstrip("\r\n")
        if from_stdin
        else click.prompt("Password", hide_input=True, confirmation_prompt=True)
    )

    async def work() -> str:
        found = await services.find_owner(email)
        await owner_login.set_owner_password(found.id, text)
        return found.email

    click.echo(f"The password of {call(work, data)} is set. Sign in at /sign-in.")


@owner.command()
@click.argument("email")
@click.option("--reason", default="", help="Why, for those who ask; the owner's customers do not see it.")
@data_option
def suspend(email: str, reason: str, data: Path | None) -> None:
    """Suspend an owner.

    Tokens and web sessions stop working immediately, stores are hidden, and no webhooks are sent.
    """
    made = call(lambda: administration.set_suspended(email, is_suspended=True, reason=reason), data)
    click.echo(f"{made.email} is suspended.")


@owner.command()
@click.argument("email")
@data_option
def resume(email: str, data: Path | None) -> None:
    """Resume a suspended owner."""
    made = call(lambda: administration.set_suspended(email, is_suspended=False), data)
    click.echo(f"{made.email} is no longer suspended.")


@owner.command()
@click.argument("email")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@json_option
@data_option
def export(email: str, file: Path, as_json: bool, data: Path | None) -> None:
    """Export an owner's stores, menus and orders into the new FILE.zip, as JSON.

    The file contains personal data of guests; only this user can read it.
    """
    from comanda.cli.owners.owner_export import export_owner

    async def work() -> int:
        return await export_owner(await services.find_owner(email), file)

    stores = call(work, data)
    record = {"file": str(file), "bytes": file.stat().st_size, "stores": stores}
    click.echo(json.dumps(record) if as_json else f"Exported {stores} stores of {email} to {file}.")


@owner.command()
@click.argument("email")
@click.option("--dry-run", "is_dry_run", is_flag=True, help="Only show what would be erased.")
@click.option("--yes", "is_confirmed", is_flag=True, help="Do not ask.")
@json_option
@data_option
def erase(email: str, is_dry_run: bool, is_confirmed: bool, as_json: bool, data: Path | None) -> None:
    """Erase an owner with stores, menus, orders, customers and staff, for good.

    Ledgers and issued invoices stay. It is refused while orders, payments or subscriptions are open.
    """
    from comanda.accounts.owners.owner_erasure import erase_owner, plan_owner_erasure

    if as_json and not (is_dry_run or is_confirmed):
        raise click.UsageError("--json needs --dry-run or --yes.")
    settings = read_installed_settings(data)
    # Rows of years are deleted in one statement.
    settings = settings.model_copy(update={"statement_timeout_seconds": ERASURE_TIMEOUT_SECONDS})
    with installation(settings) as made:
        plan = call_in(made, lambda: plan_owner_erasure(email))
        if not as_json:
            _print_erasure(plan)
        if not is_dry_run and not plan.obstacles:
            if not is_confirmed:
                click.echo(f"To keep a copy: comanda owner export {email} FILE.zip")
                click.confirm("Erase this for good?", abort=True)
            plan = call_in(made, lambda: erase_owner(email))
    is_erased = not is_dry_run and not plan.obstacles
    if as_json:
        click.echo(json.dumps({**asdict(plan), "is_erased": is_erased}))
    else:
        click.echo(f"Erased {email}." if is_erased else "Nothing was erased.")
    if plan.obstacles:
        raise click.exceptions.Exit(1)


def _print_erasure(plan: "OwnerErasurePlan") -> None:
    for verb, tables in (("delete", plan.deleted), ("keep", plan.kept)):
        for table, rows in sorted(tables.items()):
            click.echo(f"{verb:<8}  {table:<36} {rows:>10,} {'row' if rows == 1 else 'rows'}")
    for sentence in plan.obstacles:
        click.echo(sentence, err=True)


@owner.command("disable-two-factor")
@click.argument("email")
@data_option
def disable_two_factor(email: str, data: Path | None) -> None:
    """Turn off two-factor of an owner who has lost the phone and the recovery codes.

    The password and passkeys stay.
    """

    async def work() -> str:
        found = await services.find_owner(email)
        await owner_two_factor.disable(found.id)
        await record_action(found.id, "account/two_factor_disable", actor_kind=administration.OPERATOR, actor_id=0)
        return found.email

    click.echo(f"Two-factor of {call(work, data)} is off.")


@owner.command("grant-admin")
@click.argument("email")
@data_option
def grant_admin(email: str, data: Path | None) -> None:
    """Grant an owner the administration of the installation.

    Administrators see the pages for the whole installation in their dashboard.
    """
    is_changed = call(lambda: administration.set_administrator(email, is_administrator=True), data)
    click.echo(f"{email} is {'now' if is_changed else 'already'} an administrator.")


@owner.command("revoke-admin")
@click.argument("email")
@data_option
def revoke_admin(email: str, data: Path | None) -> None:
    """Revoke the administration of the installation from an owner."""
    is_changed = call(lambda: administration.set_administrator(email, is_administrator=False), data)
    click.echo(f"{email} is {'no longer' if is_changed else 'not'} an administrator.")


def _format_line(one: OwnerSummary) -> str:
    state = "suspended" if one.is_suspended else "active"
    line = f"{one.id:>6}  {one.email:<40}  {state:<9}  {one.stores_count:>4} stores  {one.name}"
    line = f"{line}  (administrator)" if one.is_administrator else line
    return f"{line}  ({one.suspend_reason})" if one.suspend_reason else line
