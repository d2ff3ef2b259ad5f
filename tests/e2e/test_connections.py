"""Refused requests leave nothing behind: every answer is read, every kept connection works, every descriptor returns.

The suite runs a small form; ``COMANDA_CONNECTION_REQUESTS=10000`` runs the whole campaign, from 200 connections.
"""

import asyncio
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
from comanda.devkit.testing import (
    MAX_WAIT_SECONDS,
    Installation,
    create_data_folder,
    create_migrated_data_folder,
    find_free_port,
    open_store,
    wait_for,
)
from comanda.operations.embedded.server import EmbeddedPostgres
from connection_campaign import LISTEN, Target, campaign, sockets

REQUESTS = int(os.environ.get("COMANDA_CONNECTION_REQUESTS", "300"))
WIDTH = min(200, max(20, REQUESTS // 15))
# Memory that allocators keep for the next time.
SPARE_MB = 25
NGINX = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin:/usr/local/sbin")

pytestmark = pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="counts descriptors through /proc")


@pytest.fixture(scope="module")
def installation():
    data = create_migrated_data_folder()
    with EmbeddedPostgres(data):
        yield Installation(data, {"COMANDA_LOG_LEVEL": "error", "COMANDA_REQUESTS_PER_MINUTE": str(REQUESTS // 3)})
    shutil.rmtree(data)


@pytest.fixture(scope="module")
def refusals(installation):
    """Make what the campaign asks for: every way to be answered without the body."""
    with installation.running("serve") as server:
        store = open_store(installation, lambda: server.url)
        created = installation.run("token", "create", "--owner", "live@example.com", "--scope", "menu:read")
    owner = {"Authorization": f"Bearer {store.token}"}
    weak = {"Authorization": f"Bearer {created.stdout.split()[-1]}"}
    orders = f"/api/v1/restaurants/{store.id}/orders"
    return [
        ("POST", orders, {}, {401}),
        ("POST", orders, weak, {403}),
        ("POST", orders, owner, {400, 413, 422}),
        ("POST", "/api/v1/nothing", {}, {404}),
        ("PUT", "/api/v1/me", {}, {405}),
        ("POST", "/mcp", {}, {401}),
        ("POST", "/mcp/customer", {}, {401}),
        ("GET", f"/api/v1/menu/{store.id}", {}, {200}),
        ("HEAD", f"/api/v1/menu/{store.id}", {}, {200, 404, 405}),
        ("OPTIONS", orders, {}, {204}),
        ("POST", "/nothing/here", {}, {404, 405}),
        ("GET", "/healthz", {}, {200}),
    ]


def check(figures):
    sys.stdout.write(f"{figures}\n")
    assert figures.unexpected == []
    assert figures.lost == {}
    assert figures.descriptors[1] <= figures.descriptors[0] + 2
    assert figures.resident_mb[1] <= figures.resident_mb[0] + SPARE_MB
    assert figures.close_wait == 0
    assert figures.answered_on_kept > REQUESTS / 10


def test_refused_requests_leave_nothing_behind(installation, refusals):
    with installation.running("serve") as server:
        figures = asyncio.run(campaign(Target(server.port, refusals), server.process.pid, REQUESTS, WIDTH))

    check(figures)


def test_sigterm_ends_the_server_whatever_is_open(installation, refusals):
    with installation.running("serve", COMANDA_REQUESTS_PER_MINUTE="100000") as server, ExitStack() as stack:

        def send(request):
            client = stack.enter_context(socket.create_connection(("127.0.0.1", server.port), timeout=MAX_WAIT_SECONDS))
            client.sendall(request)
            return client

        store = open_store(installation, lambda: server.url, title="Stopping")
        soup = store.add_item("Soup", 5)
        placed = [store.send("POST", "/orders", {"type": "takeaway", "items": [{"item_id": soup}]}) for _ in range(5)]
        tokens = [document["track_token"] for _, document in placed]
        head = "{} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " + store.token + "\r\n"
        streams = [send(f"{head.format(f'GET /t/{token}/events')}\r\n".encode()) for token in tokens * 10]
        for stream in streams:
            assert stream.recv(12) == b"HTTP/1.1 200"
        post = head.format(f"POST /api/v1/restaurants/{store.id}/orders")
        for _ in range(10):
            send(f"{post}Content-Length: 1000000\r\n\r\n".encode() + bytes(1000))
            send(f"{head.format('POST /api/v1/nothing')}Content-Length: 1000000\r\n\r\n".encode() + bytes(300_000))
            send(f"{post}Content-Length: 10\r\nExpect: 100-continue\r\n\r\n".encode())
            send(post.encode())
        time.sleep(1)

        assert server.stop(signal.SIGTERM) == 0


@contextmanager
def running_nginx(server_port, buffering):
    """Run nginx in front of a server, with pooled connections to it; yield its port and its error log."""
    folder, port = create_data_folder(), find_free_port()
    (folder / "nginx.conf").write_text(f"""
        daemon off; master_process off; pid {folder}/pid; error_log {folder}/error.log;
        events {{ worker_connections 1024; }}
        http {{
            access_log off; client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy;
            fastcgi_temp_path {folder}/f; uwsgi_temp_path {folder}/u; scgi_temp_path {folder}/s;
            upstream comanda {{ server 127.0.0.1:{server_port}; keepalive 32; keepalive_timeout 2s; }}
            server {{
                listen 127.0.0.1:{port}; client_max_body_size 10m;
                location / {{
                    proxy_pass http://comanda; proxy_http_version 1.1; proxy_set_header Connection "";
                    proxy_set_header Host $http_host;
                    proxy_set_header X-Forwarded-For $remote_addr;
                    proxy_request_buffering {buffering}; proxy_next_upstream off;
                }}
            }}
        }}
    """)
    process = subprocess.Popen([NGINX, "-p", folder, "-c", folder / "nginx.conf"], stderr=subprocess.DEVNULL)
    try:
        wait_for(lambda: sockets(port, LISTEN), "nginx", show=(folder / "error.log").read_text)
        yield port, folder / "error.log"
    finally:
        process.terminate()
        process.wait(MAX_WAIT_SECONDS)
        shutil.rmtree(folder)


@pytest.mark.skipif(NGINX is None, reason="nginx is not installed")
@pytest.mark.parametrize("buffering", ["on", "off"])
def test_refused_requests_through_nginx_with_pooled_connections(installation, refusals, buffering):
    with (
        installation.running("serve", COMANDA_TRUSTED_PROXIES="1") as server,
        running_nginx(server.port, buffering) as (port, errors),
    ):
        figures = asyncio.run(
            campaign(Target(port, refusals), server.process.pid, REQUESTS, WIDTH, server_port=server.port)
        )
        complaints = [line for line in errors.read_text().splitlines() if "upstream" in line]

    if buffering == "off":
        # nginx closes a client's connection whose body it passed on in part, without having said so.
        figures.lost.clear()
    check(figures)
    assert complaints == []
