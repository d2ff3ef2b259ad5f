"""Comparison of the server's data with the program's ledger, through the API only."""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime
from typing import Any, Final

from evening.client import Api
from evening.ledger import (
    Driver,
    EveningLedger,
    Order,
    Shift,
    Store,
    StoredValue,
    Till,
    amount,
    divide_half_up,
    to_cents,
)

# Orders that are also checked by their public tracking.
MAX_TRACKED: Final = 40
EARNINGS: Final = "GET /api/v1/driver/earnings"
DELIVERY_STATUSES: Final = ("assigned", "picked_up", "out_for_delivery", "delivered")


async def compare_ledger(ledger: EveningLedger, first: str, last: str) -> list[str]:
    """Read the server's data and return a sentence for each difference."""
    checking = LedgerComparison(ledger, first, last)
    await checking.compare_all()
    return checking.differences


class LedgerComparison:
    """Comparison of the API's answers with the ledger."""

    def __init__(self, ledger: EveningLedger, first: str, last: str) -> None:
        self.differences: list[str] = []
        self._ledger = ledger
        self._range = f"from={first}&to={last}"

    async def compare_all(self) -> None:
        """Compare orders, drawers, gift cards, store credit, stock, reports and drivers."""
        await asyncio.gather(*(self._store(store) for store in self._ledger.stores))
        for driver in self._ledger.drivers:
            await self._driver(driver)
        for order in self._sample(MAX_TRACKED):
            await self._tracked(order)

    def _compare(self, what: str, server: Any, ours: Any) -> None:
        if server != ours:
            self.differences.append(f"{what}: the server has {server!r}, the books {ours!r}")

    async def _store(self, store: Store) -> None:
        await self._orders(store)
        for till in store.tills:
            for shift in till.shifts:
                await self._shift(store, till, shift)
        await self._cash_outside_drawers(store)
        for card in store.cards:
            await self._stored_value(f"Gift card {card.id}", f"/restaurants/{store.id}/gift-cards/{card.id}", card)
        for customer in store.customers:
            path = f"/restaurants/{store.id}/store-credit/{customer.id}"
            await self._stored_value(f"Credit of customer {customer.id}", path, customer.credit)
            own = await customer.api.do("GET", "/customer/store-credit")
            self._compare(f"Customer {customer.id}'s own credit", to_cents(own["balance"]), customer.credit.balance)
        await self._stock(store)
        await self._report(store)

    async def _orders(self, store: Store) -> None:
        path = f"/restaurants/{store.id}/orders"
        listed = {row["id"]: row for row in await self._ledger.owner.list_all(path)}
        ours = list(self._ledger.list_placed(store))
        self._compare(f"Orders of {store.title}", len(listed), store.orders_before + len(ours))
        readers = store.waiters + [till.cashier for till in store.tills]
        await run_in_turns(ours, readers, lambda api, order: self._order(api, order, listed.get(order.id)))

    async def _order(self, api: Api, order: Order, listed: dict[str, Any] | None) -> None:
        record = await api.do("GET", f"/staff/orders/{order.id}")
        what = f"Order {order.id}"
        for name, value in _get_expected(order).items():
            self._compare(f"{what}: {name}", record[name], value)
            if listed is not None:
                self._compare(f"{what}: {name} in the list", listed[name], value)
        if listed is None:
            self.differences.append(f"{what} is not in its store's list")
        lines = {line["id"]: (line["item_id"], line["quantity"]) for line in record["items"]}
        self._compare(f"{what}: lines", lines, {id: (line.item_id, line.quantity) for id, line in order.lines.items()})
        self._compare(f"{what}: amendments", record["amendments"], order.amendments)
        driver = record["driver"]
        self._compare(f"{what}: driver", driver and driver["id"], order.driver_id)
        stages = set(record["timeline"])
        # Concurrent changes of a line may be there too if the order was cancelled at that moment.
        self._compare(
            f"{what}: timeline", stages if order.has_plain_path else stages & _get_timeline(order), _get_timeline(order)
        )
        self._in_time(what, order, record["timeline"])
        if order.store.has_kitchen and order.status != "cancelled":
            states = {line["id"]: line["kds_status"] for line in record["items"]}
            self._compare(f"{what}: kitchen", states, {id: line.state for id, line in order.lines.items()})
        await self._payments(api, order)

    def _in_time(self, what: str, order: Order, timeline: dict[str, str]) -> None:
        """Compare the order of the stages; the timeline has the last time of repeated ones."""
        on_the_way = [stage for stage in DELIVERY_STATUSES if order.moves[stage]]
        for stages in (order.path[1:] if order.has_plain_path else [], on_the_way):
            times = [datetime.fromisoformat(timeline[key]) for stage in stages if (key := f"{stage}_at") in timeline]
            self._compare(f"{what}: {', '.join(stages)} in this order", times, sorted(times))

    async def _payments(self, api: Api, order: Order) -> None:
        listed = (await api.do("GET", f"/staff/orders/{order.id}/payments"))["data"]
        server = {each["id"]: (each["method"], to_cents(each["amount"]), to_cents(each["tip"])) for each in listed}
        ours = {payment.id: (payment.method, payment.amount, payment.tip) for payment in order.payments}
        self._compare(f"Order {order.id}: payments", server, ours)
        went_back = sum(to_cents(each["refunded"]) for each in listed)
        self._compare(f"Order {order.id}: refunded of its payments", went_back, order.refunded)

    async def _shift(self, store: Store, till: Till, shift: Shift) -> None:
        path, what = f"/restaurants/{store.id}/shifts/{shift.id}", f"Shift {shift.id} of {till.drawer}"
        record = await self._ledger.owner.do("GET", path)
        self._compare(f"{what}: expected", to_cents(record["expected"]), shift.expected)
        if shift.counted is not None:
            self._compare(f"{what}: counted", to_cents(record["counted"]), shift.counted)
            self._compare(f"{what}: difference", record["difference"], 0)
        for kind in ("paid_in", "paid_out", "payment", "refund", "driver_cash"):
            self._compare(f"{what}: {kind}", to_cents(record["summary"][kind]["amount"]), shift.movements[kind])
        rows = await till.cashier.list_all(f"/staff/shifts/{shift.id}/movements")
        self._compare(f"{what}: sum of its movements", sum(to_cents(row["amount"]) for row in rows), shift.expected)
        for kind, ours in (("payment", shift.payment_ids), ("refund", shift.refund_ids)):
            found = Counter(row[f"{kind}_id"] for row in rows if row["kind"] == kind)
            self._compare(f"{what}: its {kind}s", found.keys() - ours, set())
            self._compare(f"{what}: {kind}s of the books", ours - found.keys(), set())
            if kind == "payment":
                self._compare(f"{what}: payments noted twice", [id for id, times in found.items() if times > 1], [])

    async def _cash_outside_drawers(self, store: Store) -> None:
        rows = await self._ledger.owner.list_all(f"/restaurants/{store.id}/shifts/unassigned")
        ours = [row["id"] for row in rows if row["order_id"] in self._ledger.by_id]
        self._compare(f"Cash of {store.title} in no drawer", ours, [])
        held = (await self._ledger.owner.do("GET", f"/restaurants/{store.id}/driver-cash?per_page=100"))["data"]
        known = {driver.id for driver in self._ledger.drivers}
        theirs = {each["driver_id"]: to_cents(each["amount"]) for each in held if each["driver_id"] in known}
        self._compare(f"Cash of {store.title} that drivers hold", theirs, {})

    async def _stored_value(self, what: str, path: str, stored_value: StoredValue) -> None:
        record = await self._ledger.owner.do("GET", path)
        self._compare(f"{what}: balance", to_cents(record["balance"]), stored_value.balance)
        self._compare(
            f"{what}: sum of its entries",
            sum(to_cents(each["amount"]) for each in record["entries"]),
            stored_value.balance,
        )
        self._compare(f"{what}: entries", len(record["entries"]), stored_value.entries)

    async def _stock(self, store: Store) -> None:
        sold: Counter[int] = Counter()
        for order in self._ledger.list_placed(store):
            sold.subtract(order.restocked)
            if order.status != "cancelled":
                for line in order.lines.values():
                    sold[line.item_id] += line.quantity
            sold.update(order.dropped)
        for item in store.items:
            if item.stock is not None:
                record = await self._ledger.owner.do("GET", f"/restaurants/{store.id}/menu/items/{item.id}")
                self._compare(f"Stock of {item.dish.name}", record["stock"], item.stock - sold[item.id])

    async def _report(self, store: Store) -> None:
        record = await self._ledger.owner.do("GET", f"/restaurants/{store.id}/analytics?{self._range}")
        before, ours, what = store.before, list(self._ledger.list_placed(store)), f"Report of {store.title}"
        standing = [order for order in ours if order.status != "cancelled"]
        counts, earlier = record["orders"], before["orders"]
        self._compare(f"{what}: total", counts["total"] - earlier["total"], len(ours))
        paid = sum(1 for order in ours if order.is_paid)
        self._compare(f"{what}: paid", counts["paid"] - earlier["paid"], paid)
        by_status = Counter(order.status for order in ours)
        by_type = Counter(order.planned.mode for order in ours)
        for name, expected in (("by_status", by_status), ("by_type", by_type)):
            for value, count in counts[name].items():
                self._compare(f"{what}: {value}", count - earlier[name].get(value, 0), expected[value])
        sums = {
            "gross": sum(order.total for order in standing),
            "paid": sum(order.paid - order.refunded for order in ours),
        }
        for name, value in sums.items():
            grown = to_cents(record["revenue"][name]) - to_cents(before["revenue"][name])
            self._compare(f"{what}: revenue {name}", grown, value)
        if not earlier["total"] and standing:
            average = divide_half_up(sums["gross"], len(standing))
            self._compare(f"{what}: average", to_cents(record["revenue"]["avg_order_value"]), average)
        self._top_items(what, record["top_items"], standing, is_whole=not earlier["total"])

    def _top_items(self, what: str, ranked: Sequence[Any], standing: Sequence[Order], *, is_whole: bool) -> None:
        quantities: Counter[int] = Counter()
        for order in standing:
            for line in order.lines.values():
                quantities[line.item_id] += line.quantity
        names = {item.id: item.dish.name for store in self._ledger.stores for item in store.items}
        best = sorted(quantities.items(), key=lambda each: (-each[1], names[each[0]]))[:10]
        if is_whole:
            self._compare(f"{what}: top items", [(each["item_id"], each["quantity"]) for each in ranked], best)
        for each in ranked:
            if each["item_id"] in names:
                self._compare(f"{what}: {each['name']}", each["quantity"], quantities[each["item_id"]])

    async def _driver(self, driver: Driver) -> None:
        what = f"Driver {driver.id}"
        mine = [order for order in self._ledger.list_placed() if order.driver_id == driver.id]
        listed = {row["id"]: row["delivery_status"] for row in await driver.api.list_all("/driver/deliveries")}
        self._compare(f"{what}: deliveries", listed, {order.id: order.delivery_status for order in mine})
        if EARNINGS not in self._ledger.operations:
            return
        done = [order for order in mine if order.delivery_status == "delivered"]
        record = await driver.api.do("GET", f"/driver/earnings?{self._range}")
        base, tips = sum(order.store.driver_pay for order in done), sum(order.tip for order in done)
        self._compare(f"{what}: deliveries that were earned by", record["deliveries"], len(done))
        self._compare(f"{what}: base", to_cents(record["base"]), base)
        self._compare(f"{what}: tips", to_cents(record["tips"]), tips)
        self._compare(f"{what}: earnings", to_cents(record["total"]), base + tips)

    async def _tracked(self, order: Order) -> None:
        record = await self._ledger.owner.with_token(None).do("GET", f"/track/{order.track_token}")
        tracked = [record[name] for name in ("id", "status", "delivery_status", "is_paid", "total")]
        ours = [order.id, order.status, order.delivery_status, order.is_paid, amount(order.total)]
        self._compare(f"Order {order.id} as its guest sees it", tracked, ours)

    def _sample(self, count: int) -> list[Order]:
        placed = list(self._ledger.list_placed())
        return placed[:: max(1, len(placed) // count)][:count]


async def run_in_turns(
    orders: Sequence[Order], callers: Sequence[Api], work: Callable[[Api, Order], Awaitable[None]]
) -> None:
    """Run work for every order, divided evenly among callers who do one thing at a time."""

    async def share(number: int, api: Api) -> None:
        for order in orders[number :: len(callers)]:
            await work(api, order)

    await asyncio.gather(*(share(number, api) for number, api in enumerate(callers)))


def _get_expected(order: Order) -> dict[str, Any]:
    return {
        "status": order.status,
        "delivery_status": order.delivery_status,
        "type": order.planned.mode,
        "total": amount(order.total),
        "paid_total": amount(order.paid),
        "refunded_total": amount(order.refunded),
        "is_paid": order.is_paid,
        "table_number": order.table,
        "payment_status": _get_payment_status(order),
    }


def _get_payment_status(order: Order) -> str:
    kept = order.paid - order.refunded
    if order.refunded and kept <= 0:
        return "refunded"
    if order.is_paid and kept >= order.total:
        return "paid"
    if order.refunded:
        return "partially_refunded"
    return "partially_paid" if kept else "unpaid"


def _get_timeline(order: Order) -> set[str]:
    return {"created_at"} | {f"{stage}_at" for stage in {*order.path, *order.moves} if stage not in {"new", "pending"}}
