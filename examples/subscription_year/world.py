"""The accounts and plans of a year, and how it reaches an installation."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Protocol

Document = Any
DAYS = 365
# What customers do is decided on these days, once everything that was due has been done.
STEP_DAYS = 10
RUNNING = ("trialing", "active", "past_due", "cancelled")
PAID_FOR = ("active", "past_due", "cancelled")
PLANS: Sequence[dict[str, Any]] = (
    {"code": "basic", "name": "Basic", "price": 30, "interval": "month", "trial_days": 14, "limits": {"stores": 1}},
    {"code": "pro", "name": "Pro", "price": 59.9, "interval": "month", "limits": {"stores": 5}},
    {"code": "annual", "name": "Annual", "price": 299, "interval": "year", "limits": {"stores": 3}},
    {"code": "flex", "name": "Flex", "price": 24.5, "interval": "30d", "trial_days": 7, "limits": {"stores": 2}},
)
PLAN_OF_TEN = ("basic", "basic", "basic", "basic", "basic", "pro", "pro", "annual", "flex", "flex")
STORES = {plan["code"]: plan["limits"]["stores"] for plan in PLANS}


@dataclass(slots=True)
class Account:
    """An account and its token."""

    id: int
    token: str


@dataclass(slots=True)
class World:
    """The accounts of a year, and the reseller's endpoint for webhooks."""

    reseller: Account
    customers: Sequence[Account]
    endpoint_id: int = 0
    subscriptions: dict[int, int] = field(default_factory=dict)


class Api(Protocol):
    """How a year reaches an installation."""

    async def call(self, account: Account, method: str, path: str, body: Document = None) -> tuple[int, Document]:
        """Send a request until it is answered; return the status and the document."""

    async def advance(self, days: int) -> None:
        """Move the time forward."""

    async def settle(self, world: World) -> None:
        """Return when everything that is due has been done."""

    async def fill_wallets(self, accounts: Sequence[Account]) -> None:
        """Add money to wallets."""


def is_paying_by_hand(number: int) -> bool:
    """Return whether a customer pays its invoices by hand."""
    return number % 20 == 19


def get_funds_minor(number: int) -> int:
    """Return what is in a customer's wallet at first: enough, or too little for a year."""
    is_poor = number % 7 == 3 and PLAN_OF_TEN[number % 10] != "annual"
    return 15_000 if is_poor else 500_000


async def list_all(api: Api, account: Account, path: str) -> list[Document]:
    """Return all pages of a list."""
    found: list[Document] = []
    number, last = 1, 1
    while number <= last:
        status, page = await api.call(account, "GET", f"{path}{'&' if '?' in path else '?'}page={number}&per_page=100")
        if status != 200:
            raise RuntimeError(f"GET {path}: {status} {page}")
        found += page["data"]
        number, last = number + 1, page["last_page"]
    return found


def parse_time(text: str) -> datetime:
    return datetime.fromisoformat(text)


def is_late(subscription: Document, now: datetime) -> bool:
    # A payment that is due ends a period early, so every running subscription has one that ends later than now.
    return (
        subscription["status"] in ("trialing", "active", "cancelled")
        and parse_time(subscription["current_period_end"]) <= now
    )
