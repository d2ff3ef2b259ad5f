"""Commands that are forked behave as commands that are executed."""

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from comanda.devkit.testing import forked_processes
from comanda.devkit.testing.forked_processes import ForkedProcess, can_fork
from comanda.devkit.testing.polling import MAX_WAIT_SECONDS, wait_for
from comanda.devkit.testing.processes import SCRIPT


def run(folder: Path, *arguments: str, command: Path | str = SCRIPT, **variables: str) -> subprocess.CompletedProcess:
    with (folder / "output").open("w+") as output, (folder / "errors").open("w+") as errors:
        process = ForkedProcess(
            [str(command), *arguments], {**os.environ, "DATA": str(folder), **variables}, stdout=output, stderr=errors
        )
        code = process.wait(MAX_WAIT_SECONDS)
    return subprocess.CompletedProcess(
        arguments, code, (folder / "output").read_text(), (folder / "errors").read_text()
    )


def test_fork_prints_and_exits_as_an_executed_command(tmp_path):
    for arguments in (["--version"], ["owner", "--wrong"], ["settings", "--json"]):
        environment = {**os.environ, "DATA": str(tmp_path), "COMANDA_KDS_LATE_MINUTES": "20"}
        executed = subprocess.run([SCRIPT, *arguments], env=environment, capture_output=True, text=True, check=False)
        forked = run(tmp_path, *arguments, COMANDA_KDS_LATE_MINUTES="20")

        assert (forked.returncode, forked.stdout, forked.stderr) == (
            executed.returncode, executed.stdout, executed.stderr,
        )  # fmt: skip


@pytest.mark.parametrize(
    "program", ["import sys; print(__name__, sys.argv)", "raise SystemExit(3)", "raise SystemExit('Wrong.')", "1 / 0"]
)
def test_fork_runs_a_program_as_python_does(tmp_path, program):
    arguments = ["-c", program, "first", "-c"]
    executed = subprocess.run([sys.executable, *arguments], capture_output=True, text=True, check=False)
    forked = run(tmp_path, *arguments, command=sys.executable)

    assert (forked.returncode, forked.stdout) == (executed.returncode, executed.stdout)
    assert forked.stderr.splitlines()[-1:] == executed.stderr.splitlines()[-1:]


def test_fork_sees_its_own_environment_only(tmp_path, monkeypatch):
    monkeypatch.setenv("COMANDA_KDS_LATE_MINUTES", "30")

    shown = run(tmp_path, "settings", COMANDA_KDS_LATE_MINUTES="20").stdout
    assert re.search(r"^COMANDA_KDS_LATE_MINUTES +20 ", shown, re.MULTILINE)


def test_fork_is_killed_like_any_process(tmp_path):
    # It waits for a database that does not answer.
    environment = {**os.environ, "DATA": str(tmp_path), "DATABASE_URL": "postgres://127.0.0.1:1/nothing"}
    with (tmp_path / "output").open("w") as output:
        process = ForkedProcess([str(SCRIPT), "serve"], environment, stdout=output, stderr=output)
        assert process.poll() is None
        with pytest.raises(subprocess.TimeoutExpired):
            process.wait(0.01)
        process.kill()

        assert process.wait(MAX_WAIT_SECONDS) == -signal.SIGKILL
        assert process.poll() == -signal.SIGKILL
        process.terminate()


# Does what the server's module does, without loading everything.
SERVER = f"""#!{sys.executable}
import socket, sys
from pathlib import Path
from comanda.devkit.testing.fork_server import ForkServer
ForkServer(socket.socket(fileno=int(sys.argv[3])), Path(sys.argv[4])).serve()
"""


def test_one_server_forks_for_all_workers_and_ends_with_the_last(tmp_path, monkeypatch):
    python = tmp_path / "python"
    python.write_text(SERVER)
    python.chmod(0o755)
    first, second = forked_processes._Server(python), forked_processes._Server(python)
    first.disconnect()
    monkeypatch.setitem(forked_processes._servers, tmp_path, second)

    parent = run(tmp_path, "-c", "import os; print(os.getppid())", command=python).stdout
    second.disconnect()

    assert second._pid is None
    assert int(parent) == first._pid
    assert wait_for(lambda: os.waitpid(first._pid, os.WNOHANG)[0], "the end of the server") == first._pid


def test_variables_of_the_interpreter_need_a_process_of_their_own():
    assert can_fork({**os.environ, "COMANDA_DEV": "1"})
    assert not can_fork({**os.environ, "PYTHONHASHSEED": "1"})
