"""The tests that every payment provider has to pass, against a fake of its outside.

A provider's plugin plays the outside in a ``ProviderFake``, which its fixture ``provider_fake`` yields, and inherits
the tests::

    class TestCardPay(PaymentProviderSuite):
        pass

Whatever comes first, gets lost or dies, a payment is booked once, or not at all, and money is given back once.
"""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from itertools import count
from types import MappingProxyType
from typing import Any, Final
from urllib.parse import urlsplit

import pytest
import pytest_asyncio

from comanda.contracts.payments.providers import PaymentMethod, PaymentProvider
from comanda.devkit.testing.callers import TestOwner
from comanda.devkit.testing.client import CheckedClient
from comanda.devkit.testing.clock import FakeClock
from comanda.devkit.testing.stores import Reply, TestStore, line
from comanda.devkit.testing.tasks import run_task
from comanda.platform import runtime
from comanda.platform.db import sql

ACCOUNTS: Final = "/api/v1/payment-accounts"
SQL_FUNCTIONS: Final = ("execute", "fetch", "fetch_one", "fetch_value", "one")
TABLES_OF_PAYMENTS: Final = "payments_"
PROVIDER_STEPS: Final = ("start", "check", "cancel", "refund", "check_refund")
# How often one and the same thing arrives at once.
RACERS: Final = 8
PRICE: Final = 10
CHECK_DELAY_MINUTES: Final = 2


@dataclass(frozen=True, slots=True)
class SignedWebhook:
    """A webhook as the provider sends it to an address."""

    url: str
    body: bytes
    headers: Mapping[str, str]


class ProviderFake(ABC):
    """The outside of a provider: the person on its page, its books, and what it reports.

    ``code`` is that of the payment method, ``credentials`` are what an owner enters. Orders of ``order_type`` are
    placed in a store of ``store_type``. A page is named by its address. Webhooks that are not ``signs_webhooks`` prove
    nothing: the provider is asked about what they name.
    """

    code: str
    credentials: Mapping[str, str] = MappingProxyType({})
    store_type: str = "restaurant"
    order_type: str = "takeaway"
    signs_webhooks: bool = True

    @abstractmethod
    async def pay(self, url: str) -> None:
        """Pay on a page."""

    @abstractmethod
    async def decline(self, url: str) -> None:
        """Decline the payment of a page for good, as the bank does."""

    @abstractmethod
    async def report(self, account: Mapping[str, Any], url: str) -> SignedWebhook | None:
        """Return the webhook about a page of an account as it is now; None if the provider sends none."""

    @abstractmethod
    async def list_collected(self) -> Sequence[int]:
        """Return the amounts that were collected, in minor units."""

    @abstractmethod
    async def list_refunded(self) -> Sequence[int]:
        """Return the amounts that were refunded, in minor units."""


class ReaderFake(ABC):
    """The card readers of a ``ProviderFake``, and the guests in front of them. A reader is named by its reference.

    ``code`` is what the provider needs to register one. Where they are managed at the provider alone, ``reader`` is
    one that is there.
    """

    code: str = ""
    reader: str | None = None

    @abstractmethod
    async def pay(self, reader: str) -> None:
        """Hold a card to a reader; nothing happens if it asks for none."""

    @abstractmethod
    async def decline(self, reader: str) -> None:
        """Hold a card to a reader that the bank declines."""

    @abstractmethod
    async def unplug(self, reader: str) -> None:
        """Unplug a reader."""


class Killed(BaseException):
    """The process died here."""


@dataclass(slots=True)
class Interruptions:
    """Kills the process before a step, and loses answers of the provider, when a test says so."""

    kill_at: int | None = None
    lost_steps: list[str] = field(default_factory=list)
    done: int = 0

    def step(self) -> None:
        """Count a step. Raises ``Killed`` before the one at which the process dies."""
        self.done += 1
        if self.kill_at is not None and self.done >= self.kill_at:
            # Nothing that this process does afterwards counts, until it is started again.
            raise Killed

    @contextmanager
    def killing_at(self, number: int) -> Iterator[None]:
        """Kill the process before its step of this number while the block runs."""
        self.done, self.kill_at = 0, number
        try:
            yield
        finally:
            self.kill_at = None


