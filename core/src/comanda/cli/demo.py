"""`comanda demo`."""

import json
import shlex
from collections.abc import Iterator, Mapping
from pathlib import Path

import click

from comanda.cli.demo_installation import fill_demo, get_site_url
from comanda.cli.options import data_option, json_option
from comanda.cli.session import call_in, installation
from comanda.contracts.demo import Showcase
from comanda.contracts.routes import API_PREFIX
from comanda.settings import Settings, read_settings


@click.command()
@json_option
@click.option("--shell", "for_shell", is_flag=True, help='Print shell variables: eval "$(comanda demo --shell)".')
@data_option
def demo(as_json: bool, for_shell: bool, data: Path | None) -> None:
    """Create missing demo data, and print its stores, tokens and logins."""
    with installation(read_settings(Settings, data=data)) as made:
        showcase = call_in(made, fill_demo)
        site = get_site_url(made.settings)
    if as_json:
        click.echo(json.dumps(_to_record(site, showcase), indent=2))
    else:
        click.echo("\n".join(_format_exports(site, showcase) if for_shell else _format_lines(site, showcase)))


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
