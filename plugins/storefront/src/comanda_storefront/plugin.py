"""Selling to the public: storefront tokens."""

from collections.abc import Sequence

from comanda import hookimpl
from comanda.accounts.kinds import CallerKind
from comanda.demo import DemoData
from comanda.http.routes import Routes

from comanda_storefront.demo import fill
from comanda_storefront.kinds import STOREFRONT
from comanda_storefront.routes.tokens import routes as token_routes


@hookimpl
def register_caller_kinds() -> Sequence[CallerKind]:
    """Introduce the token of one store's public side."""
    return [STOREFRONT]


@hookimpl
def register_routes() -> Sequence[Routes]:
    """Let owners manage these tokens."""
    return [token_routes]


@hookimpl
def register_demo_data() -> Sequence[DemoData]:
    """Give every demo store a token."""
    return [DemoData("storefront_tokens", fill, needs_stores=True)]
