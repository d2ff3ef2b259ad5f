"""The share of a charge that its developer earns."""

import pytest
from comanda_marketplace.services.billing.shares import get_share
from comanda_marketplace.settings import get_settings


@pytest.mark.parametrize(
    ("percent", "amount", "share"), [(80, 1000, 800), (80, 1, 1), (50, 1, 1), (0, 999, 0), (100, 7, 7)]
)
def test_share_is_rounded_half_up(app, monkeypatch, percent, amount, share):
    monkeypatch.setattr(get_settings(), "developer_share_percent", percent)

    assert get_share(amount) == share
