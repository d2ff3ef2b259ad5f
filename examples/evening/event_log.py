"""Comparison of the webhooks that were received and logged with those expected."""

import asyncio
import time
from collections import Counter, defaultdict
from typing import Any

from evening.ledger import EveningLedger, Order, amount
from evening.webhook_receiver import ReceivedEvent, WebhookReceiver

MAX_WAIT_SECONDS = 300


class EventLog:
    """Webhooks that were received and logged, compared with the ledger."""

    def __init__(self, ledger: EveningLedger, receiver: WebhookReceiver) -> None:
        self._ledger = ledger
        self._receiver = receiver

    async def wait_for_deliveries(self) -> None:
        """Wait up to five minutes until everything expected has arrived, and a moment longer for what should not."""
        wanted = sum(self._count_expected().values())
        path = f"/webhook-endpoints/{self._ledger.endpoint_id}/deliveries?status=pending&per_page=1"
        deadline = time.monotonic() + MAX_WAIT_SECONDS
        while time.monotonic() < deadline:
            if (
                sum(self._count_received().values()) >= wanted
                and not (await self._ledger.owner.do("GET", path))["total"]
            ):
                break
            await asyncio.sleep(0.5)
        await asyncio.sleep(0.5)

    async def compare(self) -> list[str]:
        """Return a sentence for each event that is missing, unexpected or different."""
        found = await self._compare_with_log()
        expected, counted = self._count_expected(), self._count_received()
        repeated = {store.id: store.repeated_toggles for store in self._ledger.stores}
        for key in sorted(expected.keys() | counted.keys(), key=str):
            name, subject = key
            more = repeated.get(subject, 0) if name == "menu.updated" else 0
            if not expected[key] <= counted[key] <= expected[key] + more:
                found.append(f"{name} of {subject}: received {counted[key]} times, expected {expected[key]}")
        found += self._compare_shifts()
        by_order = self._group_by_order()
        for order in self._ledger.list_placed():
            found += _compare_order(order, by_order[order.id])
        return found

    async def _compare_with_log(self) -> list[str]:
        path = f"/webhook-endpoints/{self._ledger.endpoint_id}/deliveries"
        rows = await self._ledger.owner.list_all(path)
        found = [
            f"Delivery {row['id']} ({row['event']}) is {row['status']}" for row in rows if row["status"] != "delivered"
        ]
        logged = {row["webhook_id"]: row["event"] for row in rows}
        received = {message_id: event.name for message_id, event in self._receiver.events.items()}
        for message_id, name in sorted(logged.items() ^ received.items()):
            where = "logged but not received" if message_id in logged else "received but not logged"
            found.append(f"{name} {message_id} was {where}")
        return found

    def _compare_shifts(self) -> list[str]:
        """Compare the events of closed drawers."""
        events = {
            each.data["shift_id"]: each.data for each in self._receiver.events.values() if each.name == "shift.closed"
        }
        shifts = {shift.id: shift for store in self._ledger.stores for till in store.tills for shift in till.shifts}
        found = []
        for id, data in events.items():
            if id in shifts:
                ours = [f"{amount(shifts[id].expected):.2f}", "0.00"]
                if (said := [data["expected"], data["difference"]]) != ours:
                    found.append(f"shift.closed of {id}: expected and difference {said}, not {ours}")
        return found

    def _count_expected(self) -> Counter[tuple[str, Any]]:
        """Return how often each event is expected, by name and subject."""
        wanted: Counter[tuple[str, Any]] = Counter()
        for order in self._ledger.list_placed():
            wanted["order.created", order.id] = 1
            wanted["order.paid", order.id] = int(order.is_paid) + order.times_reopened
            wanted["order.amended", order.id] = 0 if order.is_merged else order.amendments
            wanted["order.driver_assigned", order.id] = len(order.assigned_drivers)
            for status, name in (("out_for_delivery",) * 2, ("delivered",) * 2, ("failed", "delivery_failed")):
                wanted[f"order.{name}", order.id] = order.moves[status]
            for refund in order.refunds:
                wanted["refund.completed", refund.id] = 1
            # Of all orders together, as a merged one takes the payments of the other.
            wanted["order.payment_changed", None] += len(order.payments) + len(order.refunds)
        for store in self._ledger.stores:
            wanted["menu.updated", store.id] = store.toggles
            wanted |= {("customer.created", customer.id): 1 for customer in store.customers}
            for shift in (shift for till in store.tills for shift in till.shifts):
                wanted["shift.opened", shift.id] = 1
                wanted["shift.closed", shift.id] = int(shift.counted is not None)
        return Counter({key: count for key, count in wanted.items() if count})

    def _count_received(self) -> Counter[tuple[str, Any]]:
        """Return how often each event was received, without those of the setup."""
        counted: Counter[tuple[str, Any]] = Counter()
        customers = {customer.id for store in self._ledger.stores for customer in store.customers}
        shifts = {shift.id for store in self._ledger.stores for till in store.tills for shift in till.shifts}
        for event in self._receiver.events.values():
            data = event.data
            if event.name == "refund.completed" and data["order_id"] in self._ledger.by_id:
                counted[event.name, data["refund_id"]] += 1
            elif event.name == "order.payment_changed":
                counted[event.name, None] += 1
            elif event.name in {"shift.opened", "shift.closed"} and data["shift_id"] in shifts:
                counted[event.name, data["shift_id"]] += 1
            elif event.name == "customer.created" and data["id"] in customers:
                counted[event.name, data["id"]] += 1
            elif event.name == "menu.updated" and data["change"] == "updated":
                counted[event.name, data["restaurant_id"]] += 1
            elif event.name.startswith("order.") and event.name != "order.status_changed":
                counted[event.name, data["order_id"]] += 1
        return counted

    def _group_by_order(self) -> dict[int, list[ReceivedEvent]]:
        by_order: defaultdict[int, list[ReceivedEvent]] = defaultdict(list)
        for event in sorted(self._receiver.events.values(), key=lambda event: event.created_at):
            if "order_id" in event.data:
                by_order[event.data["order_id"]].append(event)
        return by_order


