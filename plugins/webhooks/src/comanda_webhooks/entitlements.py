"""The feature of plans that webhooks are."""

from typing import Final

from comanda.contracts.entitlements import Feature

WEBHOOKS: Final = Feature("webhooks", "Webhooks", quota_unit="endpoints")