class UnreliableProvider:
    """A provider whose answers get lost after the work is done, and around whose steps the process may die."""

    def __init__(self, provider: PaymentProvider, interruptions: Interruptions) -> None:
        self._provider = provider
        self._interruptions = interruptions

    def __getattr__(self, name: str) -> Any:
        """Return a step of the provider, interrupted where a test says so."""
        step = getattr(self._provider, name)
        if name not in PROVIDER_STEPS:
            return step

        async def call(*arguments: Any) -> Any:
            self._interruptions.step()
            result = await step(*arguments)
            self._interruptions.step()
            if name in self._interruptions.lost_steps:
                self._interruptions.lost_steps.remove(name)
                raise ConnectionError(f"The answer to {name} got lost.")
            return result

        call.__name__ = name
        return call


@dataclass(frozen=True, slots=True)
class PaidOrder:
    """An order of one item, and what the store and guests do with it over HTTP."""

    store: TestStore
    record: Mapping[str, Any]
    method: str

    @property
    def path(self) -> str:
        """The path of the order below that of the store."""
        return f"/orders/{self.record['id']}"

    async def start(self) -> Reply:
        """Start a payment of the whole amount, or return the one that was started before."""
        return await self.store.send(
            "POST", f"{self.path}/payments", {"method": self.method}, Idempotency_Key=f"pay-{self.record['id']}"
        )

    async def start_as_guest(self) -> str:
        """Start a payment on the page of the order, and return where that leads."""
        return await self._open_page("POST", "start")

    async def come_back(self) -> str:
        """Come back from the provider's page."""
        return await self._open_page("GET", "return")

    async def refund(self, amount: float | None = None, key: str = "refund") -> Reply:
        """Refund an amount or everything."""
        body = {"reason": "Cold"} if amount is None else {"reason": "Cold", "amount": amount}
        return await self.store.send("POST", f"{self.path}/refunds", body, Idempotency_Key=f"{key}-{self.record['id']}")

    async def get_money(self) -> tuple[str, float, float]:
        """Return the payment status, and what was paid and refunded."""
        order = (await self.store.get(self.path)).document
        return order["payment_status"], order["paid_total"], order["refunded_total"]

    async def list_payments(self) -> list[dict[str, Any]]:
        """Return the payments of the order, newest first."""
        payments: list[dict[str, Any]] = (await self.store.get(f"{self.path}/payments"))["data"]
        return payments

    async def _open_page(self, method: str, name: str) -> str:
        path = f"/pay/{self.record['track_token']}/{name}"
        response = await self.store.client.open(path, method=method)
        assert response.status_code == 303, await response.get_data(as_text=True)
        return str(response.headers["Location"])


class ProviderFixtures:
    """The store, the account and the orders of the suites."""

    @pytest.fixture
    def interruptions(self, provider_fake: ProviderFake, monkeypatch: pytest.MonkeyPatch) -> Iterator[Interruptions]:
        """Yield what interrupts statements of the database and steps of the provider."""
        made = Interruptions()
        for name in SQL_FUNCTIONS:
            monkeypatch.setattr(sql, name, _interrupt(getattr(sql, name), made))
        before = runtime.current()
        methods = dict(before.registry.payment_methods)
        provider = methods[provider_fake.code].provider
        assert provider is not None
        methods[provider_fake.code] = replace(methods[provider_fake.code], provider=UnreliableProvider(provider, made))
        runtime.use(replace(before, registry=replace(before.registry, payment_methods=methods)))
        yield made
        runtime.use(before)

    @pytest_asyncio.fixture(loop_scope="session")
    async def provider_store(
        self, provider_fake: ProviderFake, interruptions: Interruptions, open_store: Callable[..., Awaitable[TestStore]]
    ) -> TestStore:
        """Return a store of an owner."""
        return await open_store(provider_fake.store_type)

    @pytest_asyncio.fixture(loop_scope="session")
    async def account(self, provider_fake: ProviderFake, provider_store: TestStore) -> dict[str, Any]:
        """Return the owner's account at the provider."""
        return await _connect(provider_fake, provider_store)

    @pytest_asyncio.fixture(loop_scope="session")
    async def new_order(
        self, provider_fake: ProviderFake, provider_store: TestStore, account: dict[str, Any]
    ) -> AsyncIterator[Callable[[], Awaitable[PaidOrder]]]:
        """Yield a function that places an order of ``PRICE`` in the store."""
        item = await provider_store.item("Soup", PRICE)

        async def place() -> PaidOrder:
            order = await provider_store.order(line(item), type=provider_fake.order_type)
            return PaidOrder(provider_store, order, provider_fake.code)

        yield place

    @pytest_asyncio.fixture(loop_scope="session")
    async def order(self, new_order: Callable[[], Awaitable[PaidOrder]]) -> PaidOrder:
        """Return an order of ``PRICE``."""
        return await new_order()


