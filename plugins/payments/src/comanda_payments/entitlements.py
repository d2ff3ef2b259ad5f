"""What a plan decides about payments."""

from typing import Final

from comanda.contracts import Feature

# Its quota is a rate and counts nothing. A plan that does not name it has no fee.
PLATFORM_FEE: Final = Feature(
    "payment_fee", "Fee of online payments", quota_unit="hundredths of a percent", is_limit=True
)
