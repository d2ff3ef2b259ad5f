"""Write an app's next migration from its models: ``python -m comanda_migrations.generate APP MODULES FOLDER NAME``.

aerich compares the models with the description of them that the app's last file carries, so no database is needed. It
keeps state between apps and describes every app it is given in one file; hence one app per process, with nothing beside
it but aerich's own table. What it writes is a draft: see README.md for what to look at and what to add by hand.
"""

import argparse
import asyncio
import importlib.util
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from aerich import Command

from .history import FILE_NAME, History, MigrationError

# Tortoise wants an address though nothing connects to it; this one could not be connected to.
NOWHERE = "postgres://nobody@/nowhere?host=/nonexistent"
# aerich's table is the runner's business, not a part of the first app's history.
AERICH_TABLE = re.compile(r'\nCREATE TABLE IF NOT EXISTS "aerich" \(.*?\n\);', re.DOTALL)
PACKAGE = '"""The migrations of {app}, numbered by aerich and reviewed by people."""\n'
RENAMES = "A column is dropped and one is added. If that is a rename, write ALTER TABLE … RENAME COLUMN … TO … instead."


def new_migration(history: History, name: str) -> Path | None:
    """Write the file that brings an app's tables from its last migration to its models, in a process of its own.

    Returns the file, to be reviewed, or None if nothing changed. Raises ``MigrationError`` with what aerich said if it
    fails, such as for a model that cannot be imported.
    """
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    command = [sys.executable, "-m", "comanda_migrations.generate"]
    command += [history.app, ",".join(history.modules), str(_folder_on_disk(history)), name]
    written = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if written.returncode != 0:
        raise MigrationError(f"No migration was written for {history.app}: {written.stderr.strip()[-2000:]}")
    last_line = written.stdout.strip().splitlines()[-1]
    return Path(last_line) if last_line.endswith(".py") else None


def _folder_on_disk(history: History) -> Path:
    """Find a history's folder; before its first migration only the package around it may exist."""
    parent, _, name = history.migrations.rpartition(".")
    for package, rest in ((history.migrations, ""), (parent, name)):
        spec = importlib.util.find_spec(package) if package else None
        if spec and spec.submodule_search_locations:
            return Path(spec.submodule_search_locations[0], rest)
    raise MigrationError(f"The package {parent or history.migrations} of {history.app}'s migrations cannot be found.")


def generate(app: str, modules: list[str], place: Path, name: str) -> Path | None:
    """Write the next file into ``place``; for a process that ends thereafter. Returns None if nothing changed."""
    files = [path for path in place.glob("*.py") if FILE_NAME.fullmatch(path.name)]
    # aerich refuses a folder that holds anything else, so it works in one of its own, on a copy of the last file.
    with tempfile.TemporaryDirectory() as temporary:
        draft_folder = Path(temporary, app)
        command = Command(_config(app, modules), app=app, location=temporary)
        if files:
            draft_folder.mkdir()
            last = max(files, key=lambda path: int(path.name.split("_", 1)[0]))
            shutil.copy(last, draft_folder)
        asyncio.run(_draft(command, name, first=not files))
        known = {path.name for path in files}
        draft = next((path for path in draft_folder.glob("*.py") if path.name not in known), None)
        if draft is None:
            return None
        text = AERICH_TABLE.sub("", draft.read_text(encoding="utf-8"))
    place.mkdir(parents=True, exist_ok=True)
    if not (package := place / "__init__.py").exists():
        package.write_text(PACKAGE.format(app=app), encoding="utf-8")
    result = place / draft.name
    result.write_text(text, encoding="utf-8")
    return result


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
    """Write one migration and print its path, or that nothing changed."""
    parser = argparse.ArgumentParser(prog="python -m comanda_migrations.generate", description=__doc__)
    parser.add_argument("app", help="the app's name, such as kds")
    parser.add_argument("modules", help="its model modules, separated by commas")
    parser.add_argument("folder", type=Path, help="the folder of its migrations")
    parser.add_argument("name", help="what changes, such as add_station")
    given = parser.parse_args()
    name = re.sub(r"\W+", "_", given.name).strip("_")
    written = generate(given.app, given.modules.split(","), given.folder.resolve(), name)
    if written is None:
        sys.stdout.write(f"Nothing changed in the models of {given.app}.\n")
        return
    upgrade = written.read_text(encoding="utf-8").partition("async def downgrade")[0]
    if " DROP COLUMN " in upgrade and " ADD " in upgrade:
        sys.stderr.write(f"{RENAMES}\n")
    sys.stdout.write(f"{written}\n")


if __name__ == "__main__":
    main()
