"""Real `comanda` processes with their own data folder, for tests that need whole processes."""

import atexit
import fcntl
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import IO
from urllib.error import URLError
from urllib.request import urlopen

from comanda.devkit.testing.forked_processes import ForkedProcess, can_fork

SCRIPT = Path(sys.executable).parent / "comanda"
FORKED_SCRIPT = SCRIPT
START_SECONDS = 60
COMMAND_SECONDS = 120
# A file system in memory, and how much of it has to be free before data folders are put there.
MEMORY = Path("/dev/shm")  # noqa: S108 - only for folders with names of their own
MIN_FREE_BYTES = 4 << 30
# Variables of the test environment that processes under test must not see: locations, and the one that would make each
# process compile all modules.
HIDDEN_VARIABLES = (
    "DATABASE_URL",
    "DATABASE_DIRECT_URL",
    "DATABASE_REPLICA_URL",
    "REDIS_URL",
    "DATA",
    "PORT",
    "PYTHONDONTWRITEBYTECODE",
)

# The HTTP engine of every `comanda serve` that names none, so that the same tests can be run on each.
ENGINE_VARIABLE = "COMANDA_TEST_ENGINE"


def get_run_id() -> str:
    """Return what names this run of the tests, the same in all of its pytest workers."""
    return os.environ.get("PYTEST_XDIST_TESTRUNUID", str(os.getpid()))


def create_data_folder() -> Path:
    """Create an empty folder that the account of an embedded PostgreSQL can access, even if tests run as root.

    It lies in memory where that is possible. What a test leaves of it is deleted at the end.
    """
    folder = Path(tempfile.mkdtemp(prefix="comanda-", dir=_choose_place()))
    folder.chmod(0o755)
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


def _choose_place() -> Path:
    """Return the folder for data folders: one in memory, as a disk makes each start of PostgreSQL wait."""
    if MEMORY.is_dir() and os.access(MEMORY, os.W_OK) and shutil.disk_usage(MEMORY).free > MIN_FREE_BYTES:
        return MEMORY
    return Path(tempfile.gettempdir())


def create_migrated_data_folder() -> Path:
    """Create a data folder with a database of all installed plugins that has no data yet.

    The database is created once for all pytest workers and copied from then on, which takes a fraction of the time.
    """
    data = create_data_folder()
    # With owners and modes: the cluster belongs to an account of its own if tests run as root.
    subprocess.run(["/bin/cp", "-a", f"{_create_template()}/.", data], check=True)
    return data


