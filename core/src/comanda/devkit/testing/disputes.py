"""The tests that every provider with disputes has to pass besides those of ``PaymentProviderSuite``.

The fixture ``dispute_fake`` of the provider's plugin yields a ``DisputeFake``, and its tests inherit these::

    class TestDisputes(DisputeSuite):
        pass

Whatever comes first or again, each state of a dispute is recorded once, and a lost one leaves revenue once.
"""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from typing import Any, Final

import pytest
import pytest_asyncio

from comanda.contracts.payments.providers import DisputeState
from comanda.devkit.testing.callers import TestOwner
from comanda.devkit.testing.clock import FakeClock
from comanda.devkit.testing.payment_providers import (
    PRICE,
    RACERS,
    PaidOrder,
    ProviderFake,
    ProviderFixtures,
    SignedWebhook,
    check_account,
    list_ways,
    reconcile,
    send_webhook,
)
from comanda.devkit.testing.stores import TestStore

DISPUTES: Final = "/api/v1/payment-disputes"


class DisputeFake(ABC):
    """The disputes of the payments of a ``ProviderFake``. A payment is named by the address of its page.

    ``first_state`` is ``LOST`` at a provider that takes the money at once, and is not answered over its interface.
    """

    first_state: DisputeState = DisputeState.NEEDS_RESPONSE

    @abstractmethod
    async def dispute(self, url: str) -> None:
        """Dispute the whole of a payment that was made."""

    @abstractmethod
    async def decide(self, url: str, state: DisputeState) -> None:
        """Decide a dispute for the store, ``WON``, or for the guest, ``LOST``."""

    @abstractmethod
    async def report(self, account: Mapping[str, Any], url: str) -> SignedWebhook | None:
        """Return the webhook about the dispute as it is now; None if the provider sends none."""


class DisputeSuite(ProviderFixtures):
    """What holds for every provider with disputes; see the module."""

    @pytest_asyncio.fixture(loop_scope="session")
    async def paid_page(self, provider_fake: ProviderFake, order: PaidOrder, clock: FakeClock) -> str:
        """Return the address of the page on which the order was paid."""
        url = str((await order.start())["redirect_url"])
        await provider_fake.pay(url)
        await reconcile(clock)
        assert await order.get_money() == ("paid", PRICE, 0)
        return url

    @pytest.mark.parametrize("first", ["webhook", "check"])
    async def test_whatever_comes_first_records_once(
        self, first: str, dispute_fake: DisputeFake, account: dict[str, Any], order: PaidOrder, paid_page: str,
        published: Callable[[], Any],
    ) -> None:  # fmt: skip
        await dispute_fake.dispute(paid_page)
        acts = list_ways(await dispute_fake.report(account, paid_page), account, order)

        await acts.pop(first)()
        await asyncio.gather(*(act() for act in acts.values()))

        [dispute] = await _list_disputes(order.store)
        [payment] = await order.list_payments()
        found = (dispute["payment_id"], dispute["order_id"], dispute["restaurant_id"], dispute["amount"])
        assert found == (payment["id"], order.record["id"], order.store.id, PRICE)
        assert dispute["state"] == dispute_fake.first_state
        assert await _list_states(published) == [dispute_fake.first_state]
        if dispute_fake.first_state is DisputeState.LOST:
            await _check_lost_once(order, published)
        else:
            assert dispute["respond_by"]
            assert await order.get_money() == ("paid", PRICE, 0)

    async def test_all_at_once_refund_a_lost_dispute_once(
        self, dispute_fake: DisputeFake, account: dict[str, Any], order: PaidOrder, paid_page: str,
        published: Callable[[], Any],
    ) -> None:  # fmt: skip
        await dispute_fake.dispute(paid_page)
        await dispute_fake.decide(paid_page, DisputeState.LOST)
        acts = list_ways(await dispute_fake.report(account, paid_page), account, order)

        await asyncio.gather(*(act() for act in acts.values() for _ in range(RACERS)))

        await _check_lost_once(order, published)
        assert await _list_states(published) == [DisputeState.LOST]

    async def test_old_webhook_reopens_no_lost_dispute(
        self, dispute_fake: DisputeFake, account: dict[str, Any], order: PaidOrder, paid_page: str,
        published: Callable[[], Any],
    ) -> None:  # fmt: skip
        await dispute_fake.dispute(paid_page)
        before = await dispute_fake.report(account, paid_page)
        await check_account(account, order)
        await dispute_fake.decide(paid_page, DisputeState.LOST)
        await check_account(account, order)

        if before is not None:
            assert await send_webhook(order.store.client, before) == 200
        await check_account(account, order)

        await _check_lost_once(order, published)
        assert await _list_states(published) == list(dict.fromkeys([dispute_fake.first_state, DisputeState.LOST]))

    async def test_won_dispute_changes_no_money(
        self, dispute_fake: DisputeFake, account: dict[str, Any], order: PaidOrder, paid_page: str
    ) -> None:
        await dispute_fake.dispute(paid_page)
        await dispute_fake.decide(paid_page, DisputeState.WON)

        await check_account(account, order)

        [dispute] = await _list_disputes(order.store)
        assert (dispute["state"], dispute["refund_id"]) == (DisputeState.WON, None)
        assert dispute["closed_at"]
        assert await order.get_money() == ("paid", PRICE, 0)

    async def test_lost_dispute_takes_what_was_not_refunded(
        self, dispute_fake: DisputeFake, account: dict[str, Any], order: PaidOrder, paid_page: str, clock: FakeClock
    ) -> None:
        assert (await order.refund(4)).status == 201
        await reconcile(clock)
        await dispute_fake.dispute(paid_page)
        await dispute_fake.decide(paid_page, DisputeState.LOST)

        await check_account(account, order)

        assert await order.get_money() == ("refunded", PRICE, PRICE)

    async def test_dispute_of_another_owner_is_not_there(
        self, dispute_fake: DisputeFake, provider_fake: ProviderFake, account: dict[str, Any], order: PaidOrder,
        paid_page: str, other_owner: TestOwner,
    ) -> None:  # fmt: skip
        await dispute_fake.dispute(paid_page)
        await check_account(account, order)

        other = TestStore(order.store.client, other_owner, await other_owner.store(provider_fake.store_type))

        assert await _list_disputes(other) == []
        assert len(await _list_disputes(order.store)) == 1


async def _list_disputes(store: TestStore) -> list[dict[str, Any]]:
    disputes: list[dict[str, Any]] = (await store.send_to(DISPUTES))["data"]
    return disputes


async def _list_states(published: Callable[[], Any]) -> list[str]:
    return [data["state"] for name, data in await published() if name == "payment_dispute.changed"]


async def _check_lost_once(order: PaidOrder, published: Callable[[], Any]) -> None:
    """Check that a lost dispute was recorded, refunded and announced once."""
    [dispute] = await _list_disputes(order.store)
    [refund] = (await order.store.get(f"{order.path}/refunds"))["data"]
    assert (dispute["state"], dispute["refund_id"]) == (DisputeState.LOST, refund["id"])
    assert (refund["status"], refund["amount"]) == ("completed", PRICE)
    assert await order.get_money() == ("refunded", PRICE, PRICE)
    assert sum(1 for name, _ in await published() if name == "refund.completed") == 1
