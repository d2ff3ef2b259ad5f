"""The till: a page on which staff take orders and payments, and count the drawer."""

from collections.abc import Sequence

from comanda import hookimpl
from comanda.contracts import ModelSet, Pages, Routes

from comanda_till.pages.blueprint import pages
from comanda_till.routes.codes import routes as code_routes
from comanda_till.routes.displays import routes as display_routes
from comanda_till.routes.tables import routes as table_routes


@hookimpl
def register_models() -> Sequence[ModelSet]:
    return [ModelSet("till", ("comanda_till.models",), "comanda_migrations.till")]


@hookimpl
def register_routes() -> Sequence[Routes]:
    return [table_routes, code_routes, display_routes]


@hookimpl
def register_pages() -> Sequence[Pages]:
    return [pages]