@cache
def _create_template() -> Path:
    """Return the folder that migrated data folders are copied from; the last pytest worker to end deletes it."""
    home = _choose_place() / f"comanda-template-{get_run_id()}"
    with _lock_template(home):
        users = os.open(home.with_suffix(".users"), os.O_RDWR | os.O_CREAT, 0o644)
        fcntl.flock(users, fcntl.LOCK_SH)
        if not (home / "data").exists():
            shutil.rmtree(home, ignore_errors=True)
            (home / "new").mkdir(mode=0o755, parents=True)
            migrated = Installation(home / "new", {}).run("migrate")
            assert migrated.returncode == 0, migrated.stdout + migrated.stderr
            (home / "new").rename(home / "data")

    def end_use() -> None:
        with _lock_template(home):
            try:
                fcntl.flock(users, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                return  # Other workers still use it.
            shutil.rmtree(home, ignore_errors=True)
            home.with_suffix(".users").unlink()
            home.with_suffix(".lock").unlink()

    atexit.register(end_use)
    return home / "data"


@contextmanager
def _lock_template(home: Path) -> Iterator[None]:
    """Keep other workers from creating and deleting a template while the block runs."""
    path = home.with_suffix(".lock")
    while True:
        file = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
        fcntl.flock(file, fcntl.LOCK_EX)
        # Another worker may have ended, and deleted the file that this one was waiting for.
        with suppress(FileNotFoundError):
            if path.stat().st_ino == os.fstat(file).st_ino:
                break
        os.close(file)
    try:
        yield
    finally:
        os.close(file)


def find_free_port() -> int:
    """Return an unused TCP port of the loopback interface."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@dataclass(slots=True)
class Program:
    """A running `comanda`."""

    process: subprocess.Popen[str] | ForkedProcess
    output: Path

    def printed(self) -> str:
        """Return the output so far, including errors."""
        return self.output.read_text(encoding="utf-8")

    def stop(self, number: int = signal.SIGTERM, seconds: float = 40) -> int:
        """Send a signal, wait for the end, and return the exit code."""
        self.process.send_signal(number)
        return self.process.wait(seconds)


@dataclass(slots=True)
class Server(Program):
    """A running `comanda` that serves HTTP on a port."""

    port: int

    @property
    def url(self) -> str:
        """The base URL."""
        return f"http://127.0.0.1:{self.port}"


@dataclass(slots=True)
class ProgramPipe:
    """A running program of a test, what it reads, and what it prints."""

    process: subprocess.Popen[str] | ForkedProcess
    stdin: IO[str]
    stdout: IO[str]


@dataclass(frozen=True, slots=True)
class Installation:
    """A data folder and the environment of its processes; ``script`` is another `comanda` than this environment's.

    With ``is_forked`` the processes of ``script`` are forked as well. Who changes what is installed beside it calls
    ``comanda.devkit.testing.forked_processes.stop_server``.
    """

    data: Path
    variables: dict[str, str]
    script: Path | None = None
    is_forked: bool = False

    def environment(self, **more: str) -> dict[str, str]:
        """Return the environment of its processes: the current one without variables of other installations."""
        own = {
            name: value for name, value in os.environ.items() if name not in HIDDEN_VARIABLES and "COMANDA_" not in name
        }
        return {**own, "DATA": str(self.data), "PYTHONUNBUFFERED": "1", **self.variables, **more}

    def run(self, *arguments: str, stdin: str = "", **variables: str) -> subprocess.CompletedProcess[str]:
        """Run a command until it ends."""
        return self._complete([str(self.script or SCRIPT), *arguments], variables, stdin)

    def run_program(self, program: str, *arguments: object) -> str:
        """Run Python code that uses the installation's database, as ``python -c`` does; return what it prints."""
        done = self._complete(self._list_program(program, arguments), {})
        assert done.returncode == 0, done.stderr
        return done.stdout

    @contextmanager
    def running_program(self, program: str, *arguments: object) -> Iterator[ProgramPipe]:
        """Run Python code as ``run_program`` does, while the block writes to it and reads what it prints."""
        (input_end, our_input), (our_output, output_end) = os.pipe(), os.pipe()
        with os.fdopen(our_input, "w") as stdin, os.fdopen(our_output) as stdout:
            with (
                os.fdopen(input_end) as theirs,
                os.fdopen(output_end, "w") as output,
                os.fdopen(os.dup(2), "w") as ours,
            ):
                process = self._start(
                    self._list_program(program, arguments), {}, stdin=theirs, stdout=output, stderr=ours
                )
            yield ProgramPipe(process, stdin, stdout)
            with suppress(BrokenPipeError):
                stdin.close()
            try:
                process.wait(COMMAND_SECONDS)
            finally:
                process.kill()

    def _list_program(self, program: str, arguments: Sequence[object]) -> list[str]:
        return [str((self.script or SCRIPT).with_name("python")), "-c", program, *map(str, arguments)]

    def _complete(
        self, command: list[str], variables: Mapping[str, str], text: str = ""
    ) -> subprocess.CompletedProcess[str]:
        with (
            tempfile.TemporaryFile("w+") as stdin,
            tempfile.TemporaryFile("w+") as output,
            tempfile.TemporaryFile("w+") as errors,
        ):
            stdin.write(text)
            stdin.seek(0)
            process = self._start(command, variables, stdin=stdin, stdout=output, stderr=errors)
            try:
                code = process.wait(COMMAND_SECONDS)
            finally:
                process.kill()
            output.seek(0)
            errors.seek(0)
            return subprocess.CompletedProcess(command, code, output.read(), errors.read())

    @contextmanager
    def starting(self, *arguments: str, **variables: str) -> Iterator[Program]:
        """Run a command that the block may end before it ends by itself."""
        with self._run_program(list(arguments), variables) as program:
            yield program

    @contextmanager
    def running(self, *arguments: str, **variables: str) -> Iterator[Server]:
        """Run a server command while the block runs; the block starts when the server answers."""
        port = find_free_port()
        with self._run_program([*arguments, "--port", str(port)], variables) as program:
            server = Server(program.process, program.output, port)
            _wait(server, lambda: _is_answering(server))
            yield server

    @contextmanager
    def working(self, **variables: str) -> Iterator[Program]:
        """Run `comanda worker` while the block runs; the block starts when the worker has started."""
        with self._run_program(["worker"], variables) as worker:
            _wait(worker, lambda: "worker_started" in worker.printed())
            yield worker

    @contextmanager
    def _run_program(self, arguments: list[str], variables: dict[str, str]) -> Iterator[Program]:
        # Beside the data folder, which the program may have to create.
        with NamedTemporaryFile("w", prefix=f"{self.data.name}-", suffix=".txt", dir=self.data.parent) as output:
            command = [str(self.script or SCRIPT), *arguments, *_choose_engine(arguments)]
            process = self._start(command, variables, stdout=output, stderr=output)
            try:
                yield Program(process, Path(output.name))
            finally:
                if process.poll() is None:
                    process.terminate()
                    with suppress(subprocess.TimeoutExpired):
                        process.wait(40)
                if process.poll() is None:
                    process.kill()
                    process.wait()

    def _start(
        self,
        command: Sequence[str],
        variables: Mapping[str, str],
        *,
        stdout: IO[str],
        stderr: IO[str],
        stdin: IO[str] | None = None,
    ) -> subprocess.Popen[str] | ForkedProcess:
        """Start a process. It is forked if it then behaves as if it had been executed."""
        environment = self.environment(**variables)
        if (self.is_forked or (self.script or SCRIPT) == FORKED_SCRIPT) and can_fork(environment):
            return ForkedProcess(command, environment, stdin=stdin, stdout=stdout, stderr=stderr)
        return subprocess.Popen(
            command, env=environment, stdin=stdin or subprocess.DEVNULL, stdout=stdout, stderr=stderr, text=True
        )


def _choose_engine(arguments: list[str]) -> list[str]:
    engine = os.environ.get(ENGINE_VARIABLE)
    if not engine or arguments[0] != "serve" or "--engine" in arguments:
        return []
    return ["--engine", engine]


def _wait(program: Program, is_ready: Callable[[], bool]) -> None:
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline and program.process.poll() is None:
        if is_ready():
            return
        time.sleep(0.05)
    raise AssertionError(f"The program did not start. Output:\n{program.printed()}")


def _is_answering(server: Server) -> bool:
    try:
        with urlopen(f"{server.url}/healthz", timeout=5):
            return True
    except (URLError, OSError):
        return False
