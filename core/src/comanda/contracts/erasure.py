"""What is kept of a person, and how plugins forget it."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Final

# What stands where a name was that a record cannot be without, and where another text was.
DELETED_CUSTOMER: Final = "deleted customer"
ERASED: Final = "erased"


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody whom a store is to forget, by everything that they are known by there.

    ``phones`` are in E.164, ``emails`` in lower case; ``order_ids`` are all orders that were theirs. A store's own
    records of other people with the same name are not theirs.
    """

    owner_id: int
    store_id: int
    customer_id: int
    phones: frozenset[str]
    emails: frozenset[str]
    order_ids: frozenset[int]


@dataclass(frozen=True, slots=True)
class EventRedaction:
    """Events that told of somebody: those named ``event`` whose payload has one of ``ids`` under ``key``.

    ``fields`` of their payloads become null.
    """

    owner_id: int
    event: str
    key: str
    ids: frozenset[int]
    fields: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PersonalDataEraser:
    """Forgets a person, in the transaction in which everybody does; sums and ledgers stay, whose they were does not.

    It deletes, or puts nothing in the place of, names, addresses, notes and whatever else may tell who it was. It may
    be asked for the same person again, and for somebody it knows nothing of. ``comanda.orders.erasure`` has what erasers
    share. A plugin that keeps copies of events brings ``anonymize_events`` too, which changes the copies.
    """

    name: str
    erase: Callable[[Person], Awaitable[None]]
    anonymize_events: Callable[[EventRedaction], Awaitable[None]] | None = None
