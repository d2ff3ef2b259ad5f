"""The tests that every provider with payouts has to pass besides those of ``PaymentProviderSuite``.

The fixture ``payout_fake`` of the provider's plugin yields a ``PayoutFake``, and its tests inherit these::

    class TestPayouts(PayoutSuite):
        pass

Whatever comes first, again or dies, each state of a payout and each part of it is recorded once.
"""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from itertools import count
from typing import Any, Final

import pytest
import pytest_asyncio

from comanda.contracts.payments.payouts import PayoutState
from comanda.devkit.testing.callers import TestOwner
from comanda.devkit.testing.clock import FakeClock
from comanda.devkit.testing.payment_providers import (
    PRICE,
    RACERS,
    Interruptions,
    PaidOrder,
    ProviderFake,
    ProviderFixtures,
    SignedWebhook,
    check_account,
    list_ways,
    reconcile,
    run_until_killed,
    send_webhook,
)
from comanda.devkit.testing.stores import TestStore

PAYOUTS: Final = "/api/v1/payouts"


class PayoutFake(ABC):
    """The payouts of a ``ProviderFake``. A payment, and the payout that it is in, are named by the address of its page.

    ``fee`` is what the provider withholds of a payment, in the major unit.
    """

    fee: float = 0

    @abstractmethod
    async def pay_out(self, url: str) -> None:
        """Pay out all that is due to the account of a payment."""

    @abstractmethod
    async def finish(self, url: str, state: PayoutState) -> None:
        """Report that the payout arrived, ``PAID``, or came back from the bank, ``FAILED``."""

    @abstractmethod
    async def report(self, account: Mapping[str, Any], url: str) -> SignedWebhook | None:
        """Return the webhook about the payout as it is now; None if the provider sends none."""


