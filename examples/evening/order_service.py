"""The life of one order: placed, paid, handed over, sometimes cancelled or refunded."""

import asyncio
import secrets
import time
from random import Random
from typing import Any

from evening.amendments import CheckService
from evening.client import Answer, Api, EveningClock, UnexpectedAnswer
from evening.ledger import EveningLedger, Order, Store, to_cents
from evening.payments import PaymentService
from evening.plan import PlannedOrder


class OrderService:
    """Staff who take orders and serve them."""

    def __init__(
        self, ledger: EveningLedger, clock: EveningClock, tills: PaymentService, checks: CheckService, seed: int
    ) -> None:
        self._ledger = ledger
        self._clock = clock
        self._tills = tills
        self._checks = checks
        self._random = Random(seed + 3)

    async def serve(self, planned: PlannedOrder) -> None:
        """Run one order; a failure is recorded as a difference."""
        await self._clock.until(planned.minute)
        order = Order(planned, self._ledger.stores[planned.store])
        self._ledger.orders.append(order)
        try:
            await self._place(order)
            await self._process(order)
        except (UnexpectedAnswer, OSError, KeyError) as error:
            order.is_over = True
            self._ledger.add_difference(f"Order {order.id or 'number ' + str(planned.number)}: {error!r}")

    async def toggle(self, store: Store) -> None:
        """Mark items as sold out now and then, and as available again."""
        while not self._clock.is_over:
            await self._clock.sleep(self._random.uniform(8, 16), 0.3)
            if self._clock.is_over:
                break
            item = self._random.choice(store.items[:-2])
            path = f"/staff/menu/items/{item.id}/sold-out"
            item.is_changing = True
            await self._set_sold_out(store, path, is_sold_out=True)
            item.sold_out_at = time.monotonic()
            await self._clock.sleep(5, 0.2)
            item.sold_out_at = None
            await self._set_sold_out(store, path, is_sold_out=False)
            item.is_changing, item.back_at = False, time.monotonic()

    async def _set_sold_out(self, store: Store, path: str, *, is_sold_out: bool) -> None:
        assert store.manager is not None
        answer = await store.manager.ask("PATCH", path, {"is_sold_out": is_sold_out})
        if answer.status != 200:
            raise UnexpectedAnswer(f"{path}: {answer.status} {answer.document}")
        store.toggles += 1
        store.repeated_toggles += answer.is_repeated

    async def _process(self, order: Order) -> None:
        planned = order.planned
        if planned.ending in {"cancelled", "reopened"}:
            await self._clock.sleep(self._random.uniform(1, 4))
            await self._cancel(order)
            if planned.ending == "cancelled" or not await self._reopen(order):
                order.is_over = True
                return
        if planned.pays_first:
            await self._tills.pay(order)
        if planned.ending == "cancelled_paid":
            await self._cancel(order)
            await self._tills.refund(order, None)
            order.is_over = True
            return
        split = await self._checks.change(order)
        await asyncio.gather(*(self._serve_and_settle(each) for each in (order, *split)))

    async def _serve_and_settle(self, order: Order) -> None:
        planned = order.planned
        if not order.store.has_kitchen:
            await self._pack(order)
        await (order.is_with_guest if planned.mode in {"on-table", "delivery"} else order.is_cooked).wait()
        if order.left:
            await self._tills.pay(order)
        if planned.is_completed or planned.mode in {"takeaway", "in_store"}:
            async with order.lock:
                await self._set(order, "completed")
        if planned.refund:
            await self._clock.sleep(self._random.uniform(1, 10))
            await self._tills.refund(order, planned.refund)
        order.is_over = True

    async def _pack(self, order: Order) -> None:
        """Prepare an order in a store without a kitchen."""
        await self._set(order, "preparing")
        await self._clock.sleep(self._random.uniform(3, 6))
        await self._set(order, "ready")

    async def _cancel(self, order: Order) -> None:
        async with order.lock:
            await self._set(order, "cancelled")

    async def _reopen(self, order: Order) -> bool:
        """Reopen a cancelled order and return whether its items were still in stock."""
        path = f"/staff/orders/{order.id}/status"
        await self._clock.sleep(1)
        while order.pending_bumps:
            await self._clock.sleep(0, 0.1)
        async with order.lock:
            answer = await self._waiter(order.store).ask("PUT", path, {"status": "new"})
            if answer.status == 422 and any(item.is_scarce for item in order.store.items):
                return False
            if answer.status != 200:
                raise UnexpectedAnswer(f"{path}: {answer.status} {answer.document}")
            order.set_status("new")
        return True

    async def _set(self, order: Order, status: str) -> None:
        """Set the status of an order whose lock is held."""
        api, path = self._waiter(order.store), f"/staff/orders/{order.id}/status"
        record = await api.do("PUT", path, {"status": status})
        if record["status"] != status:
            self._ledger.add_difference(f"Order {order.id}: {status} was answered with {record['status']}")
        order.set_status(status)

    async def _place(self, order: Order) -> None:
        planned = order.planned
        caller, path = self._channel(order)
        key = f"evening-{planned.number}-{secrets.token_hex(4)}"
        lines = [(order.store.items[position], quantity) for position, quantity in planned.lines]
        began, gone = time.monotonic(), {item.id: item.sold_out_at for item, _ in lines if item.sold_out_at}
        if planned.is_cut_off:
            await caller.send_and_abort("POST", path, self._body(order, lines), key, self._random.uniform(0.001, 0.02))
        answer = await self._send(caller, path, self._body(order, lines), key, is_doubled=planned.is_doubled)
        while answer.status == 422:
            lines = self._without_sold_out(order, lines, answer, began)
            self._ledger.refused_orders += 1
            answer = await caller.ask("POST", path, self._body(order, lines), key)
        if answer.status != 201:
            raise UnexpectedAnswer(f"POST {path}: {answer.status} {answer.document}")
        record = answer.document
        if "items" not in record:  # storefronts get a short record
            record = await self._waiter(order.store).do("GET", f"/staff/orders/{record['id']}")
        self._note(order, record)
        for item, _ in lines:
            if item.id in gone and item.sold_out_at == gone[item.id]:
                self._ledger.add_difference(f"Order {order.id}: {item.dish.name} was sold out, and was sold")

    async def _send(self, caller: Api, path: str, body: dict[str, Any], key: str, *, is_doubled: bool) -> Answer:
        if not is_doubled:
            return await caller.ask("POST", path, body, key)
        self._ledger.repeats += 1
        both = await asyncio.gather(*(caller.ask("POST", path, body, key) for _ in range(2)))
        if both[0].status == both[1].status == 201 and both[0].document["id"] != both[1].document["id"]:
            self._ledger.add_difference(
                f"One key made two orders, {both[0].document['id']} and {both[1].document['id']}"
            )
        return next((answer for answer in both if answer.status == 201), both[0])

    def _without_sold_out(self, order: Order, lines: list[Any], answer: Answer, since: float) -> list[Any]:
        """Return the lines without those that were refused, which must have been sold out ``since`` then."""
        fields = [field.split(".") for field in answer.document["errors"]]
        positions = {int(field[1]) for field in fields if field[0] == "items" and len(field) > 1}
        if not positions:
            raise UnexpectedAnswer(f"Refused: {answer.document}")
        for item in (lines[position][0] for position in positions):
            if not item.may_be_sold_out(since):
                self._ledger.add_difference(
                    f"Order number {order.planned.number}: {item.dish.name} was refused: {answer.document}"
                )
        kept = [line for position, line in enumerate(lines) if position not in positions]
        return kept or [(order.store.items[-2], 1)]

    def _note(self, order: Order, record: dict[str, Any]) -> None:
        order.note(record)
        self._check_prices(order, record)
        self._ledger.add_order(order)

    def _check_prices(self, order: Order, record: dict[str, Any]) -> None:
        prices = {item.id: item.dish.price for item in order.store.items}
        subtotal = sum(prices[line.item_id] * line.quantity for line in order.lines.values())
        fee = order.store.fee if order.planned.mode == "delivery" else 0
        shown = [to_cents(record[name]) for name in ("subtotal", "delivery_fee", "tip_amount")]
        if shown != [subtotal, fee, order.planned.tip]:
            self._ledger.add_difference(f"Order {order.id}: {shown} are not {[subtotal, fee, order.planned.tip]}")

    def _body(self, order: Order, lines: list[Any]) -> dict[str, Any]:
        planned = order.planned
        body: dict[str, Any] = {
            "type": planned.mode,
            "customer_name": f"Guest {planned.number}",
            "tip_amount": planned.tip / 100,
            "items": [{"item_id": item.id, "quantity": quantity} for item, quantity in lines],
        }
        if planned.mode == "on-table":
            order.table = body["table_number"] = str(planned.number % 6 + 1)
        if planned.mode == "delivery":
            body["address"] = f"Rua da Prata {planned.number}"
        return body

    def _channel(self, order: Order) -> tuple[Api, str]:
        store, channel = order.store, order.planned.channel
        if channel == "owner":
            return self._ledger.owner, f"/restaurants/{store.id}/orders"
        if channel == "storefront" and store.storefront is not None:
            return store.storefront, "/storefront/orders"
        if channel == "customer":
            customer = store.customers[order.planned.number % len(store.customers)]
            return customer.api, "/customer/orders"
        return self._waiter(store), "/staff/orders"

    def _waiter(self, store: Store) -> Api:
        return self._random.choice(store.waiters)
