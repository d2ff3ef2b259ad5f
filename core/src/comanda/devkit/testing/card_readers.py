"""The tests that every provider with card readers has to pass besides those of ``PaymentProviderSuite``.

The fixture ``reader_fake`` of the provider's plugin yields a ``ReaderFake``, and its tests inherit these::

    class TestReaders(CardReaderSuite):
        pass

A reader that is unplugged, a guest who walks away, a double start, a lost answer: one payment is booked, or none.
"""

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial
from itertools import count
from typing import Any, Final

import pytest_asyncio

from comanda.contracts.payments.providers import ProviderState
from comanda.devkit.testing.callers import TestOwner
from comanda.devkit.testing.clock import FakeClock
from comanda.devkit.testing.payment_providers import (
    ACCOUNTS,
    PRICE,
    RACERS,
    Interruptions,
    PaidOrder,
    ProviderFake,
    ProviderFixtures,
    ReaderFake,
    check_paid_once,
    reconcile,
    reconcile_later,
    run_until_killed,
)
from comanda.devkit.testing.stores import Reply, TestStore
from comanda.devkit.testing.tasks import run_task

# After which a guest has walked away.
LIFETIME_MINUTES: Final = 5


class CardReaderSuite(ProviderFixtures):
    """What holds for every provider with card readers; see the module."""

    @pytest_asyncio.fixture(loop_scope="session")
    async def reader(self, reader_fake: ReaderFake, account: dict[str, Any], provider_store: TestStore) -> str:
        """Return a reader of the account, with the name Bar."""
        if reader_fake.reader is not None:
            return reader_fake.reader
        body = {"name": "Bar", "code": reader_fake.code}
        reply = await provider_store.send_to(f"{ACCOUNTS}/{account['id']}/readers", "POST", body)
        assert (reply.status, reply["name"], reply["is_online"]) == (201, "Bar", True), reply
        return str(reply["reference"])

    async def test_reader_is_listed_renamed_and_removed(
        self, account: dict[str, Any], reader_fake: ReaderFake, reader: str, provider_store: TestStore
    ) -> None:
        readers = f"{ACCOUNTS}/{account['id']}/readers"
        assert "in_person" in account["capabilities"]
        if reader_fake.reader is not None:
            await _check_managed_elsewhere(provider_store, readers, reader)
            return

        renamed = await provider_store.send_to(f"{readers}/{reader}", "PUT", {"name": "Terrace"})
        listed = (await provider_store.send_to(readers)).document
        removed = await provider_store.send_to(f"{readers}/{reader}", "DELETE")

        assert (renamed.status, removed.status) == (200, 204)
        assert [(each["reference"], each["name"], each["is_online"]) for each in listed] == [(reader, "Terrace", True)]
        assert (await provider_store.send_to(readers)).document == []

    async def test_reader_of_another_owner_is_not_there(
        self,
        account: dict[str, Any],
        reader: str,
        order: PaidOrder,
        other_owner: TestOwner,
        provider_fake: ProviderFake,
    ) -> None:
        other = TestStore(order.store.client, other_owner, await other_owner.store(provider_fake.store_type))
        path = f"{ACCOUNTS}/{account['id']}/readers"

        replies = [
            await other.send_to(path), await other.send_to(path, "POST", {"name": "Mine", "code": ""}),
            await other.send_to(f"{path}/{reader}", "PUT", {"name": "Mine"}),
            await other.send_to(f"{path}/{reader}", "DELETE"),
        ]  # fmt: skip

        assert [reply.status for reply in replies] == [404] * 4
        assert [each["name"] for each in (await order.store.send_to(path)).document] == ["Bar"]

    async def test_card_books_once_when_the_till_asks(
        self, reader_fake: ReaderFake, provider_fake: ProviderFake, reader: str, order: PaidOrder,
        published: Callable[[], Any],
    ) -> None:  # fmt: skip
        started = await _start(order, reader)
        assert (started.status, started["status"], started["reader"]) == (201, "pending", reader), started
        assert (await _check(order, started["id"]))["status"] == ProviderState.PENDING

        await reader_fake.pay(reader)
        checked = await asyncio.gather(*(_check(order, started["id"]) for _ in range(RACERS)))

        assert {reply["status"] for reply in checked} == {"succeeded"}
        await check_paid_once(provider_fake, order, published)

    async def test_double_starts_book_once(
        self, reader_fake: ReaderFake, provider_fake: ProviderFake, reader: str, order: PaidOrder, clock: FakeClock,
        published: Callable[[], Any],
    ) -> None:  # fmt: skip
        replies = await asyncio.gather(
            *(_start(order, reader) for _ in range(RACERS)), *(_start(order, reader, key=None) for _ in range(RACERS))
        )
        assert {reply.status for reply in replies} <= {201, 409}
        assert len({reply["id"] for reply in replies if reply.status == 201}) == 1

        await reader_fake.pay(reader)
        await asyncio.gather(*(reconcile(clock) for _ in range(RACERS)))

        await check_paid_once(provider_fake, order, published)

    async def test_reader_takes_one_payment_at_a_time(
        self, reader_fake: ReaderFake, provider_fake: ProviderFake, reader: str, clock: FakeClock,
        new_order: Callable[[], Awaitable[PaidOrder]],
    ) -> None:  # fmt: skip
        orders = [await new_order() for _ in range(RACERS)]

        replies = await asyncio.gather(*(_start(order, reader) for order in orders))
        await reader_fake.pay(reader)
        await reconcile(clock)

        assert sorted(reply.status for reply in replies) == [201] + [409] * (RACERS - 1)
        assert {reply["reason"] for reply in replies if reply.status == 409} == {"reader_busy"}
        assert await provider_fake.list_collected() == [PRICE * 100]

    async def test_declined_card_books_nothing_and_frees_the_reader(
        self, reader_fake: ReaderFake, provider_fake: ProviderFake, reader: str, order: PaidOrder, clock: FakeClock,
        published: Callable[[], Any],
    ) -> None:  # fmt: skip
        started = await _start(order, reader)
        await reader_fake.decline(reader)

        failed = await _check(order, started["id"])
        await reader_fake.pay(reader)

        assert (failed["status"], bool(failed["failure"])) == ("failed", True)
        assert await order.get_money() == ("unpaid", 0, 0)
        assert (await _start(order, reader, key="again"))["status"] == "pending"
        await reader_fake.pay(reader)
        await reconcile(clock)
        assert await order.get_money() == ("paid", PRICE, 0)
        assert await provider_fake.list_collected() == [PRICE * 100]

    async def test_unplugged_reader_starts_nothing(
        self, reader_fake: ReaderFake, provider_fake: ProviderFake, reader: str, order: PaidOrder
    ) -> None:
        await reader_fake.unplug(reader)

        reply = await _start(order, reader)

        assert (reply.status, reply["status"], bool(reply["failure"])) == (201, "failed", True), reply
        assert await order.get_money() == ("unpaid", 0, 0)
        assert await provider_fake.list_collected() == []

    async def test_reader_that_is_unplugged_while_it_asks_books_nothing(
        self, reader_fake: ReaderFake, provider_fake: ProviderFake, reader: str, order: PaidOrder, clock: FakeClock
    ) -> None:
        started = await _start(order, reader)
        await reader_fake.unplug(reader)

        await _wait_until_left(clock)

        assert [each["status"] for each in await order.list_payments()] == ["failed"]
        assert (await _check(order, started["id"]))["status"] == "failed"
        assert await provider_fake.list_collected() == []

    async def test_guest_who_walks_away_frees_the_reader(
        self, reader_fake: ReaderFake, provider_fake: ProviderFake, reader: str, order: PaidOrder, clock: FakeClock
    ) -> None:
        await _start(order, reader)

        await _wait_until_left(clock)
        # Whoever comes back finds a reader that asks for nothing.
        await reader_fake.pay(reader)
        await reconcile(clock)

        assert [each["status"] for each in await order.list_payments()] == ["failed"]
        assert await provider_fake.list_collected() == []
        assert (await _start(order, reader, key="again"))["status"] == "pending"

    async def test_cancelled_payment_collects_nothing(
        self, reader_fake: ReaderFake, provider_fake: ProviderFake, reader: str, order: PaidOrder
    ) -> None:
        started = await _start(order, reader)

        reply = await _cancel(order, started["id"])
        await reader_fake.pay(reader)

        assert (reply.status, reply["status"]) == (200, "cancelled")
        assert await order.get_money() == ("unpaid", 0, 0)
        assert await provider_fake.list_collected() == []

    async def test_card_that_won_against_its_cancellation_counts(
        self, reader_fake: ReaderFake, provider_fake: ProviderFake, reader: str, order: PaidOrder,
        published: Callable[[], Any],
    ) -> None:  # fmt: skip
        started = await _start(order, reader)
        await reader_fake.pay(reader)

        reply = await _cancel(order, started["id"])

        assert (reply.status, reply["reason"]) == (409, "succeeded")
        await check_paid_once(provider_fake, order, published)

    async def test_start_whose_answer_was_lost_can_be_cancelled(
        self, reader_fake: ReaderFake, provider_fake: ProviderFake, interruptions: Interruptions, reader: str,
        order: PaidOrder,
    ) -> None:  # fmt: skip
        interruptions.lost_steps.append("start")
        started = await _start(order, reader)

        reply = await _cancel(order, started["id"])
        await reader_fake.pay(reader)

        assert interruptions.lost_steps == []
        assert (reply.status, reply["status"]) == (200, "cancelled")
        assert await provider_fake.list_collected() == []

    async def test_start_whose_answer_was_lost_books_once(
        self, reader_fake: ReaderFake, provider_fake: ProviderFake, interruptions: Interruptions, reader: str,
        order: PaidOrder, clock: FakeClock, published: Callable[[], Any],
    ) -> None:  # fmt: skip
        interruptions.lost_steps.append("start")
        await _start(order, reader)

        await reader_fake.pay(reader)
        await reconcile(clock)
        await reconcile(clock)

        await check_paid_once(provider_fake, order, published)

    async def test_lost_start_of_a_guest_who_walked_away_ends(
        self, provider_fake: ProviderFake, interruptions: Interruptions, reader: str, order: PaidOrder, clock: FakeClock
    ) -> None:
        interruptions.lost_steps.append("start")
        await _start(order, reader)

        await _wait_until_left(clock)
        await _wait_until_left(clock)

        assert [each["status"] for each in await order.list_payments()] == ["failed"]
        assert await provider_fake.list_collected() == []

    async def test_kill_anywhere_and_a_guest_who_walks_away_collect_nothing(
        self,
        reader_fake: ReaderFake,
        provider_fake: ProviderFake,
        interruptions: Interruptions,
        reader: str,
        clock: FakeClock,
        new_order: Callable[[], Awaitable[PaidOrder]],
    ) -> None:
        for number in count(1):
            order = await new_order()
            is_started = await run_until_killed(interruptions, number, partial(_start, order, reader))
            for _ in range(2):
                await _wait_until_left(clock)
            await reader_fake.pay(reader)
            await reconcile(clock)
            assert {each["status"] for each in await order.list_payments()} <= {"failed"}, (
                f"killed before step {number}"
            )
            assert await order.get_money() == ("unpaid", 0, 0)
            if is_started:
                break

        assert await provider_fake.list_collected() == []

    async def test_refund_goes_back_the_same_way(
        self, reader_fake: ReaderFake, provider_fake: ProviderFake, reader: str, order: PaidOrder, clock: FakeClock
    ) -> None:
        started = await _start(order, reader)
        await reader_fake.pay(reader)
        await _check(order, started["id"])

        await asyncio.gather(*(order.refund() for _ in range(RACERS)))
        await reconcile(clock)

        assert await order.get_money() == ("refunded", PRICE, PRICE)
        assert await provider_fake.list_refunded() == [PRICE * 100]

    async def test_kill_anywhere_books_once(
        self, reader_fake: ReaderFake, provider_fake: ProviderFake, interruptions: Interruptions, reader: str,
        clock: FakeClock, new_order: Callable[[], Awaitable[PaidOrder]],
    ) -> None:  # fmt: skip
        orders = 0
        for number in count(1):
            order, orders = await new_order(), orders + 1
            is_started = await run_until_killed(interruptions, number, partial(_start, order, reader))
            assert (await _start(order, reader)).status == 201, f"after a kill before step {number}"
            await reader_fake.pay(reader)
            clock.advance(minutes=2)
            is_checked = await run_until_killed(interruptions, number, lambda: run_task("payments_reconcile"))
            await reconcile_later(clock)
            assert await order.get_money() == ("paid", PRICE, 0), f"after a kill before step {number}"
            if is_started and is_checked:
                break

        assert await provider_fake.list_collected() == [PRICE * 100] * orders


