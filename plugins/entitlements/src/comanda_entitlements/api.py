"""Entitlements for other plugins: setting what a source grants, and what an owner has in effect."""

from comanda.contracts import Entitlement

from comanda_entitlements.events import EntitlementChanged
from comanda_entitlements.models import SourceType
from comanda_entitlements.services.effective import get_effective
from comanda_entitlements.services.sources import APP_FEATURE_PREFIX, check_features, remove_source, set_source

__all__ = [
    "APP_FEATURE_PREFIX",
    "Entitlement",
    "EntitlementChanged",
    "SourceType",
    "check_features",
    "get_effective",
    "remove_source",
    "set_source",
]
