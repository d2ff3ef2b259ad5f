"""kill -9 of a server that has to tell Deliverect what is sold out and paused: it is told after all, at most twice."""

import asyncio
import shutil
import signal
from contextlib import ExitStack

import asyncpg
import pytest
from comanda.devkit.testing import Installation, create_migrated_data_folder, open_store, wait_for
from comanda.operations.embedded.server import EmbeddedPostgres
from served_banks import serve_in_a_thread

from tests.plugins.deliverect.fake_deliverect import WEBHOOK_SECRET, FakeDeliverect

SELECT_PAUSE = "SELECT is_paused FROM deliverect_connection"
# As if a worker were at it, so that the change is not told before the death.
TAKE_LEASE = """
    UPDATE deliverect_connection SET leased_until = now() + interval '1 hour' WHERE leased_until IS NULL RETURNING id
"""
# As if what died had been left alone for long enough.
END_LEASES = "UPDATE deliverect_connection SET leased_until = NULL, next_attempt_at = now()"


class World:
    """A data folder with a database, a Deliverect, and a server that is started again after each death."""

    def __init__(self, stack):
        data = create_migrated_data_folder()
        stack.callback(shutil.rmtree, data, ignore_errors=True)
        self.postgres = stack.enter_context(EmbeddedPostgres(data))
        self.fake = stack.enter_context(serve_in_a_thread(FakeDeliverect()))
        settings = {"COMANDA_DELIVERECT_URL": self.fake.url, "COMANDA_LOG_LEVEL": "critical"}
        self.installation = Installation(data, settings)
        self._stack = stack
        self.start()
        self.store = open_store(self.installation, lambda: self.server.url)
        self.soup_id = self.store.add_item("Soup", 5)
        client_id = self.fake.add_client()
        body = {
            "account_id": "account-1",
            "location_id": "location-1",
            "client_id": client_id,
            "client_secret": self.fake.clients[client_id],
            "webhook_secret": WEBHOOK_SECRET,
        }
        status, connection = self.store.send("PUT", "/deliverect", body)
        assert status == 200, connection

    def start(self):
        self.server = self._stack.enter_context(self.installation.running("serve"))

    def occupy_worker(self):
        wait_for(lambda: self.sql(TAKE_LEASE), "the worker at rest")

    def kill(self):
        self.server.stop(signal.SIGKILL)

    def sql(self, statement):
        async def run():
            connection = await asyncpg.connect(self.postgres.url)
            try:
                return await connection.fetch(statement)
            finally:
                await connection.close()

        return asyncio.run(run())

    def sell_out(self, *, is_sold_out):
        status, item = self.store.send("PUT", f"/menu/items/{self.soup_id}", {"is_sold_out": is_sold_out})
        assert status == 200, item

    def list_snoozed(self):
        return list(self.fake.list_snoozed("location-1"))


@pytest.fixture(scope="module")
def world():
    with ExitStack() as stack:
        yield World(stack)


def test_death_right_after_the_change_loses_nothing(world):
    world.occupy_worker()
    world.sell_out(is_sold_out=True)
    world.kill()
    before = world.list_snoozed()
    world.start()
    world.sql(END_LEASES)

    wait_for(world.list_snoozed, "the item told as sold out")

    assert before == []
    assert world.list_snoozed() == [f"item-{world.soup_id}"]


def test_death_while_deliverect_answers_tells_the_same_again(world):
    # Long enough for a busy machine to kill the server before the answer.
    world.fake.delay = 10.0
    status, found = world.store.send("PUT", "/intake-status", {"status": "paused"})
    assert status == 200, found
    wait_for(lambda: ("POST", "updateStoreStatus/location-1") in world.fake.requests, "a pause told")
    world.kill()
    world.fake.delay = 0.0
    is_saved = world.sql(SELECT_PAUSE)[0][0]
    world.start()
    world.sql(END_LEASES)

    wait_for(lambda: world.sql(SELECT_PAUSE)[0][0], "the pause saved")
    # The first answer may take longer than the start of the next server.
    wait_for(lambda: len(world.fake.pauses) == 2, "both answers")

    assert is_saved is False
    assert world.fake.pauses == [("location-1", True)] * 2


def test_death_right_after_a_change_back_loses_nothing(world):
    world.sell_out(is_sold_out=True)
    wait_for(world.list_snoozed, "the item told as sold out")
    world.occupy_worker()
    world.sell_out(is_sold_out=False)
    world.kill()
    before = world.list_snoozed()
    world.start()
    world.sql(END_LEASES)

    wait_for(lambda: not world.list_snoozed(), "the item sold again")

    assert before == [f"item-{world.soup_id}"]
    assert world.store.send("GET", "/deliverect")[1]["failure"] is None
