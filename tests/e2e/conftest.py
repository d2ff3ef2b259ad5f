"""What tests of whole processes share: a receiver that believes nothing but the `standardwebhooks` library."""

import asyncio
import json
import os
import shutil
import threading
from collections import defaultdict
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import islice
from pathlib import Path

import asyncpg
import pytest
from comanda.devkit.testing import (
    MAX_WAIT_SECONDS,
    Installation,
    await_condition,
    create_migrated_data_folder,
    send_request,
)
from standardwebhooks import Webhook
from wheel_house import wheels

__all__ = ["wheels"]

HERE = Path(__file__).parent
WAITING = """
    SELECT (SELECT count(*) FROM core_pending_event_v1)
        + (SELECT count(*) FROM webhooks_delivery WHERE status = 'pending')
"""
LATE = """
    SELECT 'event' AS what, name, attempts, NULL AS said, due_at - now() AS due_in, count(*)
    FROM core_outbox WHERE done_at IS NULL GROUP BY 2, 3, 5
    UNION ALL
    SELECT 'event in lane', handler, attempts, last_error, due_at - now(), count(*)
    FROM core_event_lane GROUP BY 2, 3, 4, 5
    UNION ALL
    SELECT 'delivery', event, attempts, NULL, next_attempt_at - now(), count(*)
    FROM webhooks_delivery WHERE status = 'pending' GROUP BY 2, 3, 5
"""
# As if the time for which the dead had claimed their work were over. It is half a minute; what was claimed within the
# last second is left alone, for the living may be at it.
END_LEASES = (
    "UPDATE core_outbox SET due_at = now() WHERE done_at IS NULL AND due_at < now() + interval '24 s'",
    "UPDATE core_event_lane SET leased_until = now() WHERE leased_until < now() + interval '34 s'",
    """UPDATE webhooks_delivery SET leased_until = now()
       WHERE leased_until BETWEEN now() AND now() + interval '30 s'""",
)


def pytest_collection_modifyitems(items):
    """Have each pytest worker begin with its share of the tests of whole processes, which wait more than they compute.

    xdist gives each worker as many tests in a row. Pages are shared among half of the workers, as each needs Chromium.
    """
    workers = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
    modules, others = defaultdict(list), []
    for item in items:
        (modules[item.path] if str(item.path).startswith(str(HERE)) else others).append(item)
    shares = [[] for _ in range(workers)]
    for module in sorted(modules.values(), key=lambda module: not needs_browser(module)):
        able = shares[: -(-workers // 2)] if needs_browser(module) else shares
        min(able, key=len).extend(module)
    rest = iter(others)
    items[:] = [
        *(item for share in shares for item in [*share, *islice(rest, max(0, len(items) // workers - len(share)))]),
        *rest,
    ]


def needs_browser(module):
    return any("browser" in item.fixturenames for item in module)


class Receiver:
    """Listens in a thread.

    ``by_order`` maps an order to the webhook-ids its ``order.created`` came under; ``ports`` are those that deliveries
    came from. While ``is_open`` is not set no delivery is answered, and ``in_hand`` maps their ports to their orders.
    """

    def __init__(self):
        self.secret = ""
        self.in_hand = {}
        self.forget()
        self.is_open = threading.Event()
        self.is_open.set()
        self._lock = threading.Lock()
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                length = int(self.headers["Content-Length"])
                body = self.rfile.read(length)
                if len(body) < length:  # its sender was killed in the middle
                    self.close_connection = True
                    return
                self.send_response(receiver.take(dict(self.headers), body, self.client_address[1]))
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_):
                pass

        class Server(ThreadingHTTPServer):
            daemon_threads = True
            request_queue_size = 100

            def handle_error(self, *_):
                """Say nothing: a killed sender leaves a broken connection, and what is missing is found out."""

        self._server = Server(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_):
        self.is_open.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def forget(self):
        """Begin anew."""
        self.by_order = defaultdict(list)
        self.refused = []
        self.ports = set()

    @property
    def port(self):
        return self._server.server_address[1]

    def register(self, server_url, token):
        """Make an endpoint for ``order.created`` at a running Comanda."""
        wanted = {"url": f"http://127.0.0.1:{self.port}/hooks", "events": ["order.created"]}
        status, endpoint = send_request("POST", f"{server_url}/api/v1/webhook-endpoints", token, wanted)
        assert status == 201, endpoint
        self.secret = endpoint["secret"]

    def take(self, headers, body, port):
        lower = {name.lower(): value for name, value in headers.items()}
        try:
            event = Webhook(self.secret).verify(body.decode(), lower)
        except Exception as error:
            self.refused.append(error)
            return 400
        with self._lock:
            self.ports.add(port)
            self.in_hand[port] = event["data"]["order_id"]
            self.by_order[event["data"]["order_id"]].append((lower["webhook-id"], json.loads(body)["data"]["total"]))
        self.is_open.wait(MAX_WAIT_SECONDS)
        with self._lock:
            del self.in_hand[port]
        return 200

    @property
    def repeats(self):
        return sum(len(calls) - 1 for calls in self.by_order.values())

    def have_all(self, database_url):
        """Wait until nothing waits any more to be delivered, or written down as delivered.

        What the dead had claimed is due after a second, to spare us their leases.
        """
        asyncio.run(_have_all(database_url))


async def _have_all(url):
    connection = await asyncpg.connect(url)

    async def is_all_done():
        if not await connection.fetchval(WAITING):
            return True
        for statement in END_LEASES:
            await connection.execute(statement)
        raise AssertionError([dict(row) for row in await connection.fetch(LATE)])

    try:
        await await_condition(is_all_done, "all events and deliveries to be done")
        assert [dict(row) for row in await connection.fetch(LATE)] == []
    finally:
        await connection.close()


@pytest.fixture(scope="session")
def shared_browser():
    # Not every machine that runs other tests has Playwright.
    from chromium import launch_chromium  # noqa: PLC0415

    with launch_chromium() as launched:
        yield launched


@pytest.fixture(scope="module")
def browser(shared_browser):
    """Return the Chromium of this pytest worker."""
    with shared_browser.lend() as lent:
        yield lent


@pytest.fixture
def service_workers(monkeypatch):
    """Allow pages to have service workers, in tests that open them without a network."""
    from chromium import OPTIONS  # noqa: PLC0415

    monkeypatch.setitem(OPTIONS, "service_workers", "allow")


@pytest.fixture(scope="session")
def installation():
    """Return the installation of this pytest worker, for tests that need none of their own.

    To start one takes seconds. Its owners, stores and phone numbers have names that no other module uses. Messages are
    read from its outbox.
    """
    data = create_migrated_data_folder()
    variables = {
        "COMANDA_LOG_LEVEL": "warning",
        "COMANDA_DEVELOPMENT": "true",
        # Everybody has the same address.
        "COMANDA_REQUESTS_PER_MINUTE": "1000000",
    }
    yield Installation(data, variables)
    shutil.rmtree(data, ignore_errors=True)


@pytest.fixture(scope="session")
def server(installation):
    """Return the server of this pytest worker's installation."""
    with installation.running("serve") as running:
        yield running


@pytest.fixture
def receiver():
    with Receiver() as listening:
        yield listening


@pytest.fixture(scope="module")
def module_receiver():
    with Receiver() as listening:
        yield listening
