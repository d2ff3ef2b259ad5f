"""Simulate an evening and check its ledger.

    cd examples && python -m evening --url http://127.0.0.1:8000 --owner-token own_… --stores 1 2 3

The server has to allow receivers of webhooks on its own machine, as ``comanda run`` does.
"""

import argparse
import asyncio
import sys
import time
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from random import Random

import aiohttp

from evening import checks, deliveries, plan, store_setup
from evening.amendments import CheckService
from evening.client import Api, EveningClock, Traffic, UnexpectedAnswer
from evening.event_log import EventLog
from evening.kitchen import run_cook
from evening.ledger import EveningLedger
from evening.order_service import OrderService
from evening.payments import PaymentService
from evening.webhook_receiver import WebhookReceiver

# Time to serve the last guests, in minutes of the evening and at least in seconds.
LAST_MINUTES = 120
LAST_SECONDS = 300
MAX_SHOWN_DIFFERENCES = 60


def parse_arguments() -> argparse.Namespace:
    """Parse the command line."""
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


async def run_outages(ledger: EveningLedger, clock: EveningClock, seed: int) -> None:
    """Take a till, a kitchen screen or a driver's phone offline for some minutes, one after the other.

    What it was about to send is sent later, when others may have changed the order.
    """
    random = Random(seed + 5)
    tills = [till.cashier for store in ledger.stores for till in store.tills]
    screens = [api for store in ledger.stores for api in store.cooks]
    devices = [tills, screens, [driver.api for driver in ledger.drivers]]
    while not clock.is_over:
        await clock.sleep(random.uniform(1, 6), 0.1)
        with random.choice(random.choice([each for each in devices if each])).offline():
            await clock.sleep(random.uniform(2, 6))
        ledger.outages += 1


class Evening:
    """One evening, from the first guest to the last drawer."""

    def __init__(self, arguments: argparse.Namespace, ledger: EveningLedger, receiver: WebhookReceiver) -> None:
        self._arguments = arguments
        self._ledger = ledger
        self._clock = EveningClock(arguments.speed)
        self._log = EventLog(ledger, receiver)
        today = datetime.now(UTC).date()
        # The stores' business day may differ from the UTC date.
        self._days = (str(today - timedelta(days=1)), str(today + timedelta(days=1)))

    async def play(self, receiver_url: str, receiver: WebhookReceiver) -> None:
        """Set up the stores, serve all guests, and close."""
        arguments, ledger = self._arguments, self._ledger
        endpoint = await ledger.owner.do("POST", "/webhook-endpoints", {"url": receiver_url, "events": ["*"]})
        ledger.endpoint_id = endpoint["id"]
        receiver.trust(endpoint["secret"])
        await store_setup.set_up_stores(ledger, arguments.stores, arguments.orders, arguments.drivers, arguments.speed)
        await store_setup.load_baseline(ledger, *self._days)
        for operation in {checks.EARNINGS, deliveries.OFFERS} - ledger.operations:
            print(f"Left out, for this Comanda does not have it: {operation}")
        print(f"{len(ledger.stores)} stores, {len(ledger.drivers)} drivers and the kitchens are ready.", flush=True)
        self._clock = EveningClock(arguments.speed)
        await self._serve()

    async def check(self) -> list[str]:
        """Return every difference between the server and the ledger."""
        await self._log.wait_for_deliveries()
        compared = await checks.compare_ledger(self._ledger, *self._days)
        return [*self._ledger.differences, *compared, *await self._log.compare()]

    async def _serve(self) -> None:
        arguments, ledger, clock = self._arguments, self._ledger, self._clock
        tills = PaymentService(ledger, clock, arguments.seed)
        service, drivers = (
            OrderService(ledger, clock, tills, CheckService(ledger, clock, tills, arguments.seed), arguments.seed),
            deliveries.DeliveryService(ledger, clock, arguments.seed),
        )
        planned = plan.plan_orders(arguments.seed, arguments.orders, [store.modes for store in ledger.stores])
        cooks = enumerate((api for store in ledger.stores for api in store.cooks), arguments.seed)
        workers = [asyncio.create_task(run_cook(ledger, clock, api, seed)) for seed, api in cooks]
        workers += [asyncio.create_task(drivers.run_driver(driver)) for driver in ledger.drivers]
        workers += [asyncio.create_task(service.toggle(store)) for store in ledger.stores]
        workers += [asyncio.create_task(run_outages(ledger, clock, arguments.seed))]
        guests = [asyncio.create_task(service.serve(order)) for order in planned]
        guests += [asyncio.create_task(tills.change_shifts(store)) for store in ledger.stores]
        await self._wait_for_guests(guests, workers)
        await self._end(guests + workers)
        for store in ledger.stores:
            await tills.close(store)

    async def _wait_for_guests(self, guests: list[asyncio.Task[None]], workers: list[asyncio.Task[None]]) -> None:
        minutes = plan.MINUTES + LAST_MINUTES
        seconds = max(minutes * 60 / self._arguments.speed, plan.MINUTES * 60 / self._arguments.speed + LAST_SECONDS)
        deadline = time.monotonic() + seconds
        waiting: set[asyncio.Task[None]] = set(guests)
        while waiting and time.monotonic() < deadline:
            _, waiting = await asyncio.wait(waiting, timeout=1)
            if any(worker.done() for worker in workers):
                break
        for order in self._ledger.orders:
            if not order.is_over:
                state = f"{order.status}, {order.delivery_status}, {order.left} cents left"
                self._ledger.add_difference(f"Order {order.id} was not seen through: {state}")

    async def _end(self, tasks: list[asyncio.Task[None]]) -> None:
        """Let all workers finish, and record failures."""
        self._clock.end()
        _, late = await asyncio.wait(tasks, timeout=LAST_SECONDS)
        for task in late:
            task.cancel()
        for ended in await asyncio.gather(*tasks, return_exceptions=True):
            if isinstance(ended, Exception):
                self._ledger.add_difference(f"Somebody stopped working: {ended!r}")


