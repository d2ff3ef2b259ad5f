"""Personal data: the person, and how each plugin exports and erases what it keeps of them, or erases a whole owner."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

# What stands where a name was that a record cannot be without, and where another text was.
DELETED_CUSTOMER: Final = "deleted customer"
ERASED: Final = "erased"


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody whose data a store exports or erases, by everything that identifies them there.

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

    ``export`` returns what the plugin keeps about the person beside their orders, oldest first, as records of values
    that answers may have. It stands in the export of the person's data under the eraser's name, unless it is empty.

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
    export: Callable[[Person], Awaitable[Sequence[Mapping[str, Any]]]] | None = None