class PaymentProviderSuite(ProviderFixtures):
    """What holds for every provider; see the module."""

    async def test_account_needs_credentials_and_never_shows_them(
        self, provider_fake: ProviderFake, account: dict[str, Any], provider_store: TestStore
    ) -> None:
        assert account["state"] == "ready"
        assert {"online", "refunds"} <= set(account["capabilities"])
        shown = await provider_store.send_to(f"{ACCOUNTS}/{account['id']}")
        assert not any(secret in str(shown.document) for secret in _list_secrets(provider_fake))

    async def test_poll_books_a_payment_once(
        self, provider_fake: ProviderFake, order: PaidOrder, clock: FakeClock, published: Callable[[], Any]
    ) -> None:
        started = await order.start()
        assert (started.status, started["status"]) == (201, "pending")
        assert await order.get_money() == ("unpaid", 0, 0)

        await provider_fake.pay(started["redirect_url"])
        await reconcile(clock)
        await reconcile(clock)

        await check_paid_once(provider_fake, order, published)

    @pytest.mark.parametrize("first", ["webhook", "poll", "return"])
    async def test_whatever_comes_first_books_once(
        self, first: str, provider_fake: ProviderFake, account: dict[str, Any], order: PaidOrder, clock: FakeClock,
        published: Callable[[], Any],
    ) -> None:  # fmt: skip
        url = await order.start_as_guest()
        await provider_fake.pay(url)
        webhook = await provider_fake.report(account, url)

        async def send_report() -> None:
            if webhook is not None:
                assert await send_webhook(order.store.client, webhook) == 200

        acts: dict[str, Callable[[], Awaitable[object]]] = {
            "webhook": send_report, "poll": lambda: reconcile(clock), "return": order.come_back,
        }  # fmt: skip
        await acts.pop(first)()
        await asyncio.gather(*(act() for act in acts.values()))

        await check_paid_once(provider_fake, order, published)

    async def test_all_at_once_book_once(
        self, provider_fake: ProviderFake, account: dict[str, Any], order: PaidOrder, clock: FakeClock,
        published: Callable[[], Any],
    ) -> None:  # fmt: skip
        urls = await asyncio.gather(*(order.start_as_guest() for _ in range(RACERS)))
        url = next(address for address in urls if "://" in address)
        await provider_fake.pay(url)
        webhook = await provider_fake.report(account, url)
        webhooks = [] if webhook is None else [send_webhook(order.store.client, webhook) for _ in range(RACERS)]

        await asyncio.gather(
            *webhooks, *(order.come_back() for _ in range(RACERS)), *(reconcile(clock) for _ in range(RACERS))
        )

        await check_paid_once(provider_fake, order, published)

    async def test_declined_payment_books_nothing(
        self, provider_fake: ProviderFake, order: PaidOrder, clock: FakeClock
    ) -> None:
        started = await order.start()

        await provider_fake.decline(started["redirect_url"])
        await reconcile(clock)

        [payment] = await order.list_payments()
        assert payment["status"] == "failed"
        assert payment["failure"]
        assert await order.get_money() == ("unpaid", 0, 0)

    async def test_cancelled_payment_collects_nothing(self, provider_fake: ProviderFake, order: PaidOrder) -> None:
        started = await order.start()

        cancel = f"{order.path}/payments/{started['id']}/cancel"
        replies = [await order.store.send("POST", cancel) for _ in range(2)]

        assert (replies[0].status, replies[0]["status"]) == (200, "cancelled")
        assert await order.get_money() == ("unpaid", 0, 0)
        assert await provider_fake.list_collected() == []

    async def test_payment_that_won_against_its_cancellation_counts(
        self, provider_fake: ProviderFake, order: PaidOrder, published: Callable[[], Any]
    ) -> None:
        started = await order.start()
        await provider_fake.pay(started["redirect_url"])

        reply = await order.store.send("POST", f"{order.path}/payments/{started['id']}/cancel")

        assert (reply.status, reply["reason"]) == (409, "succeeded")
        await check_paid_once(provider_fake, order, published)

    async def test_refund_is_made_once(
        self, provider_fake: ProviderFake, order: PaidOrder, clock: FakeClock, published: Callable[[], Any]
    ) -> None:
        await _pay(provider_fake, order, clock)

        await asyncio.gather(*(order.refund(4) for _ in range(RACERS)))
        await reconcile(clock)
        assert (await order.refund(6, key="rest")).status == 201
        await reconcile(clock)

        assert await order.get_money() == ("refunded", PRICE, PRICE)
        assert sorted(await provider_fake.list_refunded()) == [400, 600]
        assert await _count(published, "refund.completed") == 2

    @pytest.mark.parametrize("step", ["start", "check"])
    async def test_lost_answer_about_a_payment_books_once(
        self, step: str, provider_fake: ProviderFake, interruptions: Interruptions, order: PaidOrder, clock: FakeClock,
        published: Callable[[], Any],
    ) -> None:  # fmt: skip
        interruptions.lost_steps.append(step)

        await order.start()
        started = await order.start()
        await provider_fake.pay(started["redirect_url"])
        await reconcile(clock)
        await reconcile(clock)

        assert interruptions.lost_steps == []
        await check_paid_once(provider_fake, order, published)

    async def test_lost_answer_about_a_refund_refunds_once(
        self, provider_fake: ProviderFake, interruptions: Interruptions, order: PaidOrder, clock: FakeClock
    ) -> None:
        await _pay(provider_fake, order, clock)
        interruptions.lost_steps.append("refund")

        assert (await order.refund())["status"] == "pending"
        await reconcile(clock)

        assert await order.get_money() == ("refunded", PRICE, PRICE)
        assert await provider_fake.list_refunded() == [PRICE * 100]

    async def test_kill_anywhere_books_once(
        self, provider_fake: ProviderFake, interruptions: Interruptions, clock: FakeClock,
        new_order: Callable[[], Awaitable[PaidOrder]],
    ) -> None:  # fmt: skip
        orders = 0
        for number in count(1):
            order, orders = await new_order(), orders + 1
            is_started = await run_until_killed(interruptions, number, order.start)
            started = await order.start()
            await provider_fake.pay(started["redirect_url"])
            clock.advance(minutes=CHECK_DELAY_MINUTES)
            is_checked = await run_until_killed(interruptions, number, lambda: run_task("payments_reconcile"))
            await reconcile_later(clock)
            assert await order.get_money() == ("paid", PRICE, 0), f"after a kill before step {number}"
            assert len(await order.list_payments()) == 1
            if is_started and is_checked:
                break

        assert await provider_fake.list_collected() == [PRICE * 100] * orders

    async def test_kill_anywhere_refunds_once(
        self, provider_fake: ProviderFake, interruptions: Interruptions, clock: FakeClock,
        new_order: Callable[[], Awaitable[PaidOrder]],
    ) -> None:  # fmt: skip
        orders = 0
        for number in count(1):
            order, orders = await new_order(), orders + 1
            await _pay(provider_fake, order, clock)
            is_done = await run_until_killed(interruptions, number, order.refund)
            assert (await order.refund()).status == 201
            await reconcile_later(clock)
            assert await order.get_money() == ("refunded", PRICE, PRICE), f"after a kill before step {number}"
            if is_done:
                break

        assert await provider_fake.list_refunded() == [PRICE * 100] * orders

    async def test_forged_webhook_books_nothing(
        self, provider_fake: ProviderFake, account: dict[str, Any], order: PaidOrder
    ) -> None:
        url = await order.start_as_guest()
        await provider_fake.pay(url)
        webhook = await provider_fake.report(account, url)
        if webhook is None or not provider_fake.signs_webhooks:
            pytest.skip("This provider sends no webhooks, or none that are signed.")

        unsigned = replace(webhook, headers={})
        changed = replace(webhook, body=webhook.body + b" ")

        assert [await send_webhook(order.store.client, each) for each in (unsigned, changed)] == [401, 401]
        assert await order.get_money() == ("unpaid", 0, 0)

    async def test_webhook_about_an_unpaid_page_books_nothing(
        self, provider_fake: ProviderFake, account: dict[str, Any], order: PaidOrder
    ) -> None:
        url = await order.start_as_guest()
        webhook = await provider_fake.report(account, url)
        if webhook is None:
            pytest.skip("This provider sends no webhooks.")

        changed = replace(webhook, body=webhook.body + b" ")
        statuses = [await send_webhook(order.store.client, each) for each in (webhook, changed, webhook)]

        assert (statuses[0], statuses[2]) == (200, 200)
        assert statuses[1] in (200, 400, 401)
        assert await order.get_money() == ("unpaid", 0, 0)
        assert await provider_fake.list_collected() == []

    async def test_webhook_to_another_account_books_nothing(
        self, provider_fake: ProviderFake, account: dict[str, Any], order: PaidOrder, other_owner: TestOwner
    ) -> None:
        url = await order.start_as_guest()
        await provider_fake.pay(url)
        webhook = await provider_fake.report(account, url)
        if webhook is None or webhook.url != account["webhook_url"]:
            pytest.skip("This provider has no webhooks, or one address for all accounts.")
        other_store = TestStore(order.store.client, other_owner, await other_owner.store(provider_fake.store_type))
        other = await _connect(provider_fake, other_store)

        await send_webhook(order.store.client, replace(webhook, url=other["webhook_url"]))

        assert await order.get_money() == ("unpaid", 0, 0)

    async def test_replayed_webhook_of_before_changes_nothing(
        self, provider_fake: ProviderFake, account: dict[str, Any], order: PaidOrder, clock: FakeClock,
        published: Callable[[], Any],
    ) -> None:  # fmt: skip
        url = await order.start_as_guest()
        before = await provider_fake.report(account, url)
        await provider_fake.pay(url)
        after = await provider_fake.report(account, url)
        for webhook in (after, before, after, before):
            if webhook is not None:
                await send_webhook(order.store.client, webhook)
        await reconcile(clock)

        await check_paid_once(provider_fake, order, published)


