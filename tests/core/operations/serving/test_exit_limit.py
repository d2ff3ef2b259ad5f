"""A server ends after SIGTERM, and its embedded database with it, whatever steps of plugins do."""

import shutil
import signal

import pytest
from comanda.devkit.testing.data_folders import create_migrated_data_folder
from comanda.devkit.testing.polling import MAX_WAIT_SECONDS
from comanda.devkit.testing.processes import Installation, find_free_port
from comanda.operations.embedded import postmaster

PROGRAM = """
import asyncio, sys, time
from comanda.operations.serving import exit_limit, process
from comanda.cli.main import main

exit_limit.EXIT_SECONDS = 1.0
kept = []
how, port = sys.argv[1:]

async def swallow_cancellation():
    while True:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            pass

def block():
    print("begun", flush=True)
    time.sleep(3600)

def begin():
    loop = asyncio.get_running_loop()
    if how == "blocks":
        loop.call_soon(block)
    elif how == "swallows":
        kept.append(loop.create_task(swallow_cancellation()))
        loop.call_soon(print, "begun")
    else:
        kept.append(loop.run_in_executor(None, block))

open_port = process.WebServer._before_serving
process.WebServer._before_serving = lambda server: (open_port(server), begin())
sys.argv[1:] = ["serve", "--port", port]
main()
"""


@pytest.fixture(scope="module")
def installation():
    """Return an installation whose database runs only while a server uses it."""
    data = create_migrated_data_folder()
    yield Installation(data, {})
    shutil.rmtree(data)


def find_server(installation):
    return postmaster.find_running_server((installation.data / "postgres").resolve())


@pytest.mark.parametrize("how", ["swallows", "goes on in a thread", "blocks"])
def test_process_ends_in_limited_time_whatever_a_step_does(installation, how, capfd):
    with installation.running_program(PROGRAM, how, find_free_port()) as server:
        while "begun" not in server.stdout.readline():
            assert server.process.poll() is None
        assert find_server(installation) is not None

        server.process.send_signal(signal.SIGTERM)
        code = server.process.wait(MAX_WAIT_SECONDS)

        assert code == 1
    assert "process_did_not_stop" in capfd.readouterr().err
    assert find_server(installation) is None
