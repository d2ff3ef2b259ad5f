"""What tests of whole processes share: a receiver that believes nothing but the `standardwebhooks` library."""

import json
import threading
from collections import defaultdict
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from comanda.testing.live import send
from standardwebhooks import Webhook


class Receiver:
    """Listens in a thread. ``by_order`` maps an order to the webhook-ids its ``order.created`` came under."""

    def __init__(self):
        self.secret = ""
        self.by_order = defaultdict(list)
        self.refused = []
        self._lock = threading.Lock()
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                self.send_response(receiver.take(dict(self.headers), body))
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_):
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    @property
    def url(self):
        return f"http://127.0.0.1:{self._server.server_address[1]}/hooks"

    def register(self, server_url, token):
        """Make an endpoint for ``order.created`` at a running Comanda."""
        wanted = {"url": self.url, "events": ["order.created"]}
        status, endpoint = send("POST", f"{server_url}/api/v1/webhook-endpoints", token, wanted)
        assert status == 201, endpoint
        self.secret = endpoint["secret"]

    def take(self, headers, body):
        lower = {name.lower(): value for name, value in headers.items()}
        try:
            event = Webhook(self.secret).verify(body.decode(), lower)
        except Exception as error:
            self.refused.append(error)
            return 400
        with self._lock:
            self.by_order[event["data"]["order_id"]].append((lower["webhook-id"], json.loads(body)["data"]["total"]))
        return 200


@pytest.fixture
def receiver():
    with Receiver() as listening:
        yield listening
