"""Where the embedded PostgreSQL keeps its files, how a cluster is made, and where its socket lies."""

import re
import shutil
import subprocess
import tempfile
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from comanda.operations.embedded.account import Account, EmbeddedPostgresError, is_known_user
from comanda.operations.embedded.binaries import Binaries, make_public
from comanda.operations.embedded.postmaster import PORT

USER = DATABASE = "comanda"
# sun_path holds 108 bytes on Linux, of which the last is zero.
SOCKET_PATH_BYTES = 107
ORIGIN = "origin"  # beside a cluster that lives elsewhere: the data folder that points at it

SETTINGS = """\
# Comanda writes this file at every start. Put settings of your own into postgresql.local.conf beside it.
listen_addresses = ''
port = {port}
unix_socket_directories = '{socket_folder}'
unix_socket_permissions = 0700
max_connections = 100
shared_buffers = 128MB
work_mem = 8MB
maintenance_work_mem = 64MB
random_page_cost = 1.1
jit = off
fsync = on
synchronous_commit = on
full_page_writes = on
timezone = 'UTC'
log_timezone = 'UTC'
log_destination = 'stderr'
logging_collector = off
log_line_prefix = '%m [%p] '
lc_messages = 'C'
default_text_search_config = 'pg_catalog.simple'
include_if_exists = 'postgresql.local.conf'
"""


@dataclass(frozen=True, slots=True)
class Place:
    """The data folder, and the real folder of its cluster: within it, or elsewhere behind a symbolic link."""

    data_dir: Path
    cluster: Path

    @property
    def link(self) -> Path:
        """The name by which the data folder knows its cluster."""
        return self.data_dir / "postgres"

    @property
    def major(self) -> int | None:
        """The PostgreSQL version that made the cluster, or None before it is made."""
        try:
            return int((self.cluster / "PG_VERSION").read_text())
        except (FileNotFoundError, ValueError):
            return None


def locate(data_dir: Path, account: Account, public_home: Path) -> Place:
    """Return the cluster of a data folder, or a place for a new one that the account can reach.

    A data folder in root's private home cannot hold the cluster of the unprivileged account: it goes to
    ``public_home/clusters/`` and the data folder keeps a link. Raises ``EmbeddedPostgresError`` if the cluster is gone,
    out of reach, or linked by two data folders.
    """
    link = data_dir / "postgres"
    if link.is_symlink() or link.exists():
        return _existing(data_dir, link, account)
    if account.reaches(data_dir):
        return Place(data_dir, link)
    try:
        make_public(public_home / "clusters")
        # Never a name that could be found again: who deletes a data folder means to begin anew.
        home = Path(tempfile.mkdtemp(prefix=f"{data_dir.parent.name[:20]}-", dir=public_home / "clusters"))
        home.chmod(0o755)
        (home / ORIGIN).write_text(str(data_dir))
    except OSError as error:
        raise EmbeddedPostgresError(
            f"PostgreSQL runs as user {account.uid}, who cannot enter {data_dir}, and no place under {public_home} "
            f"could be made: {error}. Choose a data folder that everybody may pass, such as DATA=/srv/comanda."
        ) from error
    return Place(data_dir, home / "postgres")


def _existing(data_dir: Path, link: Path, account: Account) -> Place:
    if not link.exists():
        raise EmbeddedPostgresError(
            f"{link} points at {link.readlink()}, which is gone. Bring it back, or remove the link to begin anew."
        )
    place = Place(data_dir, link.resolve())
    origin = place.cluster.parent / ORIGIN
    if link.is_symlink() and origin.exists():
        other = Path(origin.read_text())
        if other != data_dir and (other / "postgres").resolve() == place.cluster:
            raise EmbeddedPostgresError(
                f"{data_dir} is a copy of {other}, and both point at the database in {place.cluster}. "
                f"Remove {link} to begin anew here, or bring the data over with a backup."
            )
        if other != data_dir:
            origin.write_text(str(data_dir))  # the data folder was moved
    if not account.reaches(place.cluster.parent):
        raise EmbeddedPostgresError(
            f"PostgreSQL runs as user {account.uid}, who cannot enter {place.cluster.parent}. "
            "Move the data folder to where everybody may pass, such as DATA=/srv/comanda."
        )
    return place


def create(place: Place, binaries: Binaries, account: Account, lock: int) -> None:
    """Create the cluster with its database ``comanda``; it gets its final name only once complete.

    ``lock`` is the locked file that keeps other starts waiting. PostgreSQL's programs hold it as well: if this process
    is killed, the next start waits until they have stopped writing, and deletes what they left.

    Raises ``EmbeddedPostgresError`` with the program's words if that fails.
    """
    if not is_known_user(account.uid):
        raise EmbeddedPostgresError(
            f"User id {account.uid} has no name on this system (no entry in /etc/passwd), and PostgreSQL asks for one. "
            "Add the entry, or set DATABASE_URL to a PostgreSQL of your own."
        )
    home = place.cluster.parent
    for leftover in home.glob("postgres.new-*"):  # of a start that was killed
        shutil.rmtree(leftover)
    unfinished = Path(tempfile.mkdtemp(prefix="postgres.new-", dir=home))
    account.owns(unfinished)
    try:
        _initdb(unfinished, binaries, account, lock)
        (unfinished / "pg_hba.conf").write_text(
            "# Who may enter the socket's folder is who may connect.\nlocal all all trust\n"
        )
        unfinished.rename(place.cluster)
    except BaseException:
        shutil.rmtree(unfinished, ignore_errors=True)
        raise
    if place.cluster != place.link:
        place.link.symlink_to(place.cluster)


