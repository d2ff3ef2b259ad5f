"""The access token of a customer's device."""

from datetime import timedelta
from typing import Final

from comanda.contracts import CallerKind

CUSTOMER: Final = CallerKind(
    code="customer",
    prefix="cus_",
    lifetime=timedelta(days=180),
    is_sliding=True,
    is_audited=False,
    is_customer=True,
)
