"""Scopes of tool hire."""

from typing import Final

from comanda.contracts import create_scopes

SCOPES: Final = create_scopes("rentals", "hired tools")
