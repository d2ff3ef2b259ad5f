"""A server whose database does not keep up rejects what it could not serve in time, and finishes what it began."""

import asyncio
import json
import shutil
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import replace
from http.client import HTTPConnection

import asyncpg
import pytest
from comanda.devkit.testing import MAX_WAIT_SECONDS, Installation, create_data_folder, open_store, wait_for

POOL_SIZE = 2
# Two in the database and three in the queue: more than the pool has connections, so the queue is looked at.
BEGUN = 5
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
def installation(new_migrated_database):
    data = create_data_folder()
    variables = {
        "DATABASE_URL": new_migrated_database("comanda_overload"),
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
        connection = HTTPConnection("127.0.0.1", self._port, timeout=MAX_WAIT_SECONDS)
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


def open_stores(installation, server):
    """Open stores of one owner, as orders of one store wait for each other; return a client and what to order where."""
    first = open_store(installation, lambda: server.url)
    client = Client(server.port, first.token)
    body = {"store_type": "restaurant", "timezone": "UTC"}
    created = [client.send("POST", "/api/v1/restaurants", body | {"title": f"Live {n}"})[2] for n in range(1, BEGUN)]
    stores = [first, *(replace(first, id=each["id"]) for each in created)]
    orders = [
        (
            f"/api/v1/restaurants/{store.id}/orders",
            {
                "type": "takeaway",
                "customer_name": "Ada",
                "items": [{"item_id": store.add_item("Soup", 7.5), "quantity": 1}],
            },
        )
        for store in stores
    ]
    return client, orders


def test_overloaded_server_rejects_at_once_and_finishes_what_it_began(installation):
    url = installation.variables["DATABASE_URL"]
    with installation.running("serve") as server, ThreadPoolExecutor(64) as pool:
        client, orders = open_stores(installation, server)
        query(url, CLOSE_GATE)

        begun = [pool.submit(client.send, "POST", path, order) for path, order in orders]
        wait_for(lambda: query(url, COUNT_WAITING, fetch=True) == POOL_SIZE, "all connections to be in use")
        asked = []

        def find_refusal():
            # Those before the refusal are begun, and wait with the others.
            asked.append(pool.submit(client.send, "GET", orders[0][0]))
            wait(asked[-1:], timeout=0.3)
            return next((each.result() for each in asked if each.done() and each.result()[0] == 503), None)

        _, headers, refusal = wait_for(find_refusal, "a refusal")
        refused_order = client.send("POST", *orders[0])
        alive = client.send("GET", "/healthz")
        query(url, OPEN_GATE)
        placed = [each.result() for each in begun]
        others = {each.result()[0] for each in asked}
        pages = [client.send("GET", path) for path, _ in orders]
        log = server.printed()

    assert refusal["code"] == "unavailable"
    assert int(headers["Retry-After"]) >= 1
    assert refused_order[0] == 503
    assert alive[0] == 200
    # What was begun is finished, what was rejected has left nothing, and then all is as before.
    assert [status for status, _, _ in placed] == [201] * BEGUN
    assert others <= {200, 503}
    assert [status for status, _, _ in pages] == [200] * BEGUN
    assert [[each["id"] for each in page["data"]] for _, _, page in pages] == [[each["id"]] for _, _, each in placed]
    assert "requests_shed" in log
