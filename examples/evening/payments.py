"""Payments of every tender, refunds, and shifts of drawers."""

import asyncio
from random import Random
from typing import Any, Final

from evening.client import Answer, Api, EveningClock, UnexpectedAnswer
from evening.ledger import (
    EveningLedger,
    Order,
    Payment,
    Refund,
    Shift,
    Store,
    StoredValue,
    Till,
    amount,
    divide_half_up,
    to_cents,
)
from evening.store_setup import open_shift

BUSINESS_HOURS: Final = (60, 120, 180)


class PaymentService:
    """Cashiers who take payments and refund them."""

    def __init__(self, ledger: EveningLedger, clock: EveningClock, seed: int) -> None:
        self._ledger = ledger
        self._clock = clock
        self._random = Random(seed + 1)

    async def pay(self, order: Order) -> None:
        """Pay an order in full, in the planned parts and tender."""
        planned = order.planned
        parts = await self._load_parts(order) if planned.parts > 1 else [order.left]
        for number, part in enumerate(parts, 1):
            tip = planned.payment_tip if number == len(parts) else 0
            tender = planned.tender if number == 1 else ("cash", "card_external")[number % 2]
            await self._pay_part(order, tender, part, tip)
        if order.left:
            self._ledger.add_difference(f"Order {order.id}: {order.left} cents are left after all parts were paid")

    async def refund(self, order: Order, kind: str | None) -> None:
        """Refund an ``amount``, one ``line``, or everything."""
        body: dict[str, Any] = {"reason": "It was not as it should be"}
        line_id, line = next(iter(order.lines.items()))
        if kind == "amount":
            body["amount"] = amount(max(1, order.total // self._random.choice((2, 3, 5))))
        elif kind == "line":
            restock = self._is_counted(order.store, line.item_id)
            body["lines"] = [{"line_id": line_id, "quantity": 1, "restock": restock}]
            order.restocked[line.item_id] += 1 if restock else 0
        till = self.choose_till(order.store)
        async with till.lock:
            path = f"/staff/orders/{order.id}/refunds"
            made = await till.cashier.do("POST", path, {**body, "drawer": till.drawer}, f"refund-{order.id}")
            self.record_refund(order, till.shifts[-1], made)
        if kind == "line" and to_cents(made["amount"]) != (share := divide_half_up(line.total, line.quantity)):
            self._ledger.add_difference(f"Order {order.id}: {made['amount']} went back for a line's {share} cents")

    async def change_shifts(self, store: Store) -> None:
        """Close and reopen both drawers of a store during the evening, and add change."""
        await self._clock.until(BUSINESS_HOURS[0] + self._random.random() * 10)
        for till in store.tills:
            await self._move(till, "paid_in", 5000)
        await self._clock.until(BUSINESS_HOURS[1] + self._random.random() * 10)
        for till in store.tills:
            async with till.lock:
                await self._count_drawer(till)
                await open_shift(till)
        await self._clock.until(BUSINESS_HOURS[2])
        await self._move(store.tills[0], "paid_out", 1990)
        await self._collect_driver_cash(store)

    async def close(self, store: Store) -> None:
        """Collect the drivers' cash and close the drawers."""
        await self._collect_driver_cash(store)
        for till in store.tills:
            async with till.lock:
                await self._count_drawer(till)

    async def _move(self, till: Till, kind: str, value: int) -> None:
        async with till.lock:
            shift = till.shifts[-1]
            body = {"kind": kind, "amount": amount(value), "note": "Coins"}
            key = f"{kind}-{shift.id}"
            await till.cashier.do("POST", f"/staff/shifts/{shift.id}/movements", body, key)
            await till.cashier.do("POST", f"/staff/shifts/{shift.id}/movements", body, key)
            self._ledger.repeats += 1
            shift.movements[kind] += value if kind == "paid_in" else -value

    async def _collect_driver_cash(self, store: Store) -> None:
        for (store_id, driver_id), value in list(self._ledger.driver_cash.items()):
            till = self.choose_till(store)
            if store_id != store.id or not value:
                continue
            async with till.lock:
                shift = till.shifts[-1]
                body = {"driver_id": driver_id, "amount": amount(value)}
                key = f"driver-{driver_id}-{len(shift.payment_ids)}-{shift.movements['driver_cash']}"
                path = f"/staff/shifts/{shift.id}/driver-cash"
                made = await till.cashier.do("POST", path, body, key)
                if to_cents(made["amount"]) != value:
                    self._ledger.add_difference(
                        f"Driver {driver_id} handed in {amount(value)}: {made['amount']} was booked"
                    )
                self._ledger.driver_cash[store_id, driver_id] -= value
                shift.movements["driver_cash"] += value

    async def _count_drawer(self, till: Till) -> None:
        shift = till.shifts[-1]
        shift.counted = shift.expected
        path = f"/staff/shifts/{shift.id}/close"
        closed = await till.cashier.do("POST", path, {"counted": amount(shift.expected)}, f"close-{shift.id}")
        if closed["difference"]:
            self._ledger.add_difference(
                f"Shift {shift.id} of {till.drawer}: {amount(shift.expected)} counted, {closed['expected']} expected"
            )

    async def _load_parts(self, order: Order) -> list[int]:
        path = f"/restaurants/{order.store.id}/orders/{order.id}/payments/split-preview"
        preview = await self._ledger.owner.do("POST", path, {"by": "evenly", "n": order.planned.parts})
        parts = [to_cents(part["amount"]) for part in preview["parts"]]
        if sum(parts) != order.left:
            self._ledger.add_difference(f"Order {order.id}: the parts {parts} are not what is left, {order.left}")
        return parts

    async def _pay_part(self, order: Order, tender: str, value: int, tip: int) -> None:
        """Pay a part by a tender; what a gift card or credit does not cover is paid by card."""
        stored_value = self._find_stored_value(order, tender)
        if stored_value is not None:
            taken = min(value, stored_value.balance - tip)
            if taken > 0 and await self._pay_by_stored_value(order, tender, stored_value, taken, tip):
                value, tip = value - taken, 0
            tender = "card_external"
        if not value:
            return
        till = self.choose_till(order.store)
        if tender == "cash":
            await self._pay_cash(order, till, value, tip)
        else:
            body = {"method": tender, "amount": amount(value), "tip": amount(tip), "reference": f"R{order.id}"}
            made = await self._send(till.cashier, f"/staff/orders/{order.id}/payments", body, order)
            self._record_payment(order, made, tip)

    async def _pay_cash(self, order: Order, till: Till, value: int, tip: int) -> None:
        # Guests pay the remaining amount with notes; a part is paid exactly.
        given = -(-value // 1000) * 1000 if value == order.left else value
        async with till.lock:
            body = {"method": "cash", "amount": amount(given), "tip": amount(tip), "drawer": till.drawer}
            made = await self._send(till.cashier, f"/staff/orders/{order.id}/payments", body, order)
            if to_cents(made["change"]) != given - value:
                self._ledger.add_difference(
                    f"Order {order.id}: change of {made['change']} for {given} cents of {value}"
                )
            payment = self._record_payment(order, made, tip)
            shift = till.shifts[-1]
            shift.movements["payment"] += payment.amount + tip
            shift.payment_ids.add(payment.id)

    async def _pay_by_stored_value(
        self, order: Order, tender: str, stored_value: StoredValue, value: int, tip: int
    ) -> bool:
        body: dict[str, Any] = {"method": tender, "amount": amount(value), "tip": amount(tip)}
        if stored_value.code:
            body["code"] = stored_value.code
        # Deducted before the request, so that two tables do not rely on the same balance.
        stored_value.balance -= value + tip
        asking = self.choose_till(order.store).cashier, f"/staff/orders/{order.id}/payments"
        if tender == "store_credit":
            asking = self._get_customer(order), f"/customer/orders/{order.id}/payments"
        made = await self._send(*asking, body, order)
        stored_value.entries += 1
        self._record_payment(order, made, tip)
        return True

    async def _send(self, caller: Api, path: str, body: dict[str, Any], order: Order) -> Any:
        """Send a payment; some are aborted and retried, one in ten is sent twice concurrently."""
        key = f"pay-{order.id}-{len(order.payments)}"
        if self._random.random() < 0.05:
            await caller.send_and_abort("POST", path, body, key, self._random.uniform(0.001, 0.02))
        if self._random.random() >= 0.1:
            return await caller.do("POST", path, body, key)
        self._ledger.repeats += 1
        both: list[Answer] = await asyncio.gather(*(caller.ask("POST", path, body, key) for _ in range(2)))
        if [answer.status for answer in both] != [201, 201] or both[0].document["id"] != both[1].document["id"]:
            self._ledger.add_difference(
                f"Order {order.id}: a payment sent twice was answered {[each.document for each in both]}"
            )
        if both[0].status != 201:
            raise UnexpectedAnswer(f"{path}: {both[0].document}")
        return both[0].document

    def _record_payment(self, order: Order, made: dict[str, Any], tip: int) -> Payment:
        if made["status"] != "succeeded" or to_cents(made["tip"]) != tip:
            self._ledger.add_difference(f"Order {order.id}: a payment was answered {made}")
        payment = Payment(made["id"], made["method"], to_cents(made["amount"]), tip)
        order.payments.append(payment)
        return payment

    def record_refund(self, order: Order, shift: Shift, made: dict[str, Any]) -> None:
        """Record a refund whose cash comes from the drawer of a shift."""
        if made["status"] != "completed":
            self._ledger.add_difference(f"Order {order.id}: refund {made['id']} is {made['status']}")
        order.refunds.append(Refund(made["id"], to_cents(made["amount"])))
        by_id = {payment.id: payment for payment in order.payments}
        for part in made["parts"]:
            value, payment = to_cents(part["amount"]), by_id[part["payment_id"]]
            if payment.method == "cash":
                shift.movements["refund"] -= value
                shift.refund_ids.add(made["id"])
            elif (stored_value := self._find_stored_value_of(order, payment)) is not None:
                stored_value.balance += value
                stored_value.entries += 1

    def _find_stored_value(self, order: Order, tender: str) -> StoredValue | None:
        if tender == "store_credit":
            return next(each.credit for each in order.store.customers if each.api is self._get_customer(order))
        return order.store.cards[order.planned.number % len(order.store.cards)] if tender == "gift_card" else None

    def _find_stored_value_of(self, order: Order, payment: Payment) -> StoredValue | None:
        return self._find_stored_value(order, payment.method)

    def _get_customer(self, order: Order) -> Api:
        return order.store.customers[order.planned.number % len(order.store.customers)].api

    def choose_till(self, store: Store) -> Till:
        """Return one of the tills of a store."""
        return self._random.choice(store.tills)

    def _is_counted(self, store: Store, item_id: int) -> bool:
        return any(item.id == item_id and item.stock is not None for item in store.items)
