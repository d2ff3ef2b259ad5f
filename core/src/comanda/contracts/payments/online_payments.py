"""What pages and agents have to know of the online payments of a store."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from comanda.contracts.orders.participants import StoreTerms


@dataclass(frozen=True, slots=True)
class OnlinePayments:
    """Whether guests of a store can pay their orders online, and whether they have to.

    ``is_offered`` takes the owner, the store and the mode of the orders; ``is_required`` the terms of the store and the
    mode, and reads nothing. ``get_page_url`` takes the store and the track token of an order, and returns the address
    of the page where it is paid.
    """

    name: str
    is_offered: Callable[[int, int, str], Awaitable[bool]]
    is_required: Callable[[StoreTerms, str], bool]
    get_page_url: Callable[[int, str], str]
