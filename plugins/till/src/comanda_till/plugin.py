"""The till: a page on which staff take orders and payments, and count the drawer."""

from collections.abc import Sequence

from comanda import hookimpl
from comanda.contracts import Pages, Routes

from comanda_till.pages.blueprint import pages
from comanda_till.routes.codes import routes as code_routes
from comanda_till.routes.tables import routes as table_routes


@hookimpl
def register_routes() -> Sequence[Routes]:
    return [table_routes, code_routes]


@hookimpl
def register_pages() -> Sequence[Pages]:
    return [pages]
