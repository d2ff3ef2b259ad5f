"""The PostgreSQL client programs for backups, in the major version of the server."""

import re
import shutil
import subprocess
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import IO
from urllib.parse import parse_qs, urlsplit

from comanda.operations.backups.errors import BackupError
from comanda.platform.db.lifecycle import parse_credentials
from comanda.platform.db.postgresql import BUNDLED_PACKAGE

PROGRAMS = ("pg_dump", "pg_restore", "psql")
VERSION_SECONDS = 30
# URL parameters that the programs read from their environment.
VARIABLES_BY_PARAMETER = {
    "sslmode": "PGSSLMODE",
    "sslrootcert": "PGSSLROOTCERT",
    "sslcert": "PGSSLCERT",
    "sslkey": "PGSSLKEY",
    "passfile": "PGPASSFILE",
}


@dataclass(frozen=True, slots=True)
class ClientPrograms:
    """A folder with ``pg_dump``, ``pg_restore`` and ``psql`` of one major version."""

    folder: Path
    major: int


def find_programs(major: int, folders: Iterable[Path] | None = None) -> ClientPrograms:
    """Find the programs of a major version. Raises ``BackupError`` with the versions that were found."""
    seen: list[str] = []
    for folder in _list_folders() if folders is None else folders:
        found = _get_major_version(folder)
        if found == major:
            return ClientPrograms(folder, major)
        if found is not None:
            seen.append(f"{found} in {folder}")
    raise BackupError(
        f"The programs pg_dump, pg_restore and psql of PostgreSQL {major} are needed and not installed (found: "
        f"{', '.join(seen) or 'none'}). Install a package such as postgresql-client-{major}."
    )


def get_pipe(stream: IO[bytes] | None) -> IO[bytes]:
    """Return a stream of a program that was started with ``PIPE`` for it."""
    if stream is None:
        raise ValueError("The program was started without this pipe.")
    return stream


def build_environment(url: str, inherited: Mapping[str, str]) -> dict[str, str]:
    """Return the environment that connects the programs to a database; arguments would expose the password."""
    place = parse_credentials(url)
    query = {name: values[-1] for name, values in parse_qs(urlsplit(url).query).items()}
    kept = {name: value for name, value in inherited.items() if name not in {"PGSERVICE", "PGOPTIONS", "PGHOSTADDR"}}
    named = {
        "PGHOST": place["host"],
        "PGPORT": str(place["port"]),
        "PGDATABASE": place["database"],
        "PGUSER": place["user"],
        "PGPASSWORD": place["password"],
        "PGAPPNAME": "comanda-backup",
        "PGCONNECT_TIMEOUT": "10",
        **{variable: query.get(parameter) for parameter, variable in VARIABLES_BY_PARAMETER.items()},
    }
    return {**kept, **{name: value for name, value in named.items() if value is not None}}


def _list_folders() -> Iterator[Path]:
    spec = find_spec(BUNDLED_PACKAGE)  # only locates the package: importing it would set up a server
    folders = [
        Path(location, install, "bin")
        for location in (spec and spec.submodule_search_locations) or ()
        for install in ("pginstall18", "pginstall")
    ]
    # On Debian these folders have fixed versions, while the programs on the PATH choose one.
    folders += sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    if on_path := shutil.which("pg_dump"):
        folders.append(Path(on_path).parent)
    yield from dict.fromkeys(folders)


def _get_major_version(folder: Path) -> int | None:
    """Return the major version of the programs in a folder, or None if one is missing or cannot run."""
    if not all((folder / program).exists() for program in PROGRAMS):
        return None
    try:
        finished = subprocess.run(
            [folder / "pg_dump", "--version"], capture_output=True, text=True, timeout=VERSION_SECONDS, check=False
        )
    except (OSError, subprocess.SubprocessError):
        return None
    number = re.search(r"\(PostgreSQL\) (\d+)", finished.stdout)
    return int(number[1]) if number else None
