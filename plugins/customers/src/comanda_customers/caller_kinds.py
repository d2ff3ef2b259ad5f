"""The access token of a customer's device."""

from datetime import timedelta
from typing import Final

from comanda.contracts import CallerKind

from comanda_customers.scopes import KIND, LABELS

CUSTOMER: Final = CallerKind(
    code=KIND,
    prefix="cus_",
    lifetime=timedelta(days=180),
    is_sliding=True,
    is_audited=False,
    is_customer=True,
    implied_scopes=tuple(LABELS),
)
