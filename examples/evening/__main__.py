"""Plays an evening and checks its books.

    cd examples && python -m evening --url http://127.0.0.1:8000 --owner-token own_… --stores 1 2 3

The server has to allow receivers of webhooks on its own machine, as ``comanda run`` does.
"""

import argparse
import asyncio
import sys
import time
from contextlib import suppress
from datetime import UTC, datetime, timedelta

import aiohttp

from evening import checks, house, plan, road
from evening.books import Books
from evening.client import Api, Clock, Traffic, Unexpected
from evening.events import Log
from evening.kitchen import cook
from evening.receiver import Receiver
from evening.service import Service
from evening.till import Tills

# How many of the evening's minutes, and at least how many seconds, the last guests have to be served.
LAST_MINUTES = 120
LAST_SECONDS = 60
SHOWN = 60


def arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(prog="evening", description="Play an evening over REST and check its books.")
    parser.add_argument("--url", required=True, help="the host root of a running Comanda")
    parser.add_argument("--owner-token", required=True)
    parser.add_argument("--stores", type=int, nargs="+", required=True, metavar="ID")
    parser.add_argument("--orders", type=int, default=500)
    parser.add_argument("--drivers", type=int, default=20)
    parser.add_argument("--speed", type=float, default=50, help="how many times as fast as real time")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--wait", action="store_true", help="check after each line of standard input, not just once")
    return parser.parse_args()


class Evening:
    """One evening, from the first guest to the last coin that is counted."""

    def __init__(self, asked: argparse.Namespace, books: Books, receiver: Receiver) -> None:
        self._asked = asked
        self._books = books
        self._clock = Clock(asked.speed)
        self._log = Log(books, receiver)
        today = datetime.now(UTC).date()
        # The stores' days may have begun already, or not yet.
        self._days = (str(today - timedelta(days=1)), str(today + timedelta(days=1)))

    async def play(self, receiver_url: str, receiver: Receiver) -> None:
        """Furnish the stores, let guests come, and close."""
        asked, books = self._asked, self._books
        endpoint = await books.owner.do("POST", "/webhook-endpoints", {"url": receiver_url, "events": ["*"]})
        books.endpoint_id = endpoint["id"]
        receiver.trust(endpoint["secret"])
        await house.furnish(books, asked.stores, asked.orders, asked.drivers, asked.speed)
        await house.read_before(books, *self._days)
        for operation in {checks.EARNINGS, road.OFFERS} - books.operations:
            print(f"Left out, for this Comanda does not have it: {operation}")  # noqa: T201
        print(f"{len(books.stores)} stores, {len(books.drivers)} drivers and the kitchens are ready.", flush=True)  # noqa: T201
        self._clock = Clock(asked.speed)
        await self._serve()

    async def check(self) -> list[str]:
        """Return every difference between what the server tells and the books."""
        await self._log.arrive()
        compared = await checks.compare(self._books, *self._days)
        return [*self._books.differences, *compared, *await self._log.compare()]

    async def _serve(self) -> None:
        asked, books, clock = self._asked, self._books, self._clock
        tills = Tills(books, clock, asked.seed)
        service, drivers = Service(books, clock, tills, asked.seed), road.Road(books, clock, asked.seed)
        planned = plan.orders(asked.seed, asked.orders, [store.modes for store in books.stores])
        cooks = enumerate((api for store in books.stores for api in store.cooks), asked.seed)
        workers = [asyncio.create_task(cook(books, clock, api, seed)) for seed, api in cooks]
        workers += [asyncio.create_task(drivers.drive(driver)) for driver in books.drivers]
        workers += [asyncio.create_task(service.toggle(store)) for store in books.stores]
        guests = [asyncio.create_task(service.serve(order)) for order in planned]
        guests += [asyncio.create_task(tills.change_hands(store)) for store in books.stores]
        await self._until_all_are_served(guests, workers)
        await self._end(guests + workers)
        for store in books.stores:
            await tills.close(store)

    async def _until_all_are_served(self, guests: list[asyncio.Task[None]], workers: list[asyncio.Task[None]]) -> None:
        minutes = plan.MINUTES + LAST_MINUTES
        seconds = max(minutes * 60 / self._asked.speed, plan.MINUTES * 60 / self._asked.speed + LAST_SECONDS)
        deadline = time.monotonic() + seconds
        waiting: set[asyncio.Task[None]] = set(guests)
        while waiting and time.monotonic() < deadline:
            _, waiting = await asyncio.wait(waiting, timeout=1)
            if any(worker.done() for worker in workers):
                break
        for order in self._books.orders:
            if not order.is_over:
                state = f"{order.status}, {order.delivery_status}, {order.left} cents left"
                self._books.differ(f"Order {order.id} was not seen through: {state}")

    async def _end(self, tasks: list[asyncio.Task[None]]) -> None:
        """Let everybody finish what they have in hand, and note what made somebody stop before."""
        self._clock.end()
        _, late = await asyncio.wait(tasks, timeout=LAST_SECONDS)
        for task in late:
            task.cancel()
        for ended in await asyncio.gather(*tasks, return_exceptions=True):
            if isinstance(ended, Exception):
                self._books.differ(f"Somebody stopped working: {ended!r}")


