"""Drivers: they race for what is free, fetch what is ready, and bring it, or fail to."""

from random import Random
from typing import Any, Final

from evening.books import Books, Driver, Order, Payment, amount, cents
from evening.client import Clock, Unexpected

LOOK: Final = 2.5
LOOK_SECONDS: Final = 0.2
OFFERS: Final = "GET /api/v1/driver/offers"
CARRIES: Final = 2
WAY_MINUTES: Final = (6.0, 14.0)


class Road:
    """Everybody who brings orders."""

    def __init__(self, books: Books, clock: Clock, seed: int) -> None:
        self._books = books
        self._clock = clock
        self._dice = Random(seed + 2)  # noqa: S311 - an evening, not a secret

    async def drive(self, driver: Driver) -> None:
        """Work until the evening is over."""
        api = driver.api
        await api.do("POST", "/driver/shift", {"status": "on"})
        while not self._clock.is_over:
            mine = (await api.do("GET", "/driver/deliveries?active=1"))["data"]
            mine = [each for each in mine if each["status"] != "cancelled" and each["id"] in self._books.by_id]
            if OFFERS in self._books.operations:
                await self._answer_offers(driver)
            if len(mine) < CARRIES:
                await self._claim(driver)
            for delivery in mine:
                await self._bring(driver, delivery)
            await self._clock.sleep(LOOK, LOOK_SECONDS)

    async def _answer_offers(self, driver: Driver) -> None:
        """Accept what is offered, and now and then reject it."""
        for offer in (await driver.api.do("GET", "/driver/offers"))["data"]:
            order = self._books.by_id.get(offer["order_id"])
            if order is None:
                continue
            accepts = self._dice.random() >= 0.1
            path = f"/driver/offers/{offer['id']}/{'accept' if accepts else 'reject'}"
            answer = await driver.api.ask("POST", path, None if accepts else {"reason": "Too far"})
            if answer.status == 200 and accepts:
                self._give(order, driver.id)
                self._books.accepted_offers += 1
            elif answer.status == 200:
                self._books.rejected_offers += 1
            elif answer.reason == "offer_expired":
                self._books.refused_claims += 1
            else:
                raise Unexpected(f"{path}: {answer.status} {answer.document}")

    async def _claim(self, driver: Driver) -> None:
        free = (await driver.api.do("GET", "/driver/available"))["data"]
        for delivery in [each for each in free if each["id"] in self._books.by_id][:CARRIES]:
            order = self._books.by_id[delivery["id"]]
            answer = await driver.api.ask("POST", f"/driver/deliveries/{order.id}/claim")
            if answer.status == 200:
                self._give(order, driver.id)
                return
            self._books.refused_claims += 1
            # A list is of its moment: meanwhile another may have the order, the guest has called it off, or somebody
            # is asked.
            is_gone = answer.status == 404 and (order.planned.ending != "served" or order.store.makes_offers)
            if not is_gone and answer.reason != "already_claimed":
                raise Unexpected(f"claim of {order.id}: {answer.status} {answer.document}")

    def _give(self, order: Order, driver_id: int) -> None:
        order.delivery_status = "assigned"
        order.driver_id = driver_id
        order.given.append(driver_id)
        order.moves["assigned"] += 1

    async def _bring(self, driver: Driver, delivery: dict[str, Any]) -> None:
        order = self._books.by_id[delivery["id"]]
        if delivery["delivery_status"] == "assigned" and delivery["status"] in {"ready", "delivered"}:
            async with order.hands:
                if order.status == "cancelled" or order.driver_id != driver.id:
                    return
                await self._say(driver, order, "picked_up")
                await self._say(driver, order, "out_for_delivery")
        if order.delivery_status == "out_for_delivery" and order.driver_id == driver.id:
            await self._ride(driver, order)

    async def _ride(self, driver: Driver, order: Order) -> None:
        minutes = self._dice.uniform(*WAY_MINUTES)
        for step in range(2):
            await self._clock.sleep(minutes / 2)
            place = {"lat": 38.71 + self._dice.random() / 20, "lng": -9.14 + step / 100}
            await driver.api.do("PUT", "/driver/location", place)
        async with order.hands:
            if order.planned.delivery_fails and not order.moves["failed"]:
                await self._say(driver, order, "failed")
                await self._send_another(driver, order)
            else:
                await self._hand_over(driver, order)
                if order.status in {"new", "preparing", "ready"}:
                    order.become("delivered")
                order.is_with_guest.set()

    async def _hand_over(self, driver: Driver, order: Order) -> None:
        """Say that an order is delivered; who meant to pay in cash does so at the door, all others at the store."""
        is_cash = bool(order.left) and order.planned.tender == "cash" and not order.planned.pays_first
        await self._say(driver, order, "delivered", None if is_cash else 0)
        if not is_cash:
            return
        path = f"/restaurants/{order.store.id}/orders/{order.id}/payments"
        made = (await self._books.owner.do("GET", path))["data"][0]
        if (made["method"], cents(made["amount"]), made["driver_id"]) != ("cash", order.left, driver.id):
            self._books.differ(f"Order {order.id}: {amount(order.left)} were due at the door, {made} was booked")
        order.payments.append(Payment(made["id"], "cash", cents(made["amount"]), 0))
        self._books.driver_cash[order.store.id, driver.id] += cents(made["amount"])

    async def _say(self, driver: Driver, order: Order, status: str, cash: int | None = None) -> None:
        body: dict[str, Any] = {"delivery_status": status, "note": "Nobody opened" if status == "failed" else None}
        body |= {} if cash is None else {"cash_collected": amount(cash)}
        answer = await driver.api.do("PUT", f"/driver/deliveries/{order.id}/status", body)
        if answer["delivery_status"] != status:
            self._books.differ(f"Order {order.id}: {status} was answered with {answer['delivery_status']}")
        order.delivery_status = status
        order.moves[status] += 1

    async def _send_another(self, driver: Driver, order: Order) -> None:
        """Have the owner give a delivery that failed to another driver."""
        others = [each for each in self._books.drivers if each.id != driver.id] or [driver]
        other = self._dice.choice(others)
        path = f"/restaurants/{order.store.id}/orders/{order.id}/assign"
        record = await self._books.owner.do("POST", path, {"driver_id": other.id})
        if record["delivery_status"] != "assigned" or record["driver"]["id"] != other.id:
            self._books.differ(f"Order {order.id}: given to {other.id}, it is {record['driver']}")
        self._give(order, other.id)
