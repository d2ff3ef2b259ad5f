"""Drivers who claim deliveries, pick up orders and deliver them, or fail to."""

from random import Random
from typing import Any, Final

from evening.client import Answer, EveningClock, UnexpectedAnswer
from evening.ledger import Driver, EveningLedger, Order, Payment, amount, to_cents

POLL_MINUTES: Final = 2.5
POLL_SECONDS: Final = 0.2
OFFERS: Final = "GET /api/v1/driver/offers"
MAX_DELIVERIES: Final = 2
TRIP_MINUTES: Final = (6.0, 14.0)


class DeliveryService:
    """All drivers."""

    def __init__(self, ledger: EveningLedger, clock: EveningClock, seed: int) -> None:
        self._ledger = ledger
        self._clock = clock
        self._random = Random(seed + 2)

    async def run_driver(self, driver: Driver) -> None:
        """Work until the evening is over."""
        api = driver.api
        await api.do("POST", "/driver/shift", {"status": "on"})
        while not self._clock.is_over:
            mine = (await api.do("GET", "/driver/deliveries?active=1"))["data"]
            mine = [each for each in mine if each["status"] != "cancelled" and each["id"] in self._ledger.by_id]
            if OFFERS in self._ledger.operations:
                await self._answer_offers(driver)
            if len(mine) < MAX_DELIVERIES:
                await self._claim(driver)
            for delivery in mine:
                await self._deliver(driver, delivery)
            await self._clock.sleep(POLL_MINUTES, POLL_SECONDS)

    async def _answer_offers(self, driver: Driver) -> None:
        """Accept offers, and sometimes reject one."""
        for offer in (await driver.api.do("GET", "/driver/offers"))["data"]:
            order = self._ledger.by_id.get(offer["order_id"])
            if order is None:
                continue
            accepts = self._random.random() >= 0.1
            path = f"/driver/offers/{offer['id']}/{'accept' if accepts else 'reject'}"
            answer = await driver.api.ask("POST", path, None if accepts else {"reason": "Too far"})
            if (answer.status == 200 and accepts) or await self._has(driver, order, answer):
                self._record_assignment(order, driver.id)
                self._ledger.accepted_offers += 1
            elif answer.status == 200:
                self._ledger.rejected_offers += 1
            elif answer.reason == "offer_expired":
                self._ledger.refused_claims += 1
            else:
                raise UnexpectedAnswer(f"{path}: {answer.status} {answer.document}")

    async def _claim(self, driver: Driver) -> None:
        free = (await driver.api.do("GET", "/driver/available"))["data"]
        for delivery in [each for each in free if each["id"] in self._ledger.by_id][:MAX_DELIVERIES]:
            order = self._ledger.by_id[delivery["id"]]
            answer = await driver.api.ask("POST", f"/driver/deliveries/{order.id}/claim")
            if answer.status == 200 or await self._has(driver, order, answer):
                self._record_assignment(order, driver.id)
                return
            self._ledger.refused_claims += 1
            # The list may be outdated: the order may have been claimed, cancelled or offered to another driver.
            is_gone = answer.status == 404 and (order.planned.ending != "served" or order.store.makes_offers)
            if not is_gone and answer.reason != "already_claimed":
                raise UnexpectedAnswer(f"claim of {order.id}: {answer.status} {answer.document}")

    async def _has(self, driver: Driver, order: Order, answer: Answer) -> bool:
        """Return whether a delivery was given to a driver by a request whose answer was lost."""
        if answer.status == 200 or not answer.is_repeated:
            return False
        mine = (await driver.api.do("GET", "/driver/deliveries?active=1"))["data"]
        return order.driver_id != driver.id and order.id in {each["id"] for each in mine}

    def _record_assignment(self, order: Order, driver_id: int) -> None:
        order.delivery_status = "assigned"
        order.driver_id = driver_id
        order.assigned_drivers.append(driver_id)
        order.moves["assigned"] += 1

    async def _deliver(self, driver: Driver, delivery: dict[str, Any]) -> None:
        order = self._ledger.by_id[delivery["id"]]
        if delivery["delivery_status"] == "assigned" and delivery["status"] in {"ready", "delivered"}:
            async with order.lock:
                if order.status == "cancelled" or order.driver_id != driver.id:
                    return
                if order.status == "preparing" and order.has_plain_path:
                    # The answers to the last cooks are still on their way.
                    for line in order.lines.values():
                        line.state = "ready"
                    order.set_status("ready")
                await self._update_status(driver, order, "picked_up")
                await self._update_status(driver, order, "out_for_delivery")
        if order.delivery_status == "out_for_delivery" and order.driver_id == driver.id:
            await self._drive(driver, order)

    async def _drive(self, driver: Driver, order: Order) -> None:
        minutes = self._random.uniform(*TRIP_MINUTES)
        for step in range(2):
            await self._clock.sleep(minutes / 2)
            place = {"lat": 38.71 + self._random.random() / 20, "lng": -9.14 + step / 100}
            await driver.api.do("PUT", "/driver/location", place)
        async with order.lock:
            if order.planned.delivery_fails and not order.moves["failed"]:
                await self._update_status(driver, order, "failed")
                await self._reassign(driver, order)
            else:
                await self._hand_over(driver, order)
                if order.status in {"new", "preparing", "ready"}:
                    order.set_status("delivered")
                order.is_with_guest.set()

    async def _hand_over(self, driver: Driver, order: Order) -> None:
        """Mark an order as delivered; cash orders are paid at the door, others at the store."""
        is_cash = bool(order.left) and order.planned.tender == "cash" and not order.planned.pays_first
        await self._update_status(driver, order, "delivered", None if is_cash else 0)
        if not is_cash:
            return
        path = f"/restaurants/{order.store.id}/orders/{order.id}/payments"
        made = (await self._ledger.owner.do("GET", path))["data"][0]
        if (made["method"], to_cents(made["amount"]), made["driver_id"]) != ("cash", order.left, driver.id):
            self._ledger.add_difference(
                f"Order {order.id}: {amount(order.left)} were due at the door, {made} was booked"
            )
        order.payments.append(Payment(made["id"], "cash", to_cents(made["amount"]), 0))
        self._ledger.driver_cash[order.store.id, driver.id] += to_cents(made["amount"])

    async def _update_status(self, driver: Driver, order: Order, status: str, cash: int | None = None) -> None:
        body: dict[str, Any] = {"delivery_status": status, "note": "Nobody opened" if status == "failed" else None}
        body |= {} if cash is None else {"cash_collected": amount(cash)}
        answer = await driver.api.do("PUT", f"/driver/deliveries/{order.id}/status", body)
        if answer["delivery_status"] != status:
            self._ledger.add_difference(f"Order {order.id}: {status} was answered with {answer['delivery_status']}")
        order.delivery_status = status
        order.moves[status] += 1

    async def _reassign(self, driver: Driver, order: Order) -> None:
        """Reassign a failed delivery to another driver."""
        others = [each for each in self._ledger.drivers if each.id != driver.id] or [driver]
        other = self._random.choice(others)
        path = f"/restaurants/{order.store.id}/orders/{order.id}/assign"
        record = await self._ledger.owner.do("POST", path, {"driver_id": other.id})
        if record["delivery_status"] != "assigned" or record["driver"]["id"] != other.id:
            self._ledger.add_difference(f"Order {order.id}: given to {other.id}, it is {record['driver']}")
        self._record_assignment(order, other.id)
