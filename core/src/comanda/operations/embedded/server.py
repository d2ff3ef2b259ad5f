"""The embedded default database: a real PostgreSQL, shared by every process that uses one data folder."""

import errno
import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Self
from urllib.parse import quote

from comanda.basics.outages import Outage
from comanda.operations.embedded import binaries, cluster
from comanda.operations.embedded import postmaster as embedded_postmaster
from comanda.operations.embedded.account import Account, EmbeddedPostgresError
from comanda.operations.embedded.postmaster import PORT, Postmaster
from comanda.platform import data_folder

__all__ = ["EmbeddedPostgres", "EmbeddedPostgresError"]

LOCK_SECONDS = 300
SILENT_SECONDS = 2
PROBE_SECONDS = 300  # recovery after a crash replays the write-ahead log, at most max_wal_size of it
KEEP_LOG_BYTES = 10_000_000
# Root's clusters and copies of programs whose own place the unprivileged account cannot enter.
PUBLIC_HOME = Path("/var/lib/comanda")


class EmbeddedPostgres:
    """One process's use of the PostgreSQL in ``data_dir/postgres``.

    The first user starts the server, the last one to stop stops it. Users that are killed leave it running, or dead,
    and the next start goes on from either. The server hears no network: its only door is a unix socket in
    a private folder. A process that was forked from a user's shares that user's hold; its own ``stop`` does nothing.
    """

    def __init__(
        self, data_dir: Path, *, public_home: Path = PUBLIC_HOME, start_seconds: float = PROBE_SECONDS
    ) -> None:
        self.data_dir = data_dir.resolve()  # one name, by which the server's process is known
        self._public_home = public_home
        self._start_seconds = start_seconds
        self._use: int | None = None  # the open file whose shared lock says that this process uses the server
        self._user_pid = 0
        self._url = ""
        self._binaries: binaries.Binaries | None = None

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    @property
    def url(self) -> str:
        """The database's address, as asyncpg and Tortoise take it: ``postgres://comanda@/comanda?host=<folder>&port=5432``."""
        if self._use is None:
            raise EmbeddedPostgresError("The embedded PostgreSQL is not started.")
        return self._url

    @property
    def programs(self) -> Path:
        """The folder of this server's programs; the wheel has ``pg_dump``, ``pg_restore`` and ``psql`` there too."""
        if self._binaries is None:
            raise EmbeddedPostgresError("The embedded PostgreSQL is not started.")
        return self._binaries.folder

    def start(self) -> str:
        """Create the cluster if there is none, start its server if none runs, and return the database's URL.

        Takes some seconds the first time. Raises ``EmbeddedPostgresError`` with a sentence for people.
        """
        if self._use is not None:
            return self._url
        try:
            self._make_data_dir()
            with self._turn() as turn:
                use = self._open("postgres.users")
                try:
                    fcntl.flock(use, fcntl.LOCK_SH)
                    postmaster = self._ensure_running(turn)
                except BaseException:
                    os.close(use)
                    raise
        except OSError as error:
            raise self._translated(error) from error
        self._use, self._user_pid = use, os.getpid()
        self._url = _url(postmaster)
        return self._url

    def server(self) -> Postmaster | None:
        """Return the running server, or None once it has died. Reads two small files and waits for nothing."""
        return embedded_postmaster.find_running_server((self.data_dir / "postgres").resolve())

    def ensure(self) -> bool:
        """Start the server again if it has died, is being stopped by a stranger, or lost its socket.

        Returns whether this call did so: not if another process was faster, and never after ``stop`` or in a fork. The
        URL stays. Raises ``EmbeddedPostgresError`` if the server does not start, or if its files are gone: an empty
        database under a process that knows a full one would be worse than none.
        """
        if self._use is None or os.getpid() != self._user_pid:
            return False
        try:
            with self._turn() as turn:
                if self._use is None:
                    return False  # another thread's stop() had its turn before
                if not (self.data_dir / "postgres" / "PG_VERSION").exists():
                    raise EmbeddedPostgresError(f"The database in {self.data_dir} is gone; stop Comanda to begin anew.")
                before = self.server()
                after = self._ensure_running(turn)
        except OSError as error:
            raise self._translated(error) from error
        self._url = _url(after)
        return after != before

    def stop(self) -> None:
        """End this process's use, and the server with it if nobody else uses it. May be called twice."""
        if self._use is None:
            return
        use, self._use = self._use, None
        try:
            if os.getpid() != self._user_pid:
                return  # a fork shares its parent's lock: trying for it here would give up the parent's
            with self._turn():
                try:
                    fcntl.flock(use, fcntl.LOCK_EX | fcntl.LOCK_NB)
                except BlockingIOError:
                    return  # others still use the server
                self._shut_down()
        finally:
            os.close(use)

    def _make_data_dir(self) -> None:
        data_folder.create_folder(self.data_dir)

    @contextmanager
    def _turn(self) -> Iterator[int]:
        """Wait until nobody else starts or stops the server, and keep others waiting while the block runs.

        Yields the locked file.
        """
        turn = self._open("postgres.lock")
        try:
            self._wait_for(turn)
            yield turn
        finally:
            # Not left to closing: a process that another thread has forked meanwhile holds a copy of the file.
            fcntl.flock(turn, fcntl.LOCK_UN)
            os.close(turn)

    def _wait_for(self, turn: int) -> None:
        deadline = time.monotonic() + LOCK_SECONDS
        while True:
            try:
                fcntl.flock(turn, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                if time.monotonic() > deadline:
                    raise EmbeddedPostgresError(
                        f"Another process has been starting or stopping the database in {self.data_dir} "
                        f"for {LOCK_SECONDS} seconds."
                    ) from None
                time.sleep(0.02)
            else:
                return

    def _open(self, name: str) -> int:
        """Open a file to lock it. Reading suffices for that, so files that root once made are no hindrance."""
        path = self.data_dir / name
        file = os.open(path, os.O_RDONLY | os.O_CREAT, 0o644)
        self._hand_to_owner(path)
        return file

    def _hand_to_owner(self, path: Path) -> None:
        # One start under sudo must not lock the folder's owner out of their own files.
        if os.geteuid() == 0:
            owner = self.data_dir.stat()
            os.chown(path, owner.st_uid, owner.st_gid)

    def _ensure_running(self, turn: int) -> Postmaster:
        account = Account.for_data(self.data_dir / "postgres", self.data_dir)
        place = cluster.locate(self.data_dir, account, self._public_home)
        self._binaries = binaries.choose(account, place.major, self._public_home)
        if place.major is None:
            cluster.create(place, self._binaries, account, turn)
        elif place.cluster.stat().st_uid != account.uid and account.drops_root:
            account.owns_tree(place.cluster)  # restored by root from an archive
        began = time.monotonic()
        outage = Outage("embedded_postgres", f"Starting waits for up to {self._start_seconds:g} s.")
        while time.monotonic() - began < self._start_seconds:
            postmaster = embedded_postmaster.find_running_server(place.cluster)
            if postmaster is None:
                log = self._log()
                folder = cluster.socket_folder(place, account)
                cluster.configure(place, account, folder)
                embedded_postmaster.launch(place.cluster, folder, self._binaries, account, log)
            elif postmaster.accepts(cluster.USER, cluster.DATABASE):
                outage.end()
                return postmaster
            elif postmaster.is_deaf() or postmaster.is_stopping():
                # Somebody emptied the temporary folder: without its socket nobody can reach the server any more. Or a
                # stranger stops it, as users do so in their turn: it could wait for the others' sessions forever.
                postmaster.stop()
            else:
                if time.monotonic() - began > SILENT_SECONDS:
                    outage.begin(ConnectionError("It is starting, or recovers from a crash."))
                time.sleep(embedded_postmaster.POLL_SECONDS)
        raise EmbeddedPostgresError(
            f"PostgreSQL runs but has accepted no connection for {self._start_seconds:g} seconds; "
            f"{self.data_dir / 'postgres.log'} says why."
        )

    def _shut_down(self) -> None:
        if postmaster := self.server():
            postmaster.stop()
            cluster.delete_socket_folder(cluster.Place(self.data_dir, postmaster.cluster), postmaster.socket_folder)

    def _log(self) -> Path:
        log = self.data_dir / "postgres.log"
        if log.exists() and log.stat().st_size > KEEP_LOG_BYTES:
            log.replace(log.with_suffix(".log.1"))
        log.touch(mode=0o640)
        self._hand_to_owner(log)
        return log

    def _translated(self, error: OSError) -> EmbeddedPostgresError:
        if error.errno == errno.ENOSPC:
            return EmbeddedPostgresError(f"The disk that holds {self.data_dir} is full.")
        if isinstance(error, PermissionError):
            return EmbeddedPostgresError(
                f"{error.filename or self.data_dir} belongs to somebody else. Start Comanda as the user who owns "
                f"{self.data_dir}, or choose another data folder with DATA=."
            )
        return EmbeddedPostgresError(f"The data folder {self.data_dir} cannot be used: {error}.")


def _url(postmaster: Postmaster) -> str:
    # The port is named because asyncpg would else read it from the user's PGPORT.
    where = f"host={quote(str(postmaster.socket_folder), safe='/')}&port={PORT}"
    return f"postgres://{cluster.USER}@/{cluster.DATABASE}?{where}"
