"""The feature of plans with which agents see an owner's customers."""

from typing import Final

from comanda.contracts import Feature

CRM_SUITE: Final = Feature("crm_suite", "CRM suite")