def _initdb(folder: Path, binaries: Binaries, account: Account, lock: int) -> None:
    """Fill an empty folder: UTF-8 with code point order, whatever the system's locales are."""
    common: list[str | Path] = [
        "-D",
        folder,
        "-U",
        USER,
        "-E",
        "UTF8",
        "--auth-local=trust",
        "--auth-host=reject",
        "--data-checksums",
    ]
    # Version 17 brought its own C.UTF-8: the same case rules on every system. Before, the system may lack it.
    locales = [["--locale=C.UTF-8"], ["--locale=C"]]
    if binaries.major >= 17:
        locales.insert(0, ["--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"])
    for locale in locales:
        made = _run(account, [binaries.folder / "initdb", *common, *locale], lock)
        if "invalid locale" not in made.stdout:
            break
    if made.returncode == 0:
        # Single-user mode needs no socket, no client program and no event loop.
        single: list[str | Path] = [binaries.folder / "postgres", "--single", "-j", "-D", folder, "postgres"]
        made = _run(account, single, lock, f"CREATE DATABASE {DATABASE} OWNER {USER};\n")
        if made.returncode == 0 and "ERROR:" not in made.stdout:
            return
    if "No space left on device" in made.stdout:
        raise EmbeddedPostgresError(f"The disk that holds {folder.parent} is full.")
    said = [line for line in made.stdout.splitlines() if "error" in line.lower() or "FATAL" in line]
    last_words = " ".join((said or made.stdout.splitlines())[-2:])
    raise EmbeddedPostgresError(f"PostgreSQL could not make its files in {folder.parent}: {last_words}")


def _run(account: Account, command: list[str | Path], lock: int, stdin: str = "") -> subprocess.CompletedProcess[str]:
    try:
        return account.run(command, stdin=stdin, kept_files=[lock])
    except (OSError, subprocess.SubprocessError) as error:
        raise EmbeddedPostgresError(f"{command[0]} could not be run: {error}") from error


def configure(place: Place, account: Account, socket_folder: Path) -> None:
    """Write the server's settings; takes effect at its next start."""
    place.cluster.chmod(0o700)
    settings = place.cluster / "postgresql.conf"
    draft = place.cluster / "postgresql.conf.new"
    draft.write_text(SETTINGS.format(port=PORT, socket_folder=socket_folder))
    account.owns(draft)
    draft.replace(settings)


def socket_folder(place: Place, account: Account) -> Path:
    """Choose where the socket lies: in the cluster's own folder, or in a short private folder of the temporary one.

    The latter is recorded in the data folder's ``postgres.socket`` and used again while it is still ours alone. Swept
    away, it is made again, because running processes know the server by it.
    """
    if _fits(place.cluster):
        return place.cluster
    record = place.data_dir / "postgres.socket"
    if record.exists():
        recorded = Path(record.read_text())
        if _is_made_here(recorded):
            with suppress(OSError):
                recorded.mkdir(mode=0o700)
                account.owns(recorded)
        if _is_private(recorded, account):
            return recorded
    for temporary in _temporaries():
        if _fits(temporary / "comanda-12345678") and account.reaches(temporary):
            folder = Path(tempfile.mkdtemp(prefix="comanda-", dir=temporary))
            account.owns(folder)
            record.write_text(str(folder))
            return folder
    raise EmbeddedPostgresError(
        f"{place.cluster} is too long a path for a socket, and so is the temporary folder's. "
        "Set TMPDIR to a shorter one."
    )


def delete_socket_folder(place: Place, folder: Path) -> None:
    """Remove a private socket folder after its server has stopped."""
    if folder != place.cluster:
        (place.data_dir / "postgres.socket").unlink(missing_ok=True)
        # The server's account writes down where its socket is, and root must not remove whatever that names.
        if _is_made_here(folder):
            shutil.rmtree(folder, ignore_errors=True)


def _temporaries() -> tuple[Path, ...]:
    return (Path(tempfile.gettempdir()), Path("/tmp"))  # noqa: S108 - only for folders made private


def _is_made_here(folder: Path) -> bool:
    return folder.parent in _temporaries() and folder.name.startswith("comanda-")


def _fits(folder: Path) -> bool:
    # The setting is a quoted list: a name with a quote or a comma in it is not worth the escaping.
    plain = re.fullmatch(r"[\w./+@~-]+", str(folder), re.ASCII) is not None
    return plain and len(str(folder / f".s.PGSQL.{PORT}.lock")) <= SOCKET_PATH_BYTES


def _is_private(folder: Path, account: Account) -> bool:
    try:
        found = folder.lstat()
    except OSError:
        return False
    return folder.is_dir() and not folder.is_symlink() and found.st_uid == account.uid and found.st_mode & 0o077 == 0
