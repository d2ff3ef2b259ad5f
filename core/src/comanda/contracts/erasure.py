"""Erasure of personal data: the person, and how each plugin erases what it keeps of them, or of a whole owner."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Final

# What stands where a name was that a record cannot be without, and where another text was.
DELETED_CUSTOMER: Final = "deleted customer"
ERASED: Final = "erased"


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody whose data a store erases, by everything that identifies them there.

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
    """Events about somebody: those named ``event`` whose payload has one of ``ids`` under ``key``.

    ``fields`` of their payloads become null.
    """

    owner_id: int
    event: str
    key: str
    ids: frozenset[int]
    fields: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PersonalDataEraser:
    """Erases a person's data, in one transaction with all other erasers; sums and ledgers stay, without the person.

    ``erase`` deletes or blanks names, addresses, notes and whatever else could identify the person. It may run again
    for the same person, and for one it has no data of. ``comanda.orders.erasure`` has what erasers share. A plugin that
    keeps copies of events also sets ``anonymize_events``, which changes the copies.

    When an owner is erased, core deletes the owner's rows from every table with a column ``owner_id``, also without an
    eraser. A plugin that keeps books names them in ``kept_tables``, and removes what identifies the owner in
    ``erase_owner``, which takes the owner's id; it also deletes files, and data in rows of other owners. Both run
    again after a failure. ``list_obstacles`` returns sentences that say why the owner cannot be erased yet, such as an
    open payment.
    """

    name: str
    erase: Callable[[Person], Awaitable[None]] | None = None
    anonymize_events: Callable[[EventRedaction], Awaitable[None]] | None = None
    kept_tables: tuple[str, ...] = ()
    erase_owner: Callable[[int], Awaitable[None]] | None = None
    list_obstacles: Callable[[int], Awaitable[Sequence[str]]] | None = None
