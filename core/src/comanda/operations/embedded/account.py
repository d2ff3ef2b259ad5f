"""Who the embedded PostgreSQL runs as: PostgreSQL refuses root, so root hands it to somebody without privileges."""

import os
import pwd
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from comanda.basics.startup_errors import StartupError

COMMAND_TIMEOUT_SECONDS = 180


class EmbeddedPostgresError(StartupError):
    """The embedded PostgreSQL cannot run; the message is a sentence for the person who started Comanda."""


@dataclass(frozen=True, slots=True)
class Account:
    """The user that owns the cluster's files and runs its programs; with ``drops_root`` not the one of this process."""

    uid: int
    gid: int
    drops_root: bool

    @classmethod
    def for_data(cls, *folders: Path) -> "Account":
        """Choose this process's user; for root the owner of the first folder that is not root's, else ``nobody``."""
        if os.geteuid() != 0:
            return cls(os.geteuid(), os.getegid(), drops_root=False)
        for folder in folders:
            if folder.exists() and (found := folder.stat()).st_uid != 0 and is_known_user(found.st_uid):
                return cls(found.st_uid, found.st_gid, drops_root=True)
        try:
            nobody = pwd.getpwnam("nobody")
        except KeyError:
            return cls(65534, 65534, drops_root=True)
        return cls(nobody.pw_uid, nobody.pw_gid, drops_root=True)

    def run(
        self,
        command: Sequence[str | Path],
        *,
        stdin: str = "",
        log: IO[bytes] | None = None,
        kept_files: Sequence[int] = (),
    ) -> subprocess.CompletedProcess[str]:
        """Run a program as this account, in an environment that carries no PG* variable, and wait for it.

        Output goes to ``log`` if given, else it is captured. ``kept_files`` stay open in the program. Never raises for
        the program's own failure: look at ``returncode``. Raises ``OSError`` if the account cannot execute the program
        at all.
        """
        # The C locale keeps PostgreSQL's messages in the words that the launcher looks for.
        environment = {"PATH": os.environ.get("PATH", os.defpath), "LC_ALL": "C"}
        if "TZDIR" in os.environ:
            environment["TZDIR"] = os.environ["TZDIR"]
        return subprocess.run(
            [str(part) for part in command],
            input=stdin,
            stdout=log or subprocess.PIPE,
            stderr=log or subprocess.STDOUT,
            text=True,
            errors="replace",
            cwd="/",  # the caller's folder may be one that the account cannot enter
            env=environment,
            # Ctrl-C in the terminal reaches its whole process group; the database leaves that group.
            start_new_session=True,
            user=self.uid if self.drops_root else None,
            group=self.gid if self.drops_root else None,
            extra_groups=[] if self.drops_root else None,
            pass_fds=kept_files,
            timeout=COMMAND_TIMEOUT_SECONDS,
            check=False,
        )

    def reaches(self, folder: Path) -> bool:
        """Return whether the account may enter ``folder``, by trying, so that ACLs count as well as mode bits."""
        if not self.drops_root:
            return os.access(folder, os.X_OK)
        try:
            return self.run(["/bin/sh", "-c", 'cd "$1"', "sh", folder]).returncode == 0
        except (OSError, subprocess.SubprocessError) as error:
            raise EmbeddedPostgresError(
                f"PostgreSQL must not run as root, and this process may not become user {self.uid}: {error}. "
                "Run Comanda as an ordinary user, or set DATABASE_URL to a PostgreSQL of your own."
            ) from error

    def owns(self, path: Path) -> None:
        """Change the owner of one file or folder to the account; nothing to do unless root drops its privileges."""
        if self.drops_root:
            os.chown(path, self.uid, self.gid, follow_symlinks=False)

    def owns_tree(self, folder: Path) -> None:
        """Change the owner of a folder and its contents to the account."""
        self.owns(folder)
        for path in folder.rglob("*"):
            self.owns(path)


def is_known_user(uid: int) -> bool:
    """Return whether the system knows a user by name; initdb refuses one that it does not."""
    try:
        pwd.getpwuid(uid)
    except KeyError:
        return False
    return True
