"""The test clock of whole processes: a server follows what the command line advances, and does what fell due."""

import json
from urllib.request import Request, urlopen

import pytest
from comanda.devkit.testing.data_folders import create_data_folder
from comanda.devkit.testing.polling import MAX_WAIT_SECONDS, wait_for
from comanda.devkit.testing.processes import Installation


def send(server, path, body=None):
    data = None if body is None else json.dumps(body).encode()
    request = Request(f"{server.url}/api/v1{path}", data, {"content-type": "application/json"})
    with urlopen(request, timeout=MAX_WAIT_SECONDS) as reply:
        return json.load(reply)


@pytest.fixture
def installation(new_migrated_database):
    variables = {"COMANDA_DEVELOPMENT": "1", "COMANDA_TEST_CLOCK": "1"}
    database = new_migrated_database("comanda_clock")
    return Installation(create_data_folder(), {**variables, "DATABASE_URL": database})


def test_server_follows_the_command(installation):
    with installation.running("serve") as server:
        own = send(server, "/test-clock/advance", {"by": "1d"})
        command = installation.run("clock", "advance", "39d", "--json")
        wait_for(lambda: send(server, "/test-clock")["offset_seconds"] == 40 * 86_400, "the server to follow")
    shown = installation.run("clock", "show")

    assert own["offset_seconds"] == 86_400
    assert json.loads(command.stdout)["offset_seconds"] == 40 * 86_400
    assert shown.stdout.endswith(", 3456000 seconds ahead of real time.\n")


def test_command_needs_the_setting(installation):
    refused = installation.run("clock", "advance", "40d", COMANDA_TEST_CLOCK="0")
    invalid = installation.run("clock", "advance", "never")

    assert (refused.returncode, invalid.returncode) == (1, 1)
    assert refused.stderr == "Error: The test clock is off. Set COMANDA_DEVELOPMENT=1 and COMANDA_TEST_CLOCK=1.\n"
    assert "written like 40d" in invalid.stderr
    assert installation.run("clock", "show", "--json").stdout.count('"offset_seconds": 0') == 1
