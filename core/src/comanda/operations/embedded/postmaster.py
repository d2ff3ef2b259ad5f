"""Watch, start and stop one running PostgreSQL server by its ``postmaster.pid``, which outlives any crash."""

import os
import signal
import socket
import struct
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path

from comanda.operations.embedded.account import Account, EmbeddedPostgresError
from comanda.operations.embedded.binaries import Binaries

START_SECONDS = 120
STOP_SECONDS = 60
POLL_SECONDS = 0.02
PORT = 5432  # only a part of the socket's name: the server listens on no address
# Source: PostgreSQL protocol 3.0, StartupMessage; the first byte of the answer is R once the server takes work.
_PROTOCOL = 196608


@dataclass(frozen=True, slots=True)
class Postmaster:
    """The server that runs on a cluster, and the folder of its socket."""

    pid: int
    cluster: Path
    socket_folder: Path

    @property
    def socket_path(self) -> Path:
        """The socket that clients connect to."""
        return self.socket_folder / f".s.PGSQL.{PORT}"

    def accepts(self, user: str, database: str) -> bool:
        """Return whether the server takes connections now: not while it starts, recovers from a crash or stops."""
        parameters = f"user\0{user}\0database\0{database}\0\0".encode()
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
            connection.settimeout(5)
            try:
                connection.connect(str(self.socket_path))
                connection.sendall(struct.pack("!ii", 8 + len(parameters), _PROTOCOL) + parameters)
                answer = connection.recv(1)
                connection.sendall(b"X\0\0\0\4")
            except OSError:
                return False
        return answer == b"R"

    def is_deaf(self) -> bool:
        """Return whether the server believes itself ready although its socket is gone."""
        return self._status() == "ready" and not self.socket_path.exists()

    def is_stopping(self) -> bool:
        """Return whether the server is stopping and takes no new connections; old ones can keep it for long."""
        return self._status() == "stopping"

    def _status(self) -> str:
        lines = _pid_file(self.cluster)
        return lines[7] if len(lines) > 7 else ""

    def stop(self) -> None:
        """Stop the server and wait for it: sessions are ended and a checkpoint written.

        Raises ``EmbeddedPostgresError`` if it does not end in time, even when told to end without a checkpoint.
        """
        for how, seconds in ((signal.SIGINT, STOP_SECONDS), (signal.SIGQUIT, STOP_SECONDS / 4)):
            try:
                os.kill(self.pid, how)
            except ProcessLookupError:
                return
            deadline = time.monotonic() + seconds
            while time.monotonic() < deadline:
                if not _serves(self.pid, self.cluster):
                    return
                time.sleep(POLL_SECONDS)
        raise EmbeddedPostgresError(f"PostgreSQL (process {self.pid}) does not stop; its log says why.")


def find_running_server(cluster: Path) -> Postmaster | None:
    """Return the live server of a cluster; a pid file of a dead one, or one copied along with its folder, is none."""
    lines = _pid_file(cluster)
    if len(lines) < 5 or not lines[0].isdigit() or not _same_folder(lines[1], cluster):
        return None
    return Postmaster(int(lines[0]), cluster, Path(lines[4])) if _serves(int(lines[0]), cluster) else None


