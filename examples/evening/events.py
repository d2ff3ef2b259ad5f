"""The events of the evening: what must have been told, once each, and what the log says of it."""

import asyncio
import time
from collections import Counter, defaultdict
from typing import Any

from evening.books import Books, Order, amount
from evening.receiver import Receiver, Told

PATIENCE_SECONDS = 60


class Log:
    """What was received and what was logged, held against the books."""

    def __init__(self, books: Books, receiver: Receiver) -> None:
        self._books = books
        self._receiver = receiver

    async def arrive(self) -> None:
        """Wait until everything that is expected has come, or for a minute, and a moment more for what should not."""
        wanted = sum(self._expected().values())
        path = f"/webhook-endpoints/{self._books.endpoint_id}/deliveries?status=pending&per_page=1"
        deadline = time.monotonic() + PATIENCE_SECONDS
        while time.monotonic() < deadline:
            if sum(self._counted().values()) >= wanted and not (await self._books.owner.do("GET", path))["total"]:
                break
            await asyncio.sleep(0.5)
        await asyncio.sleep(0.5)

    async def compare(self) -> list[str]:
        """Return a sentence for each event that is missing, too many, or tells something else."""
        found = await self._compare_with_log()
        expected, counted = self._expected(), self._counted()
        for key in sorted(expected.keys() | counted.keys(), key=str):
            if expected[key] != counted[key]:
                name, subject = key
                found.append(f"{name} of {subject}: received {counted[key]} times, expected {expected[key]}")
        found += self._of_shifts()
        by_order = self._by_order()
        for order in self._books.placed():
            found += _of_order(order, by_order[order.id])
        return found

    async def _compare_with_log(self) -> list[str]:
        path = f"/webhook-endpoints/{self._books.endpoint_id}/deliveries"
        rows = await self._books.owner.all_of(path)
        found = [
            f"Delivery {row['id']} ({row['event']}) is {row['status']}" for row in rows if row["status"] != "delivered"
        ]
        logged = {row["webhook_id"]: row["event"] for row in rows}
        received = {message_id: told.name for message_id, told in self._receiver.told.items()}
        for message_id, name in sorted(logged.items() ^ received.items()):
            where = "logged but not received" if message_id in logged else "received but not logged"
            found.append(f"{name} {message_id} was {where}")
        return found

    def _of_shifts(self) -> list[str]:
        """Compare what was told of the drawers that were counted."""
        told = {
            each.data["shift_id"]: each.data for each in self._receiver.told.values() if each.name == "shift.closed"
        }
        shifts = {shift.id: shift for store in self._books.stores for till in store.tills for shift in till.shifts}
        found = []
        for id, data in told.items():
            if id in shifts:
                ours = [f"{amount(shifts[id].expected):.2f}", "0.00"]
                if (said := [data["expected"], data["difference"]]) != ours:
                    found.append(f"shift.closed of {id}: expected and difference {said}, not {ours}")
        return found

    def _expected(self) -> Counter[tuple[str, Any]]:
        """How often each event must have come, by its name and what it is of."""
        wanted: Counter[tuple[str, Any]] = Counter()
        for order in self._books.placed():
            wanted["order.created", order.id] = 1
            wanted["order.paid", order.id] = int(bool(order.payments) and not order.left)
            wanted["order.driver_assigned", order.id] = len(order.given)
            for status, name in (("out_for_delivery",) * 2, ("delivered",) * 2, ("failed", "delivery_failed")):
                wanted[f"order.{name}", order.id] = order.moves[status]
            for refund in order.refunds:
                wanted["refund.completed", refund.id] = 1
        for store in self._books.stores:
            wanted["menu.updated", store.id] = store.toggles
            wanted |= {("customer.created", customer.id): 1 for customer in store.customers}
            for shift in (shift for till in store.tills for shift in till.shifts):
                wanted["shift.opened", shift.id] = 1
                wanted["shift.closed", shift.id] = int(shift.counted is not None)
        return Counter({key: count for key, count in wanted.items() if count})

    def _counted(self) -> Counter[tuple[str, Any]]:
        """How often each came; those of the menu that the evening was furnished with are left out."""
        counted: Counter[tuple[str, Any]] = Counter()
        customers = {customer.id for store in self._books.stores for customer in store.customers}
        shifts = {shift.id for store in self._books.stores for till in store.tills for shift in till.shifts}
        for told in self._receiver.told.values():
            data = told.data
            if told.name == "refund.completed" and data["order_id"] in self._books.by_id:
                counted[told.name, data["refund_id"]] += 1
            elif told.name in {"shift.opened", "shift.closed"} and data["shift_id"] in shifts:
                counted[told.name, data["shift_id"]] += 1
            elif told.name == "customer.created" and data["id"] in customers:
                counted[told.name, data["id"]] += 1
            elif told.name == "menu.updated" and data["change"] == "updated":
                counted[told.name, data["restaurant_id"]] += 1
            elif told.name.startswith("order.") and told.name != "order.status_changed":
                counted[told.name, data["order_id"]] += 1
        return counted

    def _by_order(self) -> dict[int, list[Told]]:
        by_order: defaultdict[int, list[Told]] = defaultdict(list)
        for told in sorted(self._receiver.told.values(), key=lambda told: told.created_at):
            if "order_id" in told.data:
                by_order[told.data["order_id"]].append(told)
        return by_order


def _of_order(order: Order, told: list[Told]) -> list[str]:
    """Compare what the events of one order say with what happened to it."""
    data = {each.name: each.data for each in told}
    total = f"{amount(order.total):.2f}"
    found = [
        f"{name} of {order.id}: its total is {data[name]['total']}, not {total}"
        for name in ("order.created", "order.paid")
        if name in data and data[name]["total"] != total
    ]
    refunds = {each.data["refund_id"]: each.data["amount"] for each in told if each.name == "refund.completed"}
    ours = {refund.id: f"{amount(refund.amount):.2f}" for refund in order.refunds}
    if refunds != ours:
        found.append(f"refund.completed of order {order.id}: {refunds}, not {ours}")
    given = [each.data["driver"]["id"] for each in told if each.name == "order.driver_assigned"]
    if given != order.given:
        found.append(f"order.driver_assigned of {order.id}: drivers {given}, not {order.given}")
    return found + _path(order, [each.data for each in told if each.name == "order.status_changed"])


def _path(order: Order, steps: list[dict[str, Any]]) -> list[str]:
    """Compare the statuses that an order went through; what was done at once may have brought it through more."""
    path = ["new"]
    for step in steps:
        if step["from"] != path[-1]:
            return [f"order.status_changed of {order.id}: {step['from']} to {step['to']} came after {path[-1]}"]
        path.append(step["to"])
    if not order.has_plain_path:
        return [] if path[-1] == order.status else [f"order.status_changed of {order.id}: ends with {path[-1]}"]
    return [] if path == order.path else [f"order.status_changed of {order.id}: {path}, not {order.path}"]