class PayoutSuite(ProviderFixtures):
    """What holds for every provider with payouts; see the module."""

    @pytest_asyncio.fixture(loop_scope="session")
    async def new_page(
        self, provider_fake: ProviderFake, new_order: Callable[[], Awaitable[PaidOrder]], clock: FakeClock
    ) -> Callable[[], Awaitable[tuple[PaidOrder, str]]]:
        """Return a function that pays a new order, and returns it with the address of the page."""

        async def pay() -> tuple[PaidOrder, str]:
            order = await new_order()
            url = str((await order.start())["redirect_url"])
            await provider_fake.pay(url)
            await reconcile(clock)
            assert await order.get_money() == ("paid", PRICE, 0)
            return order, url

        return pay

    @pytest_asyncio.fixture(loop_scope="session")
    async def paid(self, new_page: Callable[[], Awaitable[tuple[PaidOrder, str]]]) -> tuple[PaidOrder, str]:
        """Return an order that was paid, with the address of the page."""
        return await new_page()

    @pytest.mark.parametrize("first", ["webhook", "check"])
    async def test_whatever_comes_first_records_once(
        self, first: str, payout_fake: PayoutFake, account: dict[str, Any], paid: tuple[PaidOrder, str],
        published: Callable[[], Any],
    ) -> None:  # fmt: skip
        order, url = paid
        await payout_fake.pay_out(url)
        acts = list_ways(await payout_fake.report(account, url), account, order)

        await acts.pop(first)()
        await asyncio.gather(*(act() for act in acts.values()))

        payout = await _check_recorded_once(payout_fake, account, order)
        assert (payout["state"], payout["failure"]) == (PayoutState.IN_TRANSIT, None)
        assert payout["arrives_on"]
        assert await _list_states(published) == [PayoutState.IN_TRANSIT]

    async def test_all_at_once_record_once(
        self, payout_fake: PayoutFake, account: dict[str, Any], paid: tuple[PaidOrder, str],
        published: Callable[[], Any],
    ) -> None:  # fmt: skip
        order, url = paid
        await payout_fake.pay_out(url)
        await payout_fake.finish(url, PayoutState.PAID)
        acts = list_ways(await payout_fake.report(account, url), account, order)

        await asyncio.gather(*(act() for act in acts.values() for _ in range(RACERS)))

        assert (await _check_recorded_once(payout_fake, account, order))["state"] == PayoutState.PAID
        assert await _list_states(published) == [PayoutState.PAID]

    async def test_state_only_goes_on(
        self, payout_fake: PayoutFake, account: dict[str, Any], paid: tuple[PaidOrder, str],
        published: Callable[[], Any],
    ) -> None:  # fmt: skip
        order, url = paid
        await payout_fake.pay_out(url)
        before = await payout_fake.report(account, url)
        for state in (PayoutState.PAID, PayoutState.FAILED):
            await payout_fake.finish(url, state)
            await check_account(account, order)
            if before is not None:
                assert await send_webhook(order.store.client, before) == 200

        payout = await _check_recorded_once(payout_fake, account, order)
        assert payout["state"] == PayoutState.FAILED
        assert payout["failure"]
        assert await _list_states(published) == [PayoutState.PAID, PayoutState.FAILED]

    async def test_payout_has_refunds_in_it(
        self, payout_fake: PayoutFake, account: dict[str, Any], paid: tuple[PaidOrder, str], clock: FakeClock
    ) -> None:
        order, url = paid
        assert (await order.refund(4)).status == 201
        await reconcile(clock)

        await payout_fake.pay_out(url)
        await check_account(account, order)

        [payout] = await _list_payouts(order.store)
        found = (await order.store.send_to(f"{PAYOUTS}/{payout['id']}")).document
        assert {each["kind"]: (each["count"], each["amount"]) for each in found["sums"] if each["kind"] != "fee"} == {
            "payment": (1, PRICE), "refund": (1, -4),
        }  # fmt: skip
        assert (found["amount"], found["unexplained"]) == (round(PRICE - 4 - payout_fake.fee, 2), 0)
        parts = await _list_parts(order.store, payout["id"])
        assert {each["order_number"] for each in parts} == {order.record["number"]}

    async def test_payment_is_paid_out_once(
        self, payout_fake: PayoutFake, account: dict[str, Any],
        new_page: Callable[[], Awaitable[tuple[PaidOrder, str]]],
    ) -> None:  # fmt: skip
        first, url = await new_page()
        await payout_fake.pay_out(url)
        second, other_url = await new_page()
        await payout_fake.pay_out(other_url)

        await check_account(account, first)

        payouts = await _list_payouts(first.store)
        numbers = [
            [each["order_number"] for each in await _list_parts(first.store, payout["id"])] for payout in payouts
        ]
        assert numbers == [[second.record["number"]], [first.record["number"]]]

    async def test_kill_anywhere_records_once(
        self, payout_fake: PayoutFake, interruptions: Interruptions, account: dict[str, Any],
        new_page: Callable[[], Awaitable[tuple[PaidOrder, str]]], published: Callable[[], Any],
    ) -> None:  # fmt: skip
        for number in count(1):
            order, url = await new_page()
            await payout_fake.pay_out(url)
            is_done = await run_until_killed(interruptions, number, partial(check_account, account, order))
            await check_account(account, order)
            payout = (await _list_payouts(order.store))[0]
            assert [each["order_id"] for each in await _list_parts(order.store, payout["id"])] == [order.record["id"]]
            if is_done:
                break

        assert await _list_states(published) == [PayoutState.IN_TRANSIT] * number

    async def test_payout_of_another_owner_is_not_there(
        self, payout_fake: PayoutFake, provider_fake: ProviderFake, account: dict[str, Any],
        paid: tuple[PaidOrder, str], other_owner: TestOwner,
    ) -> None:  # fmt: skip
        order, url = paid
        await payout_fake.pay_out(url)
        await check_account(account, order)
        [payout] = await _list_payouts(order.store)

        other = TestStore(order.store.client, other_owner, await other_owner.store(provider_fake.store_type))

        assert await _list_payouts(other) == []
        for path in ("", "/parts", "/export"):
            assert (await other.send_to(f"{PAYOUTS}/{payout['id']}{path}")).status == 404


async def _list_payouts(store: TestStore) -> list[dict[str, Any]]:
    payouts: list[dict[str, Any]] = (await store.send_to(PAYOUTS))["data"]
    return payouts


async def _list_parts(store: TestStore, payout_id: int) -> list[dict[str, Any]]:
    parts: list[dict[str, Any]] = (await store.send_to(f"{PAYOUTS}/{payout_id}/parts"))["data"]
    return parts


async def _list_states(published: Callable[[], Any]) -> list[str]:
    return [data["state"] for name, data in await published() if name == "payout.changed"]


async def _check_recorded_once(fake: PayoutFake, account: Mapping[str, Any], order: PaidOrder) -> dict[str, Any]:
    """Check that a payout was recorded once, with the payment in it, and return it."""
    [payout] = await _list_payouts(order.store)
    assert (payout["account_id"], payout["has_parts"]) == (account["id"], True)
    found: dict[str, Any] = (await order.store.send_to(f"{PAYOUTS}/{payout['id']}")).document
    net = round(PRICE - fake.fee, 2)
    assert (found["amount"], found["unexplained"]) == (net, 0)
    [part] = await _list_parts(order.store, payout["id"])
    [payment] = await order.list_payments()
    assert (part["kind"], part["amount"], part["fee"], part["net"]) == ("payment", PRICE, fake.fee, net)
    assert (part["payment_id"], part["order_id"]) == (payment["id"], order.record["id"])
    assert (part["order_number"], part["restaurant_id"]) == (order.record["number"], order.store.id)
    return found