async def main() -> int:
    """Play, check, tell; return the exit code."""
    asked = arguments()
    traffic = Traffic()
    connector = aiohttp.TCPConnector(limit=200)
    async with aiohttp.ClientSession(connector=connector) as session:
        books = Books(Api(session, asked.url, traffic, asked.owner_token))
        receiver = Receiver(books.differ)
        url = await receiver.open()
        evening = Evening(asked, books, receiver)
        began = time.monotonic()
        try:
            await evening.play(url, receiver)
            _tell(books, traffic, receiver, time.monotonic() - began)
            return await _check(evening, traffic, again=asked.wait)
        finally:
            with suppress(Unexpected, OSError):
                if books.endpoint_id:
                    await books.owner.do("DELETE", f"/webhook-endpoints/{books.endpoint_id}")
            await receiver.close()


async def _check(evening: Evening, traffic: Traffic, *, again: bool) -> int:
    code = 0
    while not again or (await asyncio.to_thread(sys.stdin.readline)) != "":
        differences = [*await evening.check(), *traffic.server_errors]
        for sentence in differences[:SHOWN]:
            print(f"DIFFERENCE {sentence}")  # noqa: T201
        verdict = f"Differences: {len(differences)}." if differences else "Everything agrees."
        print(verdict, flush=True)  # noqa: T201
        code = int(bool(differences))
        if not again:
            break
    return code


def _tell(books: Books, traffic: Traffic, receiver: Receiver, seconds: float) -> None:
    orders = list(books.placed())
    figures = {
        "seconds": round(seconds),
        "orders": len(orders),
        "orders a second": round(len(orders) / seconds, 1),
        "orders cancelled": sum(order.status == "cancelled" for order in orders),
        "orders refused for what was sold out": books.refused_orders,
        "payments": sum(len(order.payments) for order in orders),
        "refunds": sum(len(order.refunds) for order in orders),
        "deliveries brought": sum(order.delivery_status == "delivered" for order in orders),
        "deliveries failed and sent again": sum(order.moves["failed"] for order in orders),
        "claims that lost a race": books.refused_claims,
        "offers accepted": books.accepted_offers,
        "offers rejected": books.rejected_offers,
        "bumps that lost a race": books.refused_bumps,
        "requests sent twice": books.repeats,
        "requests broken off": traffic.broken_off,
        "requests": traffic.requests,
        "requests that had to wait for the next minute": traffic.statuses[429],
        "server errors": len(traffic.server_errors),
        "milliseconds for half of them": round(traffic.slowest_of(0.5)),
        "milliseconds for 99 % of them": round(traffic.slowest_of(0.99)),
        "events received": len(receiver.told),
        "events received again": receiver.repeats,
    }
    print("\n".join(f"{value:>8}  {name}" for name, value in figures.items()), flush=True)  # noqa: T201


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
