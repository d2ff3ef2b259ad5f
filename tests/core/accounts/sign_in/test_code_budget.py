"""Limits on login codes, simulated with strangers who flood an address and an owner who logs in."""

from datetime import UTC, datetime, timedelta
from itertools import takewhile

import pytest
from comanda.accounts.sign_in.code_budget import DAY, SentCode, is_new_code_due
from comanda.basics.errors import RateLimited

NOW = datetime(2026, 3, 14, 12, tzinfo=UTC)
LIMITS = {"per_source": 10, "max_active": 3, "per_holder": 20, "per_address": 40}
LIFETIME = timedelta(minutes=10)


class Phone:
    """One phone, the codes that it was sent, and who asked for them."""

    def __init__(self):
        self.sent = []
        self.now = NOW

    def request(self, store, source):
        """Ask for a code; return "sent", "good" where one that was sent is good still, or the seconds to wait."""
        of_today = takewhile(lambda code: code[0] > self.now - DAY, reversed(self.sent))
        codes = [
            SentCode(at, of == store, of == store and by == source, of == store and at + LIFETIME > self.now)
            for at, of, by in of_today
        ]
        try:
            if not is_new_code_due(codes, self.now, **LIMITS):
                return "good"
        except RateLimited as error:
            return int(error.headers["Retry-After"])
        self.sent.append((self.now, store, source))
        return "sent"

    def is_open(self, store):
        return any(of == store and at + LIFETIME > self.now for at, of, _ in self.sent)


@pytest.fixture
def phone():
    return Phone()


def test_a_source_gets_ten_codes_a_day(phone):
    answers = []
    for _ in range(12):
        answers.append(phone.request("store", "stranger"))
        phone.now += timedelta(minutes=11)

    assert answers[:10] == ["sent"] * 10
    assert answers[10] == 24 * 3600 - 110 * 60 + 1
    assert phone.request("store", "owner") == "sent"


def test_a_burst_of_requests_sends_three_codes(phone):
    answers = [phone.request("store", f"stranger {number}") for number in range(500)]

    assert answers == ["sent"] * 3 + ["good"] * 497
    assert phone.request("store", "owner") == "good"
    phone.now += LIFETIME
    assert phone.request("store", "owner") == "sent"


@pytest.mark.parametrize("stores", [1, 2, 5, 200])
def test_constant_requests_by_strangers_lock_nobody_out(phone, stores):
    """Every minute for two days, from ever new sources, for one store or for many."""
    waits, wait, most = [], 0, 0
    for minute in range(2 * 24 * 60):
        for number in range(0, stores, max(1, stores // 10)):
            phone.request(f"store {(number + minute) % stores}", f"stranger {minute}-{number}")
        # The owner can log in with any code that arrived, whoever asked for it; a code for another store is no help.
        answer = phone.request("store 0", f"owner {minute}")
        wait = 0 if phone.is_open("store 0") else wait + 1
        assert answer in {"sent", "good"} or wait > 0
        waits.append(wait)
        phone.now += timedelta(minutes=1)
        most = max(most, sum(at > phone.now - DAY for at, _, _ in phone.sent))

    assert most <= 2 * LIMITS["per_address"] + LIMITS["per_holder"]
    if stores <= 2:
        assert max(waits) <= 24 * 60 / LIMITS["per_holder"]


def test_normal_use_meets_no_limit(phone):
    for hour in range(12):
        phone.now = NOW + timedelta(hours=hour)
        assert phone.request(f"store {hour % 3}", f"source {hour % 4}") == "sent"
