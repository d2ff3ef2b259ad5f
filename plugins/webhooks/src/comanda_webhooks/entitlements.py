"""The feature of plans that webhooks are."""

from typing import Final

from comanda.contracts import Feature

WEBHOOKS: Final = Feature("webhooks", "Webhooks", quota_unit="endpoints")
