"""The scopes of what customers of resellers pay for."""

from typing import Final

from comanda.contracts import create_scopes

SCOPES: Final = create_scopes("billing", "the subscription and its invoices")
