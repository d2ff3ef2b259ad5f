"""Invoices, ledger, events, entitlements and figures of a year, compared as the API tells them."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from itertools import pairwise
from typing import Any

from subscription_year.world import PAID_FOR, RUNNING, STORES, Api, Document, World, is_late, list_all, parse_time


@dataclass(slots=True)
class Findings:
    """What was counted, and what does not agree."""

    counts: dict[str, Any] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)

    def expect(self, is_true: bool, text: str) -> None:
        """Note a problem unless a claim is true."""
        if not is_true:
            self.problems.append(text)


async def check_year(api: Api, world: World, now: datetime) -> Findings:
    """Compare invoices, ledger, events and entitlements, as the API tells them."""
    findings = Findings()
    invoices = await list_all(api, world.reseller, "/reseller/customer-invoices")
    subscriptions = [
        (await api.call(world.reseller, "GET", f"/reseller/subscriptions/{each['id']}"))[1]
        for each in await list_all(api, world.reseller, "/reseller/subscriptions")
    ]
    _check_numbers(findings, invoices)
    for invoice in invoices:
        _check_amounts(findings, invoice)
    _check_histories(findings, invoices, subscriptions)
    await _check_ledger(api, world, findings, invoices)
    await _check_events(api, world, findings, subscriptions)
    await _check_entitlements(api, world, findings, subscriptions)
    await _check_stats(api, world, findings, subscriptions)
    await _check_platform_invoices(api, world, findings, subscriptions)
    for each in subscriptions:
        findings.expect(not is_late(each, now), f"subscription {each['id']} was not renewed")
    findings.counts["invoices"] = dict(Counter(invoice["status"] for invoice in invoices))
    findings.counts["subscriptions"] = dict(Counter(each["status"] for each in subscriptions))
    return findings


def _money(number: float) -> Decimal:
    return Decimal(str(number)).quantize(Decimal("0.01"))


def _check_numbers(findings: Findings, invoices: Sequence[Document]) -> None:
    numbers = sorted(int(each["number"].rpartition("-")[2]) for each in invoices if each["kind"] == "invoice")
    findings.expect(numbers == list(range(1, len(numbers) + 1)), "invoice numbers have gaps or repeats")
    findings.counts["last number"] = numbers[-1] if numbers else 0


def _check_amounts(findings: Findings, invoice: Document) -> None:
    label = invoice["number"]
    lines = invoice["lines"]
    findings.expect(sum(_money(line["amount"]) for line in lines) == _money(invoice["subtotal"]), f"{label}: subtotal")
    findings.expect(sum(_money(line["tax"]) for line in lines) == _money(invoice["tax"]), f"{label}: tax")
    total = _money(invoice["total"])
    findings.expect(_money(invoice["subtotal"]) + _money(invoice["tax"]) == total, f"{label}: total")
    findings.expect((invoice["status"] == "paid") == (invoice["paid_at"] is not None), f"{label}: paid_at")
    paid = [each for each in invoice["payments"] if each["status"] == "paid"]
    owed = total - _money(invoice["credit_applied"])
    is_settled = invoice["status"] == "paid" and owed != 0
    findings.expect([_money(each["amount"]) for each in paid] == ([owed] if is_settled else []), f"{label}: payments")


def _check_histories(findings: Findings, invoices: Sequence[Document], subscriptions: Sequence[Document]) -> None:
    """Each invoice is that of one change, and the periods of a subscription follow each other."""
    by_subscription = defaultdict(list)
    for invoice in sorted(invoices, key=lambda each: each["id"]):
        by_subscription[invoice["subscription_id"]].append(invoice)
    for each in subscriptions:
        own = by_subscription.pop(each["id"], [])
        named = {change["invoice_id"] for change in each["history"]} - {None}
        findings.expect(named == {invoice["id"] for invoice in own}, f"subscription {each['id']}: invoices of changes")
        if not {"pause", "change_plan"} & {change["action"] for change in each["history"]}:
            for one, two in pairwise(own):
                is_next = one["period"]["end"] == two["period"]["start"]
                findings.expect(is_next, f"subscription {each['id']}: {two['number']} does not follow {one['number']}")
    findings.expect(not by_subscription, "invoices without a subscription")


async def _check_ledger(api: Api, world: World, findings: Findings, invoices: Sequence[Document]) -> None:
    """Each invoice that a wallet paid is one entry of that wallet, and of what the reseller earned."""
    expected = {}
    for invoice in invoices:
        for payment in invoice["payments"]:
            if payment["method"] == "wallet" and payment["status"] == "paid":
                expected[invoice["customer_id"], payment["reference"]] = -_money(payment["amount"])
    booked = {}
    for customer in world.customers:
        entries = await list_all(api, customer, "/wallet/entries")
        for entry in entries:
            if entry["kind"] == "subscription":
                booked[customer.id, entry["reference"]] = _money(entry["amount"])
        _, wallet = await api.call(customer, "GET", "/wallet")
        total = sum((_money(entry["amount"]) for entry in entries), Decimal())
        findings.expect(total == _money(wallet["balance"]), f"wallet of {customer.id}: balance is not its entries")
        findings.expect(_money(wallet["balance"]) >= 0, f"wallet of {customer.id}: below zero")
    findings.expect(booked == expected, "charges of wallets are not the payments of invoices")
    _, earnings = await api.call(world.reseller, "GET", "/wallet/earnings")
    findings.expect(_money(earnings["balance"]) == -sum(booked.values(), Decimal()), "earnings are not the charges")
    findings.counts["wallet charges"] = len(booked)
    findings.counts["earned"] = str(_money(earnings["balance"]))


def list_expected_events(history: Sequence[Document]) -> Iterator[tuple[str, str]]:
    """Yield the names and moments of the events that a subscription's changes have."""
    plan = None
    for change in history:
        action, status, at = change["action"], change["status"], parse_time(change["at"]).isoformat()
        names = {
            "trial_ending": ["trial_ending"],
            "overdue": ["past_due"],
            "expiring": ["expiring"],
            "expire": ["expired"],
            "pause": ["paused"],
            "resume": ["resumed"],
            "change_plan": ["plan_changed"],
            "renew": ["renewed"] if status == "active" else ["past_due"],
            "pay": ["renewed"] if change["previous_status"] == "past_due" else [],
        }.get(action, [])
        if action == "renew" and plan != change["plan_code"]:
            names = ["plan_changed", *names]
        plan = change["plan_code"]
        for name in names:
            yield f"subscription.{name}", at