def _interrupt(function: Callable[..., Awaitable[Any]], interruptions: Interruptions) -> Callable[..., Awaitable[Any]]:
    async def call(statement: str, *values: Any) -> Any:
        # Whatever else a request does first, such as to find its caller, is shared with others.
        if sql.is_in_transaction() or TABLES_OF_PAYMENTS in statement:
            interruptions.step()
        return await function(statement, *values)

    return call


def _list_secrets(fake: ProviderFake) -> list[str]:
    method: PaymentMethod = runtime.registry().payment_methods[fake.code]
    setup = None if method.provider is None else method.provider.get_setup()
    assert setup is not None
    return [fake.credentials[each.name] for each in setup.fields if each.is_secret and each.name in fake.credentials]


async def _connect(fake: ProviderFake, store: TestStore) -> dict[str, Any]:
    reply = await store.send_to(ACCOUNTS, "POST", {"provider": fake.code, "credentials": dict(fake.credentials)})
    assert reply.status == 201, reply
    account: dict[str, Any] = reply.document
    return account


async def send_webhook(client: CheckedClient, webhook: SignedWebhook) -> int:
    """Send a webhook, and return the status of the answer."""
    response = await client.post(urlsplit(webhook.url).path, data=webhook.body, headers=dict(webhook.headers))
    return response.status_code


