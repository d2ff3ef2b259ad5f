"""`comanda demo`."""

import json
import shlex
from collections.abc import Iterator, Mapping
from pathlib import Path

import click

from comanda.basics.startup_errors import StartupError
from comanda.cli.environment_file import read_installed_settings
from comanda.cli.options import data_option, json_option
from comanda.cli.serving.demo_installation import fill_demo, get_site_url, is_demo_database
from comanda.cli.session import call_in, installation
from comanda.contracts.demo import Showcase
from comanda.contracts.requests.routes import API_PREFIX
from comanda.operations.demo_data.builder import DemoBuilder
from comanda.platform.settings import Settings


@click.command()
@json_option
@click.option("--shell", "for_shell", is_flag=True, help='Print shell variables: eval "$(comanda demo --shell)".')
@click.option("--yes", "is_confirmed", is_flag=True, help="Create it in a database with other owners, too.")
@data_option
def demo(as_json: bool, for_shell: bool, is_confirmed: bool, data: Path | None) -> None:
    """Create missing demo data, and print its stores, tokens and logins.

    Outside development, a database with other owners, or of a server, needs --yes; the demo's owner does not become
    administrator there.
    """
    settings = read_installed_settings(data)
    with installation(settings) as made:
        showcase = call_in(made, lambda: _fill(settings, is_confirmed=is_confirmed))
        site = get_site_url(made.settings)
    if as_json:
        click.echo(json.dumps(_to_record(site, showcase), indent=2))
    else:
        click.echo("\n".join(_format_exports(site, showcase) if for_shell else _format_lines(site, showcase)))


async def _fill(settings: Settings, *, is_confirmed: bool) -> DemoBuilder:
    """Fill in the demo. Raises ``StartupError`` where its owners would stand among real ones."""
    is_expected = await is_demo_database(settings)
    if not (is_confirmed or settings.development or is_expected):
        raise StartupError(
            "This is not a database for development, and a demo adds owners whose tokens and passwords are printed. "
            "Set COMANDA_DEVELOPMENT=1 if it is one, or add --yes to create the demo nevertheless."
        )
    is_own = settings.database_url is None and is_expected
    return await fill_demo(is_for_guests=not (settings.development or is_own))


def _to_record(site: str, showcase: Showcase) -> dict[str, object]:
    return {
        "base_url": f"{site}{API_PREFIX}",
        "site_url": site,
        "stores": showcase.stores,
        "tokens": showcase.tokens,
        "logins": showcase.logins,
        **showcase.details,
    }


def _format_exports(site: str, showcase: Showcase) -> list[str]:
    variables = {"SITE_URL": site, "BASE_URL": f"{site}{API_PREFIX}"}
    if showcase.stores:
        variables["STORE_ID"] = str(showcase.stores[0]["id"])
    variables |= {f"{role.upper()}_TOKEN": secret for role, secret in showcase.tokens.items()}
    variables |= {name: value for name, value in _flatten_logins(showcase.logins) if name not in variables}
    return [f"export {name}={shlex.quote(value)}" for name, value in variables.items()]


def _flatten_logins(logins: Mapping[str, object], prefix: str = "") -> Iterator[tuple[str, str]]:
    """Yield a variable for each value of logins, such as ``STAFF_MANAGER_PIN``, except for changed ones."""
    for name, value in logins.items():
        variable = f"{prefix}{name.upper()}"
        if isinstance(value, Mapping):
            yield from _flatten_logins(value, f"{variable}_")
        elif value is not None:
            yield variable, str(value)


def _format_lines(site: str, showcase: Showcase) -> list[str]:
    return [
        f"base_url  {site}{API_PREFIX}",
        *(f"store     {store['id']}  {store['slug']}  ({store['store_type']})" for store in showcase.stores),
        *(f"token     {role:<12}  {secret}" for role, secret in showcase.tokens.items()),
        *(f"login     {role:<12}  {json.dumps(login)}" for role, login in showcase.logins.items()),
    ]
