"""Write an app's next migration from its models: ``python -m comanda_migrations.generate APP MODULES FOLDER NAME``.

aerich compares the models with the description of them that the app's last file carries, so no database is needed. It
keeps state between apps and describes every app it is given in one file; hence one app per process, with nothing beside
it but aerich's own table. ``draft_rules`` makes of its script what this house asks for, in as many files as that takes.
It is a draft: see README.md for what to look at and what to add by hand.
"""

import argparse
import ast
import asyncio
import importlib.util
import os
import re
import shutil
import subprocess
import sys
import tempfile
import textwrap
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from aerich import Command
from aerich.utils import decompress_dict

from .draft_rules import Draft, DraftFile, read_tables, split_script
from .expected import NOWHERE, describe
from .history import FILE_NAME, History, MigrationError

# aerich's table is the runner's business, not a part of the first app's history.
AERICH_TABLE = re.compile(r'\nCREATE TABLE IF NOT EXISTS "aerich" \(.*?\n\);', re.DOTALL)
PACKAGE = '"""The migrations of {app}, numbered by aerich and reviewed by people."""\n'
SCRIPT = re.compile(r'return """(?P<sql>.*?)"""', re.DOTALL)
MODELS_STATE = re.compile(r"^MODELS_STATE = (?P<value>\(.*?^\))$", re.DOTALL | re.MULTILINE)
MIGRATION = '''"""{title}."""

from tortoise import BaseDBAsyncClient

RUN_IN_TRANSACTION = {is_transaction}


async def upgrade(db: BaseDBAsyncClient) -> str:
    """{title}."""
    return """
{upgrade}    """


async def downgrade(db: BaseDBAsyncClient) -> str:
    """Undo it."""
    return """
{downgrade}    """


{models_state}
'''


def new_migration(history: History, name: str) -> list[Path]:
    """Write the files that bring an app's tables from its last migration to its models, in a process of its own.

    Returns them, to be reviewed; none if nothing changed. Raises ``MigrationError`` with what aerich said if it fails,
    such as for a model that cannot be imported.
    """
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    command = [sys.executable, "-m", "comanda_migrations.generate"]
    command += [history.app, ",".join(history.modules), str(_folder_on_disk(history)), name]
    written = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if written.returncode != 0:
        raise MigrationError(f"No migration was written for {history.app}: {written.stderr.strip()[-2000:]}")
    return [Path(line) for line in written.stdout.splitlines() if line.endswith(".py")]


def empty_migration(history: History, name: str) -> Path:
    """Write the next file without statements, which people write; it describes the models as the last one does.

    Raises ``MigrationError`` if the app has no file yet.
    """
    place = _folder_on_disk(history)
    last = _find_last(place)
    if last is None:
        raise MigrationError(
            f"{history.app} has no migrations yet. Generate the first one from its models.", history.app
        )
    stamp = datetime.now(UTC).strftime("%Y%m%d%H%M%S")
    path = place / f"{_get_number(last) + 1}_{stamp}_{_to_file_name(name)}.py"
    return _write(path, DraftFile("", is_transaction=True), "", last.read_text(encoding="utf-8"), name)


def _folder_on_disk(history: History) -> Path:
    """Find a history's folder; before its first migration only the package around it may exist."""
    parent, _, name = history.migrations.rpartition(".")
    for package, rest in ((history.migrations, ""), (parent, name)):
        spec = importlib.util.find_spec(package) if package else None
        if spec and spec.submodule_search_locations:
            return Path(spec.submodule_search_locations[0], rest)
    raise MigrationError(f"The package {parent or history.migrations} of {history.app}'s migrations cannot be found.")