async def _check_events(api: Api, world: World, findings: Findings, subscriptions: Sequence[Document]) -> None:
    """The webhooks of each subscription are those of its changes, each once."""
    path = f"/webhook-endpoints/{world.endpoint_id}/deliveries"
    sent: dict[int, Counter[tuple[str, str]]] = defaultdict(Counter)
    seen = set()
    for delivery in await list_all(api, world.reseller, path):
        _, detail = await api.call(world.reseller, "GET", f"{path}/{delivery['id']}")
        payload = detail["payload"]
        data = payload.get("data", payload)
        if delivery["webhook_id"] not in seen:
            seen.add(delivery["webhook_id"])
            sent[data["subscription_id"]][delivery["event"], parse_time(data["at"]).isoformat()] += 1
    for each in subscriptions:
        expected = Counter(list_expected_events(each["history"]))
        difference = (expected - sent[each["id"]]) + (sent[each["id"]] - expected)
        findings.expect(not difference, f"subscription {each['id']}: events differ in {dict(difference)}")
    findings.counts["events"] = len(seen)


async def _check_entitlements(api: Api, world: World, findings: Findings, subscriptions: Sequence[Document]) -> None:
    """A customer may have as many stores as its plan says while its subscription runs, and none otherwise."""
    latest = {each["customer_id"]: each for each in sorted(subscriptions, key=lambda each: each["id"])}
    for customer in world.customers:
        each = latest[customer.id]
        found = {one["feature_key"]: one for one in await list_all(api, customer, "/entitlements")}["stores"]
        expected = STORES[each["plan_code"]] if each["status"] in RUNNING else 0
        findings.expect(found["quota"] == expected, f"customer {customer.id}: {found['quota']} stores, not {expected}")


async def _check_stats(api: Api, world: World, findings: Findings, subscriptions: Sequence[Document]) -> None:
    _, stats = await api.call(world.reseller, "GET", "/reseller/stats")
    statuses = Counter(each["status"] for each in subscriptions)
    months = {"month": Decimal(1), "year": Decimal(1) / 12, "30d": Decimal(487) / 480}
    mrr = sum(
        (_money(each["price"]) * months[each["interval"]] for each in subscriptions
         if each["status"] in PAID_FOR and each["activated_at"]), Decimal()
    )  # fmt: skip
    findings.expect(abs(_money(stats["mrr"]) - mrr) <= Decimal("0.005"), f"MRR is {stats['mrr']}, not {mrr}")
    for name in ("trialing", "past_due"):
        findings.expect(stats[name] == statuses[name], f"stats: {name} is {stats[name]}, not {statuses[name]}")
    findings.expect(stats["customers"] == len(world.customers), "stats: customers")
    findings.counts["mrr"] = stats["mrr"]


async def _check_platform_invoices(
    api: Api, world: World, findings: Findings, subscriptions: Sequence[Document]
) -> None:
    """The reseller owes for each month what ran at its end."""
    invoices = await list_all(api, world.reseller, "/reseller/invoices")
    for invoice in invoices:
        ends_at = parse_time(invoice["period"]["end"])
        running = sum(1 for each in subscriptions if _was_running(each, ends_at))
        described = invoice["lines"][0]["description"]
        findings.expect(described.startswith(f"{running} "), f"{invoice['number']}: {described}, but {running} ran")
    findings.counts["platform invoices"] = len(invoices)


def _was_running(subscription: Document, moment: datetime) -> bool:
    before = [change for change in subscription["history"] if parse_time(change["at"]) < moment]
    activated_at = subscription["activated_at"]
    is_activated = activated_at is not None and parse_time(activated_at) < moment
    return bool(before) and is_activated and before[-1]["status"] in PAID_FOR
