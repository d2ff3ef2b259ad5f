"""kill -9 of a worker of HubRise's orders: after it has read one, while it places it, and before it tells HubRise."""

import asyncio
import hashlib
import hmac
import shutil
import signal
import threading
from contextlib import ExitStack
from urllib.request import Request, urlopen

import asyncpg
import pytest
from comanda.devkit.testing import Installation, create_migrated_data_folder, open_store, wait_for
from comanda.operations.embedded.server import EmbeddedPostgres

from tests.plugins.hubrise.fake_hubrise import SECRET, FakeHubRise, create_event, ordered

# As if what died had been left alone for long enough.
END_LEASES = """
    UPDATE hubrise_order SET leased_until = NULL, next_attempt_at = now() WHERE next_attempt_at IS NOT NULL
"""
LOCKS = {
    "after reading": "SELECT id FROM hubrise_order FOR UPDATE",
    "while placing": "SELECT store_id FROM core_order_tally FOR UPDATE",
}


class HubRiseThread:
    """A fake HubRise in a thread, which outlives the servers."""

    def __enter__(self):
        self.loop, self.fake = asyncio.new_event_loop(), FakeHubRise()
        self._thread = threading.Thread(target=self.loop.run_forever, daemon=True)
        self._thread.start()
        self.run(self.fake.start())
        return self

    def __exit__(self, *_):
        self.run(self._stop())
        self.loop.call_soon_threadsafe(self.loop.stop)
        self._thread.join()
        self.loop.close()

    async def _stop(self):
        await self.fake.stop()
        # Those whose clients were killed in the middle.
        rest = asyncio.all_tasks() - {asyncio.current_task()}
        for task in rest:
            task.cancel()
        await asyncio.gather(*rest, return_exceptions=True)

    def run(self, work):
        return asyncio.run_coroutine_threadsafe(work, self.loop).result(30)


class World:
    """A data folder with a database, a HubRise, and a server that is started again after each death."""

    def __init__(self, stack):
        data = create_migrated_data_folder()
        stack.callback(shutil.rmtree, data, ignore_errors=True)
        self.postgres = stack.enter_context(EmbeddedPostgres(data))
        self.fake = stack.enter_context(HubRiseThread()).fake
        settings = {"COMANDA_HUBRISE_URL": self.fake.url, "COMANDA_LOG_LEVEL": "critical"}
        self.installation = Installation(data, settings)
        self._stack = stack
        self.start()

    def start(self):
        self.server = self._stack.enter_context(self.installation.running("serve"))

    def kill(self):
        self.server.stop(signal.SIGKILL)
        self.start()

    def url(self):
        return self.server.url

    def sql(self, statement):
        async def run():
            connection = await asyncpg.connect(self.postgres.url)
            try:
                return await connection.fetch(statement)
            finally:
                await connection.close()

        return asyncio.run(run())

    def kill_while_locked(self, statement, is_reached):
        """Kill the server once it waits for rows that are locked here."""

        async def run():
            connection = await asyncpg.connect(self.postgres.url)
            try:
                async with connection.transaction():
                    await connection.fetch(statement)
                    await asyncio.to_thread(is_reached)
                    await asyncio.to_thread(self.server.stop, signal.SIGKILL)
            finally:
                await connection.close()

        asyncio.run(run())
        self.start()

    def count_blocked(self):
        return self.sql("SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'")[0][0]


def report(world, path, order):
    body = create_event(order)
    signature = hmac.new(SECRET.encode(), body, hashlib.sha256).hexdigest()
    headers = {"Content-Type": "application/json", "X-HubRise-Hmac-SHA256": signature}
    with urlopen(Request(world.url() + path, body, headers, method="POST"), timeout=10) as answer:
        assert answer.status == 204


@pytest.fixture(scope="module")
def world():
    with ExitStack() as stack:
        made = World(stack)
        made.store = open_store(made.installation, made.url)
        made.soup_id = made.store.add_item("Soup", 5)
        made.location = made.fake.add_location()
        body = {"access_token": made.location.token, "client_secret": SECRET}
        status, connection = made.store.send("PUT", "/hubrise", body)
        assert status == 200, connection
        made.path = "/" + connection["callback_url"].split("/", 3)[3]
        # The first order makes the row that the others wait for.
        made.store.send("POST", "/orders", {"type": "takeaway", "items": [{"item_id": made.soup_id}]})
        yield made


def add_order(world):
    item = ordered(f"item-{world.soup_id}")
    payments = [{"ref": "CARD", "amount": "5.00 EUR"}]
    return world.location.add_order(items=[item], total="5.00 EUR", payments=payments)


def wait_until_told(world, order):
    def is_told():
        world.sql(END_LEASES)
        return world.location.list_statuses(order["id"])

    wait_for(is_told, "a status at HubRise")


def count_placed(world, order):
    """Return how many orders, links and payments an order of HubRise has."""
    orders = world.sql(f"SELECT id FROM core_order WHERE attributes -> 'hubrise' ->> 'id' = '{order['id']}'")
    links = world.sql(f"SELECT id FROM hubrise_order WHERE hubrise_id = '{order['id']}' AND state = 'placed'")
    payments = world.sql(f"SELECT id FROM payments_payment WHERE reference = '{order['id']}'")
    return len(orders), len(links), len(payments)


@pytest.mark.parametrize("moment", LOCKS)
def test_worker_that_dies_before_the_commit_leaves_one_order(world, moment):
    order = add_order(world)

    def is_reached():
        report(world, world.path, order)
        wait_for(lambda: ("GET", f"location/orders/{order['id']}") in world.fake.requests, "the order read")
        wait_for(world.count_blocked, "a worker that waits")

    if moment == "after reading":
        # The row has to be there to be locked; while the answer is slow, it is.
        world.fake.delay = 1.5
        report(world, world.path, order)
        wait_for(lambda: ("GET", f"location/orders/{order['id']}") in world.fake.requests, "a request")

        def is_reached():
            wait_for(world.count_blocked, "a worker that waits")

    world.kill_while_locked(LOCKS[moment], is_reached)
    world.fake.delay = 0.0
    before = count_placed(world, order)
    report(world, world.path, order)
    wait_until_told(world, order)

    assert before == (0, 0, 0)
    assert count_placed(world, order) == (1, 1, 1)
    assert world.location.list_statuses(order["id"]) == ["accepted"]


def test_worker_that_dies_before_hubrise_hears_of_it_leaves_one_order(world):
    order = add_order(world)
    reads = f"location/orders/{order['id']}"

    report(world, world.path, order)
    wait_for(lambda: ("GET", reads) in world.fake.requests, "the order read")
    world.fake.delay = 3.0
    wait_for(lambda: count_placed(world, order)[0], "the order placed")
    world.kill()
    world.fake.delay = 0.0
    told_before = world.location.list_statuses(order["id"])
    wait_until_told(world, order)

    assert len(told_before) <= 1
    assert count_placed(world, order) == (1, 1, 1)
    assert set(world.location.list_statuses(order["id"])) == {"accepted"}
