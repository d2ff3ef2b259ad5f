"""A server whose database does not keep up rejects what it could not serve in time, and finishes what it began."""

import asyncio
import json
import os
import shutil
import time
from concurrent.futures import ThreadPoolExecutor, wait
from http.client import HTTPConnection

import asyncpg
import pytest
from comanda.devkit.testing.live import open_store
from comanda.devkit.testing.processes import Installation, create_data_folder

POOL_SIZE = 2
# Two in the database and three in the queue: more than the pool has connections, so the queue is looked at.
BEGUN = 5
WAIT_SECONDS = 25
# Orders wait in the database until the gate is open, as they would behind a slow disk.
CLOSE_GATE = """
    CREATE TABLE gate (is_open boolean NOT NULL);
    INSERT INTO gate VALUES (false);
    CREATE FUNCTION wait_for_gate() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        WHILE NOT (SELECT is_open FROM gate) LOOP
            PERFORM pg_sleep(0.02);
        END LOOP;
        RETURN NEW;
    END $$;
    CREATE TRIGGER wait_for_gate BEFORE INSERT ON core_order FOR EACH ROW EXECUTE FUNCTION wait_for_gate();
"""
OPEN_GATE = "UPDATE gate SET is_open = true"
COUNT_WAITING = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'PgSleep'"


@pytest.fixture(scope="module")
def installation(new_database):
    data = create_data_folder()
    variables = {
        "DATABASE_URL": new_database(f"comanda_overload_{os.getpid()}"),
        "COMANDA_POOL_SIZE": str(POOL_SIZE),
        "COMANDA_LOG_LEVEL": "warning",
        "COMANDA_REQUESTS_PER_MINUTE": "1000000",
    }
    yield Installation(data, variables)
    shutil.rmtree(data)


class Client:
    """Requests to the server, each on a connection of its own."""

    def __init__(self, port, token):
        self._port = port
        self._headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}

    def send(self, method, path, body=None):
        """Return the status, the headers and the document of an answer."""
        connection = HTTPConnection("127.0.0.1", self._port, timeout=60)
        try:
            connection.request(method, path, json.dumps(body) if body else None, self._headers)
            answer = connection.getresponse()
            return answer.status, answer.headers, json.loads(answer.read())
        finally:
            connection.close()


def query(url, statement, fetch=False):
    async def run():
        connection = await asyncpg.connect(url)
        try:
            return await (connection.fetchval if fetch else connection.execute)(statement)
        finally:
            await connection.close()

    return asyncio.run(run())


def until(condition):
    deadline = time.monotonic() + WAIT_SECONDS
    while not (found := condition()):
        assert time.monotonic() < deadline
        time.sleep(0.05)
    return found


def test_overloaded_server_rejects_at_once_and_finishes_what_it_began(installation):
    url = installation.variables["DATABASE_URL"]
    with installation.running("serve") as server, ThreadPoolExecutor(64) as pool:
        store = open_store(installation, lambda: server.url)
        item = store.add_item("Soup", 7.5)
        client = Client(server.port, store.token)
        orders = f"/api/v1/restaurants/{store.id}/orders"
        order = {"type": "takeaway", "customer_name": "Ada", "items": [{"item_id": item, "quantity": 1}]}
        query(url, CLOSE_GATE)

        begun = [pool.submit(client.send, "POST", orders, order) for _ in range(BEGUN)]
        until(lambda: query(url, COUNT_WAITING, fetch=True) == POOL_SIZE)
        asked = []

        def find_refusal():
            # Those before the refusal are begun, and wait with the others.
            asked.append(pool.submit(client.send, "GET", orders))
            wait(asked[-1:], timeout=0.3)
            return next((each.result() for each in asked if each.done() and each.result()[0] == 503), None)

        _, headers, refusal = until(find_refusal)
        refused_order = client.send("POST", orders, order)
        alive = client.send("GET", "/healthz")
        query(url, OPEN_GATE)
        placed = [each.result() for each in begun]
        others = [each.result()[0] for each in asked]
        status_afterwards, _, page = client.send("GET", orders)

    assert refusal["code"] == "unavailable"
    assert int(headers["Retry-After"]) >= 1
    assert refused_order[0] == 503
    assert alive[0] == 200
    assert [status for status, _, _ in placed] == [201] * BEGUN
    assert set(others) == {200, 503}
    assert status_afterwards == 200
    assert {each["id"] for each in page["data"]} == {document["id"] for _, _, document in placed}
    assert '"event": "requests_shed"' in server.printed() or '"event":"requests_shed"' in server.printed()