def generate(app: str, modules: list[str], place: Path, name: str) -> list[Path]:
    """Write the next files into ``place``; for a process that ends thereafter. Returns none if nothing changed."""
    last = _find_last(place)
    # aerich refuses a folder that holds anything else, so it works in one of its own, on a copy of the last file.
    with tempfile.TemporaryDirectory() as temporary:
        draft_folder = Path(temporary, app)
        command = Command(_config(app, modules), app=app, location=temporary)
        if last is not None:
            draft_folder.mkdir()
            shutil.copy(last, draft_folder)
        asyncio.run(_draft(command, _to_file_name(name), first=last is None))
        draft = next((path for path in draft_folder.glob("*.py") if last is None or path.name != last.name), None)
        if draft is None:
            return []
        text = AERICH_TABLE.sub("", draft.read_text(encoding="utf-8"))
    place.mkdir(parents=True, exist_ok=True)
    if not (package := place / "__init__.py").exists():
        package.write_text(PACKAGE.format(app=app), encoding="utf-8")
    upgrade, downgrade = (match["sql"] for match in SCRIPT.finditer(text))
    schema = str(asyncio.run(describe({app: modules}))["sql"])
    files = Draft(read_tables(schema), _read_types(last)).add(upgrade)
    number, _, rest = draft.stem.partition("_")
    return [
        _write(place / f"{int(number) + at}_{rest}{file.suffix}.py", file, "" if at else downgrade, text, name)
        for at, file in enumerate(files)
    ]


def _write(path: Path, file: DraftFile, downgrade: str, text: str, name: str) -> Path:
    """Write a file with the state of the models in ``text``, which is another migration."""
    state = MODELS_STATE.search(text)
    if state is None:
        raise MigrationError(f"There is no MODELS_STATE to go on from before {path.name}.")
    title = _to_file_name(name).replace("_", " ").capitalize()
    content = MIGRATION.format(
        title=title,
        is_transaction=file.is_transaction,
        upgrade=_indent(file.statements),
        downgrade=_indent(split_script(downgrade)),
        models_state=state[0],
    )
    path.write_text(content, encoding="utf-8")
    return path


def _indent(statements: list[str]) -> str:
    return "".join(textwrap.indent(f"{statement};\n", " " * 8) for statement in statements)


def _find_last(place: Path) -> Path | None:
    files = [path for path in place.glob("*.py") if FILE_NAME.fullmatch(path.name)]
    return max(files, key=_get_number, default=None)


def _get_number(path: Path) -> int:
    return int(path.name.partition("_")[0])


def _to_file_name(name: str) -> str:
    return re.sub(r"\W+", "_", name).strip("_")


def _read_types(last: Path | None) -> dict[tuple[str, str], str]:
    """Return the SQL type of each column of each table of the models in a migration."""
    state = MODELS_STATE.search(last.read_text(encoding="utf-8")) if last else None
    models = decompress_dict(ast.literal_eval(state["value"])) if state else {}
    return {
        (model["table"], column["db_column"]): column["db_field_types"].get("postgres", column["db_field_types"][""])
        for model in models.values()
        for column in model["data_fields"]
    }


async def _draft(command: Command, name: str, *, first: bool) -> None:
    # Entering the command as a context would ask a database.
    try:
        if first:
            await command.init_migrations(safe=True)
        else:
            await command.init(offline=True)
            await command.migrate(name, no_input=True, offline=True)
    finally:
        await command.aclose()


def _config(app: str, modules: list[str]) -> dict[str, Any]:
    return {
        "connections": {"default": NOWHERE},
        "apps": {
            app: {"models": modules, "default_connection": "default"},
            "aerich": {"models": ["aerich.models"], "default_connection": "default"},
        },
    }


def main() -> None:
    """Write one migration and print the paths of its files, or that nothing changed."""
    parser = argparse.ArgumentParser(prog="python -m comanda_migrations.generate", description=__doc__)
    parser.add_argument("app", help="the app's name, such as kds")
    parser.add_argument("modules", help="its model modules, separated by commas")
    parser.add_argument("folder", type=Path, help="the folder of its migrations")
    parser.add_argument("name", help="what changes, such as add_station")
    given = parser.parse_args()
    written = generate(given.app, given.modules.split(","), given.folder.resolve(), given.name)
    for path in written:
        sys.stdout.write(f"{path}\n")
    if not written:
        sys.stdout.write(f"Nothing changed in the models of {given.app}.\n")


if __name__ == "__main__":
    main()
