"""`comanda menu`."""

import sys
from pathlib import Path

import click

from comanda.basics.errors import BadRequest, ComandaError, NotFound, ValidationFailed
from comanda.cli.options import data_option, json_option
from comanda.cli.session import call, to_owner_caller
from comanda.contracts.requests.callers import Caller
from comanda.menu.imports import services
from comanda.menu.imports.schemas import MAX_BYTES, ImportCounts, ImportReport
from comanda.menu.imports.steps import ImportFile
from comanda.stores.models import Store

store_option = click.option("--store", required=True, help="The id or the slug of the store.")
FILE = click.Path(path_type=Path, dir_okay=False)


@click.group()
def menu() -> None:
    """Import and export menus."""


@menu.command("import")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False, exists=True))
@store_option
@click.option("--dry-run", is_flag=True, help="Only show what would change.")
@click.option("--remove-missing", is_flag=True, help="Remove what is not in the file.")
@json_option
@data_option
def import_(file: Path, store: str, dry_run: bool, remove_missing: bool, as_json: bool, data: Path | None) -> None:
    """Import a menu from FILE.csv, FILE.xlsx or FILE.json.

    Either everything is imported or nothing.
    """
    form = _parse_format(file, "csv", "xlsx", "json")
    raw = file.read_bytes()
    if len(raw) > MAX_BYTES:
        raise click.ClickException(f"{file} is larger than {MAX_BYTES // 1024 // 1024} MB.")

    async def work() -> ImportReport:
        caller, store_id = await _find_store(store)
        is_table = form != "json"
        file = ImportFile(raw, is_table=is_table, by_line=True, dry_run=dry_run, remove_missing=remove_missing)
        return await services.import_menu(caller, store_id, file)

    try:
        report = call(work, data)
    except (BadRequest, ValidationFailed) as error:
        raise click.ClickException(_format_problems(file, error)) from error
    click.echo(report.model_dump_json() if as_json else _format_report(report))


@menu.command()
@click.argument("file", type=FILE)
@store_option
@data_option
def export(file: Path, store: str, data: Path | None) -> None:
    """Export a menu to FILE.csv or FILE.json, in the format of imports."""
    form = _parse_format(file, "csv", "json")

    async def work() -> bytes:
        caller, store_id = await _find_store(store)
        return await services.export_menu(caller, store_id, form)

    file.write_bytes(call(work, data))
    click.echo(f"Exported the menu to {file}.", file=sys.stderr)


async def _find_store(store: str) -> tuple[Caller, int]:
    """Find a store by its id or slug; return its owner as the caller, and its id."""
    found = await Store.get_or_none(slug=store)
    if found is None and store.isascii() and store.isdigit() and len(store) < 19:
        found = await Store.get_or_none(id=int(store))
    if found is None:
        raise NotFound(f"There is no store {store}.")
    return to_owner_caller(found.owner_id), found.id


def _parse_format(file: Path, *forms: str) -> str:
    form = file.suffix.lower().removeprefix(".")
    if form not in forms:
        *some, last = (f".{each}" for each in forms)
        raise click.ClickException(f"{file} must end in {', '.join(some)} or {last}.")
    return form


def _format_problems(file: Path, error: ComandaError) -> str:
    if not isinstance(error, ValidationFailed):
        return f"{file}: {error}"
    lines = [f"{file}: {_format_place(key)}{sentence}" for key, found in error.errors.items() for sentence in found]
    return "\n".join(["Nothing was imported.", *lines])


def _format_place(key: str) -> str:
    line, _, column = key.removeprefix("line.").partition(".")
    if key.startswith("line."):
        return f"line {line}, {column}: " if column else f"line {line}: "
    return f"{key}: "


def _format_report(report: ImportReport) -> str:
    lines = [f"{change.change:<8} {change.entity:<9} {change.name}" for change in report.changes]
    lines += [f"Line {each.line}: {each.message}" if each.line else each.message for each in report.warnings]
    lines += [
        f"{name}: {_format_counts(counts)}"
        for name, counts in (("Categories", report.categories), ("Items", report.items))
    ]
    return "\n".join([*lines, "Nothing was changed: this was a dry run."] if report.dry_run else lines)


def _format_counts(counts: ImportCounts) -> str:
    return ", ".join(f"{count} {name}" for name, count in counts.model_dump().items())
