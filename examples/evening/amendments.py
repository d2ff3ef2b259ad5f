"""Changes of open checks: rounds, voids, comps, discounts, other tables, checks that are merged and split."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from random import Random
from typing import Any, Final

from evening.client import Answer, Api, EveningClock, UnexpectedAnswer
from evening.ledger import EveningLedger, Order, Store, to_cents
from evening.payments import PaymentService

# The dish that never sells out.
SAFE_DISH: Final = -2
SAY_WHY: Final = {"reason": "The guest changed their mind"}


class CheckService:
    """Waiters who change what their guests have ordered, with the PIN of a colleague where they need an approval."""

    def __init__(self, ledger: EveningLedger, clock: EveningClock, tills: PaymentService, seed: int) -> None:
        self._ledger = ledger
        self._clock = clock
        self._tills = tills
        self._random = Random(seed + 4)
        self._changes: dict[str, Callable[[Order], Awaitable[Order | None]]] = {
            "round": self._add_round,
            "void": self._void,
            "comp": self._comp,
            "discount": self._discount,
            "move": self._move,
            "merge": self._merge,
            "split": self._split,
            "comp_paid": self._comp_paid,
        }

    async def change(self, order: Order) -> list[Order]:
        """Make the planned changes of an order, and return the orders that were split off."""
        created = []
        for kind in order.planned.changes:
            await self._clock.sleep(self._random.uniform(2, 12))
            async with order.lock:
                created.append(await self._changes[kind](order))
            self._ledger.changes[kind] += 1
        return [each for each in created if each is not None]

    async def _add_round(self, order: Order) -> None:
        items = self._random.sample(order.store.items[:SAFE_DISH], 2)
        body = [{"item_id": item.id, "quantity": self._random.choice((1, 1, 2))} for item in items]
        answer = await self._ask(order, "lines", {"items": body})
        if answer.status == 422:
            # Some dish has sold out meanwhile.
            self._ledger.refused_orders += 1
            safe = {"item_id": order.store.items[SAFE_DISH].id, "quantity": 1}
            answer = await self._ask(order, "lines", {"items": [safe]})
        self._record(order, _get_document(answer))

    async def _void(self, order: Order) -> None:
        line_id, line = self._random.choice(list(order.lines.items()))
        quantity = line.quantity if len(order.lines) > 1 and self._random.random() < 0.5 else 1
        if len(order.lines) == 1 and quantity == line.quantity:
            return
        is_restocked = self._random.random() < 0.5
        body = {**SAY_WHY, "quantity": quantity, "restock": is_restocked}
        self._record(order, _get_document(await self._ask(order, f"lines/{line_id}/void", body)))
        if not is_restocked:
            order.dropped[line.item_id] += quantity

    async def _comp(self, order: Order) -> None:
        await self._give(order, next(iter(order.lines)), 100)

    async def _discount(self, order: Order) -> None:
        await self._give(order, None, 10)

    async def _give(self, order: Order, line_id: int | None, percent: int) -> None:
        body = {**SAY_WHY, "percent": percent, "line_id": line_id}
        answer = await self._ask(order, "discounts", body)
        order.discounts.append((line_id, percent))
        self._record(order, _get_document(answer))

    async def _move(self, order: Order) -> None:
        order.table = str(self._random.randint(1, 6))
        self._record(order, _get_document(await self._ask(order, "move", {"table_number": order.table})))

    async def _merge(self, order: Order) -> None:
        """Merge a second check of the table, which was opened by mistake."""
        store, planned = order.store, order.planned
        waiter = self._get_waiter(store)
        dish = {"item_id": store.items[SAFE_DISH].id, "quantity": 1}
        body = {"type": planned.mode, "table_number": order.table, "items": [dish]}
        made = await waiter.do("POST", "/staff/orders", body, f"mistake-{order.id}")
        async with self._paused_kitchen(order):
            record = _get_document(await self._ask(order, "merge", {"order_id": made["id"]}))
            other = Order(replace(planned, changes=()), store, made["id"], table=order.table, is_over=True)
            other.is_merged, other.amendments = True, 1
            other.created_total, other.track_token = to_cents(made["total"]), made["track_token"]
            other.set_status("cancelled")
            self._add(other)
            self._record(order, record)

    async def _split(self, order: Order) -> Order | None:
        """Split one thing of the check off."""
        line_id, line = max(order.lines.items(), key=lambda each: each[1].quantity)
        if len(order.lines) == 1 and line.quantity == 1:
            return None
        async with self._paused_kitchen(order):
            body = {"lines": [{"line_id": line_id, "quantity": 1}]}
            created = _get_document(await self._ask(order, "split", body))
            other = Order(
                replace(order.planned, changes=(), parts=1, refund=None),
                order.store,
                table=order.table,
                is_split_off=True,
            )
            other.note(created)
            for split in other.lines.values():
                split.state, split.began_at = line.state, line.began_at
            other.follow_lines()
            self._add(other)
            self._record(order, await self._get_waiter(order.store).do("GET", f"/staff/orders/{order.id}"))
        return other

    async def _comp_paid(self, order: Order) -> None:
        """Open a paid check again, to give a dish away and its price back."""
        await self._tills.pay(order)
        if len(order.lines) == 1:
            return
        path = f"/staff/orders/{order.id}"
        till = self._tills.choose_till(order.store)
        async with till.lock:
            await till.cashier.do("POST", f"{path}/reopen", SAY_WHY, f"reopen-{order.id}")
            order.amendments, order.times_reopened = order.amendments + 1, order.times_reopened + 1
            line_id = next(iter(order.lines))
            body = {**SAY_WHY, "percent": 100, "line_id": line_id, "refund": {"drawer": till.drawer}}
            record = await till.cashier.do("POST", f"{path}/discounts", body, f"comp-{order.id}")
            order.discounts.append((line_id, 100))
            refunds = f"/restaurants/{order.store.id}/orders/{order.id}/refunds"
            for made in (await self._ledger.owner.do("GET", refunds))["data"]:
                self._tills.record_refund(order, till.shifts[-1], made)
        self._record(order, record)

    @asynccontextmanager
    async def _paused_kitchen(self, order: Order) -> AsyncIterator[None]:
        """Keep cooks off the lines of an order while some move to another one."""
        order.is_moving = True
        while order.pending_bumps:
            await self._clock.sleep(0, 0.05)
        try:
            yield
        finally:
            order.is_moving = False

    async def _ask(self, order: Order, path: str, body: dict[str, Any]) -> Answer:
        """Send an amendment, again with an approval if it needs one, and now and then once more than needed."""
        waiter, path = self._get_waiter(order.store), f"/staff/orders/{order.id}/{path}"
        key = f"{path}-{order.amendments}"
        if self._random.random() < 0.05:
            await waiter.send_and_abort("POST", path, body, key, self._random.uniform(0.001, 0.02))
        answer = await waiter.ask("POST", path, body, key)
        if answer.reason == "approval_required":
            self._ledger.approvals += 1
            body = {**body, "approval_pin": order.store.approval_pin}
            answer = await waiter.ask("POST", path, body, key)
        if answer.status < 300 and self._random.random() < 0.1:
            self._ledger.repeats += 1
            again = await waiter.ask("POST", path, body, key)
            if again.document != answer.document:
                self._ledger.add_difference(f"Order {order.id}: {path} was answered {answer.document}, then {again}")
        return answer

    def _record(self, order: Order, record: dict[str, Any]) -> None:
        """Record what an amendment made of an order, and check what it costs."""
        order.amendments += 1
        order.note(record)
        order.follow_lines()
        prices = {item.id: item.dish.price for item in order.store.items}
        if (expected := order.price(prices)) != order.total:
            self._ledger.add_difference(f"Order {order.id}: {order.total} cents are not {expected}: {record}")

    def _add(self, order: Order) -> None:
        self._ledger.orders.append(order)
        self._ledger.add_order(order)

    def _get_waiter(self, store: Store) -> Api:
        return self._random.choice(store.waiters)


def _get_document(answer: Answer) -> Any:
    if answer.status >= 300:
        raise UnexpectedAnswer(f"{answer.status} {answer.document}")
    return answer.document
