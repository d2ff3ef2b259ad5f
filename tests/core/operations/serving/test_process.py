"""Start and stop of a server process."""

import json
import signal
import socket
import time
from urllib.request import urlopen

import pytest
from comanda.composition import plugin_loader
from comanda.devkit.testing.polling import MAX_WAIT_SECONDS


@pytest.fixture(scope="module")
def demo(installation):
    return json.loads(installation.run("demo", "--json").stdout)


def order_body(demo, server):
    with urlopen(f"{server.url}/api/v1/menu/{demo['stores'][0]['id']}") as answer:
        menu = json.load(answer)
    item = next(item for category in menu for item in category["items"] if item["name"] == "Espresso")
    return json.dumps({"type": "takeaway", "items": [{"item_id": item["id"]}]}).encode()


def test_sigterm_finishes_request_and_accepts_no_other(installation, demo):
    with installation.running("serve") as server:
        body = order_body(demo, server)
        head = (
            f"POST /api/v1/restaurants/{demo['stores'][0]['id']}/orders HTTP/1.1\r\nHost: localhost\r\n"
            f"Authorization: Bearer {demo['tokens']['owner']}\r\nContent-Length: {len(body)}\r\n\r\n"
        ).encode()
        with socket.create_connection(("127.0.0.1", server.port), timeout=MAX_WAIT_SECONDS) as idle, \
             socket.create_connection(("127.0.0.1", server.port), timeout=MAX_WAIT_SECONDS) as connection:  # fmt: skip
            connection.sendall(head + body[:10])
            time.sleep(0.3)
            server.process.send_signal(signal.SIGTERM)
            assert idle.recv(1) == b""
            with pytest.raises(ConnectionRefusedError):
                socket.create_connection(("127.0.0.1", server.port), timeout=MAX_WAIT_SECONDS)
            connection.sendall(body[10:])
            answer = connection.makefile("rb").read()

        assert answer.startswith(b"HTTP/1.1 201")
        assert server.process.wait(MAX_WAIT_SECONDS) == 0


def test_core_alone_starts_with_warning(installation):
    every = ",".join(point.name for point in plugin_loader.discover())
    with installation.running("run", COMANDA_DISABLED_PLUGINS=every) as server:
        with urlopen(f"{server.url}/readyz") as answer:
            assert answer.status == 200
        assert "No vertical is installed" in server.printed()
        assert "Place an order" not in server.printed()


def test_port_in_use_is_reported_before_start(installation):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]

        finished = installation.run("run", "--port", str(port), "--data", str(installation.data / "fresh"))

    assert finished.returncode == 1
    assert (
        finished.stderr
        == f"Error: Port {port} is in use. Stop the program that uses it, or choose another port with PORT=.\n"
    )
    assert not (installation.data / "fresh").exists()