async def check_account(account: Mapping[str, Any], order: PaidOrder) -> None:
    """Check an account with its provider, as its owner asks for it."""
    assert (await order.store.send_to(f"{ACCOUNTS}/{account['id']}/check", "POST")).status == 200


def list_ways(
    webhook: SignedWebhook | None, account: Mapping[str, Any], order: PaidOrder
) -> dict[str, Callable[[], Awaitable[None]]]:
    """Return the ways in which something at a provider becomes known: its webhook, if it sends one, and the check."""

    async def send() -> None:
        if webhook is not None:
            assert await send_webhook(order.store.client, webhook) == 200

    return {"webhook": send, "check": lambda: check_account(account, order)}


async def reconcile(clock: FakeClock) -> None:
    """Run the task on what is due."""
    clock.advance(minutes=CHECK_DELAY_MINUTES)
    await run_task("payments_reconcile")


async def reconcile_later(clock: FakeClock) -> None:
    """Run the task on what another process has claimed and not finished."""
    clock.advance(minutes=2 * CHECK_DELAY_MINUTES)
    await run_task("payments_reconcile")


async def _pay(fake: ProviderFake, order: PaidOrder, clock: FakeClock) -> None:
    await fake.pay((await order.start())["redirect_url"])
    await reconcile(clock)
    assert await order.get_money() == ("paid", PRICE, 0)


async def run_until_killed(interruptions: Interruptions, number: int, work: Callable[[], Awaitable[object]]) -> bool:
    """Run something in a process that dies before its step of this number; return whether it came to the end."""
    try:
        with interruptions.killing_at(number):
            await work()
    except Killed:
        return False
    return True


async def _count(published: Callable[[], Any], name: str) -> int:
    return sum(1 for found, _ in await published() if found == name)


async def check_paid_once(fake: ProviderFake, order: PaidOrder, published: Callable[[], Any]) -> None:
    """Check that an order was paid, booked, collected and announced once."""
    assert await order.get_money() == ("paid", PRICE, 0)
    assert [each["status"] for each in await order.list_payments()] == ["succeeded"]
    assert list(await fake.list_collected()) == [PRICE * 100]
    assert await _count(published, "order.paid") == 1
