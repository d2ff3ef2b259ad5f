"""Money: payments of every tender, refunds, and drawers that change hands."""

import asyncio
from random import Random
from typing import Any, Final

from evening.books import Books, Order, Payment, Purse, Refund, Shift, Store, Till, amount, cents, half_up
from evening.client import Answer, Api, Clock, Unexpected
from evening.house import open_shift

BUSINESS_HOURS: Final = (60, 120, 180)


class Tills:
    """Everybody who takes money and gives it back."""

    def __init__(self, books: Books, clock: Clock, seed: int) -> None:
        self._books = books
        self._clock = clock
        self._dice = Random(seed + 1)  # noqa: S311 - an evening, not a secret

    async def pay(self, order: Order) -> None:
        """Have an order paid in full, in the parts and by the tender that were planned."""
        planned = order.planned
        parts = await self._split(order) if planned.parts > 1 else [order.left]
        for number, part in enumerate(parts, 1):
            tip = planned.payment_tip if number == len(parts) else 0
            tender = planned.tender if number == 1 else ("cash", "card_external")[number % 2]
            await self._part(order, tender, part, tip)
        if order.left:
            self._books.differ(f"Order {order.id}: {order.left} cents are left after all parts were paid")

    async def refund(self, order: Order, kind: str | None) -> None:
        """Give money back: some ``amount``, one ``line``, or all of it."""
        body: dict[str, Any] = {"reason": "It was not as it should be"}
        line_id, line = next(iter(order.lines.items()))
        if kind == "amount":
            body["amount"] = amount(max(1, order.total // self._dice.choice((2, 3, 5))))
        elif kind == "line":
            restock = self._is_counted(order.store, line.item_id)
            body["lines"] = [{"line_id": line_id, "quantity": 1, "restock": restock}]
            order.restocked[line.item_id] += 1 if restock else 0
        till = self._till(order.store)
        async with till.lock:
            path = f"/staff/orders/{order.id}/refunds"
            made = await till.cashier.do("POST", path, {**body, "drawer": till.drawer}, f"refund-{order.id}")
            self._book_refund(order, till.shifts[-1], made)
        if kind == "line" and cents(made["amount"]) != (share := half_up(line.total, line.quantity)):
            self._books.differ(f"Order {order.id}: {made['amount']} went back for a line's {share} cents")

    async def change_hands(self, store: Store) -> None:
        """Have both drawers of a store counted and opened anew in the middle of the evening, and put change in."""
        await self._clock.until(BUSINESS_HOURS[0] + self._dice.random() * 10)
        for till in store.tills:
            await self._move(till, "paid_in", 5000)
        await self._clock.until(BUSINESS_HOURS[1] + self._dice.random() * 10)
        for till in store.tills:
            async with till.lock:
                await self._count(till)
                await open_shift(till)
        await self._clock.until(BUSINESS_HOURS[2])
        await self._move(store.tills[0], "paid_out", 1990)
        await self._take_from_drivers(store)

    async def close(self, store: Store) -> None:
        """Have drivers hand in their cash, and what is in the drawers counted, at the end."""
        await self._take_from_drivers(store)
        for till in store.tills:
            async with till.lock:
                await self._count(till)

    async def _move(self, till: Till, kind: str, value: int) -> None:
        async with till.lock:
            shift = till.shifts[-1]
            body = {"kind": kind, "amount": amount(value), "note": "Coins"}
            key = f"{kind}-{shift.id}"
            await till.cashier.do("POST", f"/staff/shifts/{shift.id}/movements", body, key)
            await till.cashier.do("POST", f"/staff/shifts/{shift.id}/movements", body, key)
            self._books.repeats += 1
            shift.movements[kind] += value if kind == "paid_in" else -value

    async def _take_from_drivers(self, store: Store) -> None:
        for (store_id, driver_id), value in list(self._books.driver_cash.items()):
            till = self._till(store)
            if store_id != store.id or not value:
                continue
            async with till.lock:
                shift = till.shifts[-1]
                body = {"driver_id": driver_id, "amount": amount(value)}
                key = f"driver-{driver_id}-{len(shift.payment_ids)}-{shift.movements['driver_cash']}"
                path = f"/staff/shifts/{shift.id}/driver-cash"
                made = await till.cashier.do("POST", path, body, key)
                if cents(made["amount"]) != value:
                    self._books.differ(f"Driver {driver_id} handed in {amount(value)}: {made['amount']} was booked")
                self._books.driver_cash[store_id, driver_id] -= value
                shift.movements["driver_cash"] += value

    async def _count(self, till: Till) -> None:
        shift = till.shifts[-1]
        shift.counted = shift.expected
        path = f"/staff/shifts/{shift.id}/close"
        closed = await till.cashier.do("POST", path, {"counted": amount(shift.expected)}, f"close-{shift.id}")
        if closed["difference"]:
            self._books.differ(
                f"Shift {shift.id} of {till.drawer}: {amount(shift.expected)} counted, {closed['expected']} expected"
            )

    async def _split(self, order: Order) -> list[int]:
        path = f"/restaurants/{order.store.id}/orders/{order.id}/payments/split-preview"
        preview = await self._books.owner.do("POST", path, {"by": "evenly", "n": order.planned.parts})
        parts = [cents(part["amount"]) for part in preview["parts"]]
        if sum(parts) != order.left:
            self._books.differ(f"Order {order.id}: the parts {parts} are not what is left, {order.left}")
        return parts

    async def _part(self, order: Order, tender: str, value: int, tip: int) -> None:
        """Take a part by a tender; what a card or credit does not hold is paid by another card."""
        purse = self._purse(order, tender)
        if purse is not None:
            taken = min(value, purse.balance - tip)
            if taken > 0 and await self._from_purse(order, tender, purse, taken, tip):
                value, tip = value - taken, 0
            tender = "card_external"
        if not value:
            return
        till = self._till(order.store)
        if tender == "cash":
            await self._cash(order, till, value, tip)
        else:
            body = {"method": tender, "amount": amount(value), "tip": amount(tip), "reference": f"R{order.id}"}
            made = await self._send(till.cashier, f"/staff/orders/{order.id}/payments", body, order)
            self._book(order, made, tip)

    async def _cash(self, order: Order, till: Till, value: int, tip: int) -> None:
        # Guests hand over notes, as much as they have, for what is left; a part is given as it is.
        given = -(-value // 1000) * 1000 if value == order.left else value
        async with till.lock:
            body = {"method": "cash", "amount": amount(given), "tip": amount(tip), "drawer": till.drawer}
            made = await self._send(till.cashier, f"/staff/orders/{order.id}/payments", body, order)
            if cents(made["change"]) != given - value:
                self._books.differ(f"Order {order.id}: change of {made['change']} for {given} cents of {value}")
            payment = self._book(order, made, tip)
            shift = till.shifts[-1]
            shift.movements["payment"] += payment.amount + tip
            shift.payment_ids.add(payment.id)

    async def _from_purse(self, order: Order, tender: str, purse: Purse, value: int, tip: int) -> bool:
        body: dict[str, Any] = {"method": tender, "amount": amount(value), "tip": amount(tip)}
        if purse.code:
            body["code"] = purse.code
        # Taken from the books before it is asked for, so that two tables do not count on the same money.
        purse.balance -= value + tip
        asking = self._till(order.store).cashier, f"/staff/orders/{order.id}/payments"
        if tender == "store_credit":
            asking = self._customer_of(order), f"/customer/orders/{order.id}/payments"
        made = await self._send(*asking, body, order)
        purse.entries += 1
        self._book(order, made, tip)
        return True

    async def _send(self, caller: Api, path: str, body: dict[str, Any], order: Order) -> Any:
        """Send a payment: some hang up on the first try, one in ten is sent twice at the same moment; all make one."""
        key = f"pay-{order.id}-{len(order.payments)}"
        if self._dice.random() < 0.05:
            await caller.break_off("POST", path, body, key, self._dice.uniform(0.001, 0.02))
        if self._dice.random() >= 0.1:
            return await caller.do("POST", path, body, key)
        self._books.repeats += 1
        both: list[Answer] = await asyncio.gather(*(caller.ask("POST", path, body, key) for _ in range(2)))
        if [answer.status for answer in both] != [201, 201] or both[0].document["id"] != both[1].document["id"]:
            self._books.differ(
                f"Order {order.id}: a payment sent twice was answered {[each.document for each in both]}"
            )
        if both[0].status != 201:
            raise Unexpected(f"{path}: {both[0].document}")
        return both[0].document

    def _book(self, order: Order, made: dict[str, Any], tip: int) -> Payment:
        if made["status"] != "succeeded" or cents(made["tip"]) != tip:
            self._books.differ(f"Order {order.id}: a payment was answered {made}")
        payment = Payment(made["id"], made["method"], cents(made["amount"]), tip)
        order.payments.append(payment)
        return payment

    def _book_refund(self, order: Order, shift: Shift, made: dict[str, Any]) -> None:
        if made["status"] != "completed":
            self._books.differ(f"Order {order.id}: refund {made['id']} is {made['status']}")
        order.refunds.append(Refund(made["id"], cents(made["amount"])))
        by_id = {payment.id: payment for payment in order.payments}
        for part in made["parts"]:
            value, payment = cents(part["amount"]), by_id[part["payment_id"]]
            if payment.method == "cash":
                shift.movements["refund"] -= value
                shift.refund_ids.add(made["id"])
            elif (purse := self._purse_of(order, payment)) is not None:
                purse.balance += value
                purse.entries += 1

    def _purse(self, order: Order, tender: str) -> Purse | None:
        if tender == "store_credit":
            return next(each.credit for each in order.store.customers if each.api is self._customer_of(order))
        return order.store.cards[order.planned.number % len(order.store.cards)] if tender == "gift_card" else None

    def _purse_of(self, order: Order, payment: Payment) -> Purse | None:
        return self._purse(order, payment.method)

    def _customer_of(self, order: Order) -> Api:
        return order.store.customers[order.planned.number % len(order.store.customers)].api

    def _till(self, store: Store) -> Till:
        return self._dice.choice(store.tills)

    def _is_counted(self, store: Store, item_id: int) -> bool:
        return any(item.id == item_id and item.stock is not None for item in store.items)