async def main() -> int:
    """Run the evening and its checks; return the exit code."""
    arguments = parse_arguments()
    traffic = Traffic()
    connector = aiohttp.TCPConnector(limit=200)
    async with aiohttp.ClientSession(connector=connector) as session:
        ledger = EveningLedger(Api(session, arguments.url, traffic, arguments.owner_token))
        receiver = WebhookReceiver(ledger.add_difference)
        url = await receiver.open()
        evening = Evening(arguments, ledger, receiver)
        began = time.monotonic()
        try:
            await evening.play(url, receiver)
            _print_figures(ledger, traffic, receiver, time.monotonic() - began)
            return await _run_checks(evening, traffic, again=arguments.wait)
        finally:
            with suppress(UnexpectedAnswer, OSError):
                if ledger.endpoint_id:
                    await ledger.owner.do("DELETE", f"/webhook-endpoints/{ledger.endpoint_id}")
            await receiver.close()


async def _run_checks(evening: Evening, traffic: Traffic, *, again: bool) -> int:
    code = 0
    while not again or (await asyncio.to_thread(sys.stdin.readline)) != "":
        differences = [*await evening.check(), *traffic.server_errors]
        for sentence in differences[:MAX_SHOWN_DIFFERENCES]:
            print(f"DIFFERENCE {sentence}")
        verdict = f"Differences: {len(differences)}." if differences else "Everything agrees."
        print(verdict, flush=True)
        code = int(bool(differences))
        if not again:
            break
    return code


def _print_figures(ledger: EveningLedger, traffic: Traffic, receiver: WebhookReceiver, seconds: float) -> None:
    orders = list(ledger.list_placed())
    figures = {
        "seconds": round(seconds),
        "orders": len(orders),
        "orders a second": round(len(orders) / seconds, 1),
        "orders cancelled": sum(order.status == "cancelled" for order in orders),
        "orders refused for what was sold out": ledger.refused_orders,
        "payments": sum(len(order.payments) for order in orders),
        "changes of open checks": ledger.changes.total(),
        "approved by PIN": ledger.approvals,
        "refunds": sum(len(order.refunds) for order in orders),
        "deliveries brought": sum(order.delivery_status == "delivered" for order in orders),
        "deliveries failed and sent again": sum(order.moves["failed"] for order in orders),
        "claims that lost a race": ledger.refused_claims,
        "offers accepted": ledger.accepted_offers,
        "offers rejected": ledger.rejected_offers,
        "bumps that lost a race": ledger.refused_bumps,
        "requests sent twice": ledger.repeats,
        "devices offline for minutes": ledger.outages,
        "requests broken off": traffic.broken_off,
        "requests whose answer was lost": traffic.lost,
        "requests": traffic.requests,
        "requests that had to wait for the next minute": traffic.statuses[429],
        "server errors": len(traffic.server_errors),
        "milliseconds for half of them": round(traffic.get_percentile_ms(0.5)),
        "milliseconds for 99 % of them": round(traffic.get_percentile_ms(0.99)),
        "events received": len(receiver.events),
        "events received again": receiver.repeats,
    }
    print("\n".join(f"{value:>8}  {name}" for name, value in figures.items()), flush=True)


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
