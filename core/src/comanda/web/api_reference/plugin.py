"""What the description of the API declares."""

from collections.abc import Sequence

from comanda import hookimpl
from comanda.contracts.requests.routes import Routes
from comanda.web.api_reference.discovery import operations, routes, site_routes


@hookimpl
def register_routes() -> Sequence[Routes]:
    return [routes, site_routes, operations]