def _compare_order(order: Order, events: list[ReceivedEvent]) -> list[str]:
    """Compare the events of one order with the ledger."""
    data = {each.name: each.data for each in events}
    totals = {"order.created": order.created_total, "order.amended": order.total, "order.paid": order.total}
    found = [
        f"{name} of {order.id}: its total is {data[name]['total']}, not {amount(total):.2f}"
        for name, total in totals.items()
        if name in data and data[name]["total"] != f"{amount(total):.2f}"
    ]
    refunds = {each.data["refund_id"]: each.data["amount"] for each in events if each.name == "refund.completed"}
    ours = {refund.id: f"{amount(refund.amount):.2f}" for refund in order.refunds}
    if refunds != ours:
        found.append(f"refund.completed of order {order.id}: {refunds}, not {ours}")
    given = [each.data["driver"]["id"] for each in events if each.name == "order.driver_assigned"]
    if given != order.assigned_drivers:
        found.append(f"order.driver_assigned of {order.id}: drivers {given}, not {order.assigned_drivers}")
    return found + _compare_statuses(order, [each.data for each in events if each.name == "order.status_changed"])


def _compare_statuses(order: Order, steps: list[dict[str, Any]]) -> list[str]:
    """Compare the statuses that an order went through; what was done at once may have brought it through more."""
    path = ["new"]
    for step in steps:
        if step["from"] != path[-1]:
            return [f"order.status_changed of {order.id}: {step['from']} to {step['to']} came after {path[-1]}"]
        path.append(step["to"])
    if not order.has_plain_path:
        return [] if path[-1] == order.status else [f"order.status_changed of {order.id}: ends with {path[-1]}"]
    return [] if path == order.path else [f"order.status_changed of {order.id}: {path}, not {order.path}"]
