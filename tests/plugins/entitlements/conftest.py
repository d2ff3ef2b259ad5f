"""Owners with plans, and what was published about them."""

from types import SimpleNamespace

import pytest
from comanda_entitlements import api
from recorded_statements import METHODS, PooledConnection


@pytest.fixture
def plan(owner):
    """Return a function that puts the owner on a plan, given as features and quotas."""

    async def put(code="pro", **features):
        await api.set_source(owner.id, "plan", code, features)

    return put


@pytest.fixture
def changes(published):
    """Return a function that returns the changes of entitlements so far, as ``+feature`` or ``-feature``."""

    async def read():
        sign = {"granted": "+", "revoked": "-"}
        found = [data for name, data in await published() if name == "entitlement.changed"]
        return SimpleNamespace(
            data=found,
            features=[sign[data["action"]] + data["feature_key"] for data in found],
            sources=[f"{data['source_type']}/{data['source_id']}" for data in found],
        )

    return read


@pytest.fixture
def statements(monkeypatch):
    """Return a list of the statements that run from now on."""
    ran = []
    for name in METHODS:
        original = getattr(PooledConnection, name)

        def record(self, query, *values, original=original, **options):
            ran.append(query)
            return original(self, query, *values, **options)

        monkeypatch.setattr(PooledConnection, name, record)
    return ran
