"""Real `comanda` processes on a data folder of their own, for tests of what only whole processes show."""

import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

SCRIPT = Path(sys.executable).parent / "comanda"
START_SECONDS = 60
COMMAND_SECONDS = 120
# What the tests' own environment may set and a process under test must not see.
HIDDEN = ("DATABASE_URL", "REDIS_URL", "DATA", "PORT")


def data_folder() -> Path:
    """Make an empty folder that the account of an embedded PostgreSQL can reach also when root runs the tests."""
    folder = Path(tempfile.mkdtemp(prefix="comanda-"))
    folder.chmod(0o755)
    return folder


def free_port() -> int:
    """Return a TCP port of the loopback interface that nobody uses now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@dataclass(slots=True)
class Server:
    """A running `comanda` and where it answers."""

    process: subprocess.Popen[str]
    port: int
    output: Path

    @property
    def url(self) -> str:
        """The host root."""
        return f"http://127.0.0.1:{self.port}"

    def printed(self) -> str:
        """What it has printed so far, errors among it."""
        return self.output.read_text(encoding="utf-8")

    def stop(self, number: int = signal.SIGTERM, seconds: float = 40) -> int:
        """Send a signal, wait for the end, and return the exit code."""
        self.process.send_signal(number)
        return self.process.wait(seconds)


@dataclass(frozen=True, slots=True)
class Installation:
    """A data folder, and the environment of the processes that use it."""

    data: Path
    variables: dict[str, str]

    def environment(self, **more: str) -> dict[str, str]:
        """The environment of its processes: this one's without what points at other databases."""
        own = {name: value for name, value in os.environ.items() if name not in HIDDEN and "COMANDA_" not in name}
        return {**own, "DATA": str(self.data), "PYTHONUNBUFFERED": "1", **self.variables, **more}

    def run(self, *arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
        """Run a command to its end."""
        return subprocess.run(  # noqa: S603 - the script under test
            [SCRIPT, *arguments],
            env=self.environment(**variables),
            capture_output=True,
            text=True,
            timeout=COMMAND_SECONDS,
            check=False,
        )

    @contextmanager
    def running(self, *arguments: str, **variables: str) -> Iterator[Server]:
        """Run a server command while the block runs, entered when it answers; stop it at the end if it still runs."""
        port = free_port()
        # Beside the data folder, as the server may be there to make that.
        output = self.data.with_name(f"{self.data.name}-output-{port}.txt")
        with output.open("w", encoding="utf-8") as log:
            process = subprocess.Popen(  # noqa: S603 - the script under test
                [SCRIPT, *arguments, "--port", str(port)],
                env=self.environment(**variables),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                text=True,
            )
        server = Server(process, port, output)
        try:
            _wait(server)
            yield server
        finally:
            if process.poll() is None:
                process.terminate()
                with suppress(subprocess.TimeoutExpired):
                    process.wait(40)
            if process.poll() is None:
                process.kill()
                process.wait()
            output.unlink()


def _wait(server: Server) -> None:
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline and server.process.poll() is None:
        try:
            with urlopen(f"{server.url}/healthz", timeout=5):  # noqa: S310 - an address of our own making
                return
        except (URLError, OSError):
            time.sleep(0.05)
    raise AssertionError(f"The server does not answer. It printed:\n{server.printed()}")
