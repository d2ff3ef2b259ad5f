"""Real `comanda` processes, for tests that need whole processes."""

import os
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import IO
from urllib.request import urlopen

from comanda.devkit.testing.forked_processes import ForkedProcess, can_fork
from comanda.devkit.testing.polling import MAX_WAIT_SECONDS, wait_for

SCRIPT = Path(sys.executable).parent / "comanda"
FORKED_SCRIPT = SCRIPT
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

    def stop(self, number: int = signal.SIGTERM, seconds: float = MAX_WAIT_SECONDS) -> int:
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
                process.wait(MAX_WAIT_SECONDS)
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
                code = process.wait(MAX_WAIT_SECONDS)
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
                        process.wait(MAX_WAIT_SECONDS)
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
    def is_ready_or_over() -> bool:
        return program.process.poll() is not None or is_ready()

    wait_for(is_ready_or_over, "the start of the program", show=program.printed)
    assert program.process.poll() is None, f"The program did not start. Output:\n{program.printed()}"


def _is_answering(server: Server) -> bool:
    try:
        with urlopen(f"{server.url}/healthz", timeout=MAX_WAIT_SECONDS):
            return True
    except OSError:
        return False
