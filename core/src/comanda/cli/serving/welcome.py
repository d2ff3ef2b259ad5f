"""The welcome message of `comanda run`: links, demo logins and a first order to paste."""

import json
import shutil
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import orjson
from rich.console import Console

from comanda.basics.build_version import get_build_version
from comanda.basics.errors import NotFound
from comanda.contracts.demo import Showcase
from comanda.contracts.requests.routes import API_PREFIX
from comanda.menu import public_view
from comanda.platform import runtime
from comanda.stores.records import find_vertical


async def build_first_order(showcase: Showcase) -> tuple[int, dict[str, Any]] | None:
    """Return a store id and the body of an order of two items, or None if no demo store accepts one."""
    for store in showcase.stores:
        vertical = find_vertical(str(store["store_type"]))
        modes = [runtime.registry().fulfillment_modes[code] for code in vertical.fulfillment_modes] if vertical else []
        mode = next((mode.code for mode in modes if not mode.required_fields), None)
        store_id = int(str(store["id"]))
        try:
            menu = orjson.loads((await public_view.get_public_menu(store_id)).public)
        except NotFound:  # not published
            continue
        plain = [item["id"] for category in menu for item in category["items"] if _is_plain(item)]
        if mode is not None and len(plain) >= 2:
            lines = [{"item_id": plain[0], "quantity": 2}, {"item_id": plain[-1], "quantity": 1}]
            return store_id, {"type": mode, "customer_name": "Ada", "items": lines}
    return None


def _is_plain(item: dict[str, Any]) -> bool:
    return not item["variations"] and not any(group["is_required"] for group in item["extra_groups"])


def format_curl(site_url: str, token: str, store_id: int, body: dict[str, Any]) -> str:
    """Return the shell command that places the order."""
    return (
        f"curl -sS -X POST {site_url}{API_PREFIX}/restaurants/{store_id}/orders \\\n"
        f"  -H 'Authorization: Bearer {token}' \\\n"
        "  -H 'Content-Type: application/json' \\\n"
        f"  -d '{json.dumps(body)}'"
    )


def print_welcome(showcase: Showcase, order: tuple[int, dict[str, Any]] | None) -> None:
    """Print the message, in color on a terminal; text to copy is never wrapped."""
    site = runtime.settings().site_url
    console = Console(highlight=False, soft_wrap=True)
    console.print(f"\n[bold green]Comanda {get_build_version()} is ready[/] at [bold]{site}[/]   (Ctrl-C stops it)\n")
    if not runtime.registry().verticals:
        console.print("[yellow]No vertical is installed, so no store can be created. Install comanda-restaurant.[/]\n")
    _print_rows(console, _list_links(site, showcase))
    console.print("\n[bold]Demo tokens[/]")
    _print_rows(console, showcase.tokens)
    if showcase.logins:
        console.print("\n[bold]Demo logins[/]")
        _print_rows(
            console, dict(row for role, login in showcase.logins.items() for row in _format_logins(role, login))
        )
        if (line := _format_codes_hint(site)) is not None:
            console.print(line, markup=False)
    if order is not None:
        console.print("\n[bold]Place an order[/]: paste this into another terminal\n")
        console.print(format_curl(site, showcase.tokens["owner"], *order), markup=False, style="cyan")
    if (line := _format_listen_command(site, showcase.tokens["owner"])) is not None:
        console.print("\n[bold]Receive it as a signed webhook[/]: start this first, then place the order again\n")
        console.print(line, markup=False, style="cyan")
    console.print()


def _format_codes_hint(site: str) -> str | None:
    """Return where the codes of logins by phone or e-mail can be read, or None if no plugin shows them."""
    if not _has_command("outbox"):
        return None
    return f"  Login codes that would be sent by SMS or e-mail: {_get_program()} outbox, or {site}/outbox/"


def _format_listen_command(site: str, token: str) -> str | None:
    """Return the shell command that receives webhooks, or None if no plugin has it."""
    if not _has_command("listen"):
        return None
    return f"{_get_program()} listen --register --url {site} --token {token}"


def _has_command(name: str) -> bool:
    return any(command.name == name for command in runtime.registry().commands)


def _list_links(site: str, showcase: Showcase) -> dict[str, str]:
    links = {"Start page": f"{site}/"}
    links |= {link.title: site + link.path for pages in runtime.registry().pages for link in pages.links}
    for store in showcase.stores:
        path = store.get("page", f"{API_PREFIX}/menu/{store['id']}")
        links[f"{store['slug']}, {store['store_type']} {store['id']}"] = f"{site}{path}"
    return links


def _format_logins(role: str, login: object) -> Iterator[tuple[str, str]]:
    """Yield logins with their credentials; a role with several people is a mapping of mappings."""
    if not isinstance(login, Mapping):
        yield role, str(login)
        return
    people = {name: values for name, values in login.items() if isinstance(values, Mapping)}
    common = {name: value for name, value in login.items() if name not in people}
    for name, values in (people or {"": {}}).items():
        yield (
            f"{role} {name}".strip(),
            ", ".join(
                f"{key} {'(changed)' if value is None else value}" for key, value in {**values, **common}.items()
            ),
        )


def _print_rows(console: Console, rows: dict[str, str]) -> None:
    width = max((len(name) for name in rows), default=0)
    for name, value in rows.items():
        console.print(f"  {name:<{width}}  {value}", markup=False)


def _get_program() -> str:
    """Return the name of this program as it can be typed in another terminal."""
    program = Path(sys.argv[0]).absolute()
    # By its path where that is short: `make run` adds the environment to its PATH, another terminal does not.
    if program.is_relative_to(Path.cwd()):
        return str(program.relative_to(Path.cwd()))
    found = shutil.which("comanda")
    return "comanda" if found is not None and Path(found).resolve() == program.resolve() else str(program)