def launch(cluster: Path, socket_folder: Path, binaries: Binaries, account: Account, log: Path) -> None:
    """Start a server and wait until it takes connections.

    Raises ``EmbeddedPostgresError`` with the end of the log if it does not start.
    """
    deadline = time.monotonic() + START_SECONDS
    while find_running_server(cluster) is None:
        _refuse_invisible_server(cluster)
        _disarm_stale_pid_file(cluster)
        # Nobody else's socket lies in this folder, and a zombie's number in its lock would stop the start too.
        for stale in socket_folder.glob(".s.PGSQL.*"):
            stale.unlink()
        began_at = log.stat().st_size if log.exists() else 0
        with log.open("ab") as output:
            # pg_ctl leaves the server without a parent of ours, so nobody's exit or missing wait() touches it.
            command: list[str | Path] = [
                binaries.folder / "pg_ctl",
                "start",
                "-w",
                "-t",
                str(START_SECONDS),
                "-D",
                cluster,
            ]
            try:
                started = account.run(command, log=output)
            except (OSError, subprocess.SubprocessError) as error:
                raise EmbeddedPostgresError(f"PostgreSQL could not be started: {error}. Its log: {log}") from error
        if started.returncode == 0:
            return
        said = log.read_bytes()[began_at:].decode(errors="replace")
        # After a kill -9 of the server its sessions live on for a moment, and PostgreSQL rightly waits for their end.
        if "still in use" not in said or time.monotonic() > deadline:
            raise EmbeddedPostgresError(f"PostgreSQL did not start.{_reason(said)} The whole log: {log}")
        time.sleep(0.2)


def _reason(said: str) -> str:
    """Pick what a person needs from a failed start's log."""
    if "No space left on device" in said:
        return " The disk is full."
    causes = [line.split("FATAL:", 1)[1].strip() for line in said.splitlines() if "FATAL:" in line]
    return f" It says: {causes[-1]}." if causes else ""


def _pid_file(cluster: Path) -> list[str]:
    try:
        return [line.strip() for line in (cluster / "postmaster.pid").read_text(errors="replace").splitlines()]
    except FileNotFoundError:
        return []


def _same_folder(named: str, cluster: Path) -> bool:
    try:
        return Path(named).samefile(cluster)
    except OSError:
        return False


def _serves(pid: int, cluster: Path) -> bool:
    """Return whether a process lives and is this cluster's server, not a zombie or a stranger with a reused number."""
    stat = Path(f"/proc/{pid}/stat")
    try:
        if not stat.exists():
            os.kill(pid, 0)
        elif stat.read_text(errors="replace").rpartition(")")[2].split()[0] in "ZX":
            return False
        command = _command(pid)
    except (ProcessLookupError, FileNotFoundError):
        return False
    except PermissionError:
        return False  # another user's process: the server always runs as ours, or we are root
    return "postgres" in command and str(cluster) in command


def _command(pid: int) -> str:
    """Read a process's command line; the server's holds ``-D <cluster>`` as pg_ctl wrote it."""
    if (source := Path(f"/proc/{pid}/cmdline")).exists():
        return source.read_bytes().replace(b"\0", b" ").decode(errors="replace")
    listing = subprocess.run(["/bin/ps", "-o", "command=", "-p", str(pid)], capture_output=True, text=True, check=False)
    return listing.stdout


def _refuse_invisible_server(cluster: Path) -> None:
    """Stop where the socket answers although no process here serves it: a second server would wreck the data."""
    lines = _pid_file(cluster)
    folders = {cluster}
    if len(lines) > 4 and _same_folder(lines[1], cluster):
        folders.add(Path(lines[4]))
    for folder in folders:
        if Postmaster(0, cluster, folder).accepts("comanda", "comanda"):
            raise EmbeddedPostgresError(
                f"A server that this process cannot see, perhaps in another container, already uses {cluster}. "
                "Give each container its own data folder, or set DATABASE_URL to one PostgreSQL for all."
            )


def _disarm_stale_pid_file(cluster: Path) -> None:
    """Make PostgreSQL ignore a pid file whose number a zombie or a stranger holds; it would refuse to start.

    PostgreSQL takes the number of the process that started it for stale, so the file gets ours. It is not removed: it
    also names the shared memory by which PostgreSQL finds sessions that outlived their server. A file copied from
    another folder names that folder's memory and has to go.
    """
    lines = _pid_file(cluster)
    if not lines:
        return
    path = cluster / "postmaster.pid"
    if len(lines) < 2 or not _same_folder(lines[1], cluster):
        path.unlink()
    elif lines[0].isdigit() and find_running_server(cluster) is None:
        path.write_text("\n".join([str(os.getpid()), *lines[1:], ""]))
