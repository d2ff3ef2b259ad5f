"""Random amendments and payments: what is kept is never more than the total, unless a refund is pending."""

import random

import pytest
from comanda.devkit.testing import line
from comanda_payments import tasks

STEPS = ("add", "void", "discount", "split", "merge", "pay", "refund", "settle")


class Table:
    """A check that staff change while guests pay, in any order; a paid one is opened again for the next change."""

    def __init__(self, store, till, dishes, gateway, card, chance):
        self.store, self.till, self.dishes, self.gateway, self.card = store, till, dishes, gateway, card
        self.chance = chance

    async def send(self, path, **body):
        return await self.store.send("POST", f"{self.till.path}/{path}", body)

    async def run(self, step):
        order = await self.till.order()
        if order["is_paid"] and step != "settle":
            await self.send("reopen", reason="One more")
        refund = self.chance.choice([{}, {"refund": {}}])
        return await getattr(self, step)(self.chance.choice(order["items"])["id"], refund)

    async def add(self, _line_id, _refund):
        return await self.send("lines", items=[line(self.chance.choice(self.dishes))])

    async def void(self, line_id, refund):
        return await self.send(f"lines/{line_id}/void", quantity=1, reason="Cold", **refund)

    async def discount(self, _line_id, refund):
        return await self.send("discounts", percent=self.chance.choice([10, 25, 100]), reason="Late", **refund)

    async def split(self, line_id, refund):
        return await self.send("split", lines=[{"line_id": line_id, "quantity": 1}], **refund)

    async def merge(self, _line_id, refund):
        other = await self.store.order(line(self.chance.choice(self.dishes)))
        await self.store.send("POST", f"/orders/{other['id']}/payments", {"method": "cash", "amount": 1})
        return await self.send("merge", order_id=other["id"], **refund)

    async def pay(self, _line_id, _refund):
        method = self.chance.choice(["cash", "card_external", "gift_card", "stripe"])
        code = {"code": self.card["code"]} if method == "gift_card" else {}
        return await self.till.pay(method, self.chance.choice([None, 2.5, 4]), **code)

    async def refund(self, _line_id, _refund):
        return await self.till.refund(amount=1)

    async def settle(self, *_):
        for session in self.gateway.sessions.values():
            self.gateway.pay(session)
        await tasks.reconcile()

    async def check(self, step):
        order, refunds = await self.till.order(), await self.till.refunds()
        payments = [each for each in await self.till.payments() if each["status"] == "succeeded"]
        completed = [each for each in refunds if each["status"] == "completed"]
        kept = round(order["paid_total"] - order["refunded_total"], 2)
        assert kept <= order["total"] or any(each["status"] == "pending" for each in refunds), (step, order)
        assert order["paid_total"] == pytest.approx(sum(each["amount"] for each in payments))
        assert order["refunded_total"] == pytest.approx(sum(each["amount"] for each in completed))

    async def remove_discounts(self):
        for discount in (await self.till.order())["discounts"]:
            await self.send("reopen", reason="Wrong discount")
            await self.send(f"discounts/{discount['id']}/remove")


@pytest.mark.parametrize("seed", range(4))
async def test_kept_money_never_exceeds_the_total(store, new_order, till_of, gateway, card, clock, seed):
    await store.send(
        "PUT",
        "/settings",
        {"tax_rate": 19, "is_tax_included": False, "service_charge_rate": 12.5, "service_charge_modes": ["takeaway"]},
    )
    dishes = [await store.item(f"Dish {price}", price, tax_rate=rate) for price, rate in ((1.99, 7), (7.77, 19))]
    chance = random.Random(seed)
    table = Table(store, till_of(await new_order(2)), dishes, gateway, card, chance)
    for step in chance.choices(STEPS, k=40):
        reply = await table.run(step)
        assert reply is None or reply.status in {200, 201, 409, 422}, reply
        clock.advance(minutes=1)
        await table.check(step)
    await table.run("settle")
    assert all(refund["status"] == "completed" for refund in await table.till.refunds())
    await table.remove_discounts()
    order = await table.till.order()
    left = [line({"id": each["item_id"]}, each["quantity"]) for each in order["items"]]
    quote = await store.send("POST", "/orders/quote", {"type": "takeaway", "items": left})
    assert order["total"] == quote["total"]