async def _check_managed_elsewhere(store: TestStore, readers: str, reader: str) -> None:
    """Check that a reader is listed, and that the provider refuses to manage it over its interface."""
    replies = [
        await store.send_to(readers, "POST", {"name": "Terrace", "code": "1"}),
        await store.send_to(f"{readers}/{reader}", "PUT", {"name": "Terrace"}),
        await store.send_to(f"{readers}/{reader}", "DELETE"),
    ]
    listed = (await store.send_to(readers)).document
    assert [(reply.status, reply["reason"]) for reply in replies] == [(409, "refused")] * 3
    assert [(each["reference"], each["name"], each["is_online"]) for each in listed] == [(reader, "Bar", True)]


async def _start(order: PaidOrder, reader: str, key: str | None = "pay") -> Reply:
    """Start a payment of an order on a reader, or return the one of this key."""
    body = {"method": order.method, "reader": reader}
    headers = {} if key is None else {"Idempotency_Key": f"{key}-{order.record['id']}"}
    return await order.store.send("POST", f"{order.path}/payments", body, **headers)


async def _check(order: PaidOrder, payment_id: int) -> Reply:
    return await order.store.send("POST", f"{order.path}/payments/{payment_id}/check")


async def _cancel(order: PaidOrder, payment_id: int) -> Reply:
    return await order.store.send("POST", f"{order.path}/payments/{payment_id}/cancel")


async def _wait_until_left(clock: FakeClock) -> None:
    clock.advance(minutes=LIFETIME_MINUTES)
    await run_task("payments_reconcile")
