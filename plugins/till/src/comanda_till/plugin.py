"""The till: a page on which staff take orders and payments, and count the drawer."""

from collections.abc import Sequence

from comanda import hookimpl
from comanda.contracts import Pages

from comanda_till.pages.blueprint import pages


@hookimpl
def register_pages() -> Sequence[Pages]:
    """Register the page of the till."""
    return [pages]
