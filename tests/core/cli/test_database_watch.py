import json
import os
import shutil
import signal
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest
from comanda.devkit.testing.data_folders import create_migrated_data_folder
from comanda.devkit.testing.polling import MAX_WAIT_SECONDS, wait_for
from comanda.devkit.testing.processes import Installation
from comanda.operations.embedded import postmaster


@pytest.fixture
def alone():
    """An installation whose database nobody but its own processes uses."""
    data = create_migrated_data_folder()
    yield Installation(data, {})
    if server := postmaster.find_running_server(data / "postgres"):
        server.stop()
    shutil.rmtree(data)


def answer(request):
    try:
        with urlopen(request, timeout=MAX_WAIT_SECONDS) as response:
            return response.status, json.load(response)
    except HTTPError as error:
        return error.code, json.load(error)


def wait_for_answer(status, request):
    def ask():
        found = answer(request)
        return None if found[0] == 503 else found

    found = wait_for(ask, "an answer")
    assert found[0] == status, found
    return found[1]


def test_a_killed_database_comes_back_under_the_server_with_all_orders(alone):
    demo = json.loads(alone.run("demo", "--json").stdout)
    store = demo["stores"][0]["id"]
    headers = {"Authorization": f"Bearer {demo['tokens']['owner']}", "Content-Type": "application/json"}
    with alone.running("serve") as server:
        _, menu = answer(f"{server.url}/api/v1/menu/{store}")
        espresso = next(item for category in menu for item in category["items"] if item["name"] == "Espresso")
        orders = f"{server.url}/api/v1/restaurants/{store}/orders"
        body = json.dumps({"type": "takeaway", "items": [{"item_id": espresso["id"]}]}).encode()
        placed = []
        for deaths in (1, 2):
            placed.append(wait_for_answer(201, Request(orders, body, headers))["id"])
            dead = postmaster.find_running_server(alone.data / "postgres")
            os.kill(dead.pid, signal.SIGKILL)
            placed.append(wait_for_answer(201, Request(orders, body, headers))["id"])

            # A session that outlives its server for a moment may still commit; the log line comes after the start.
            wait_for(
                lambda deaths=deaths: server.printed().count("embedded_postgres_restarted") == deaths,
                "the log line",
                show=server.printed,
            )
            alive = postmaster.find_running_server(alone.data / "postgres")
            assert alive.pid != dead.pid
            # Ctrl-C reaches the server's whole process group, and the database has to outlive the requests in hand.
            assert os.getpgid(alive.pid) not in {os.getpgid(server.process.pid), os.getpgrp()}
        status, page = answer(Request(f"{orders}?per_page=100", headers=headers))

        assert status == 200
        assert set(placed) <= {order["id"] for order in page["data"]}
        assert len(set(placed)) == 4
        assert server.stop(signal.SIGINT) == 0
    assert postmaster.find_running_server(alone.data / "postgres") is None
    assert "database system is shut down" in (alone.data / "postgres.log").read_text().splitlines()[-1]
